import type { SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

export type Database = ReturnType<typeof connect>;

export const connect = (binding: D1Database) => drizzle(binding);

/**
 * A statement written in SQL, for a batch. Drizzle's batch for D1 binds the parameters of a query to its `stmt`, which a
 * raw one lacks (drizzle-team/drizzle-orm#2277), so it is given one.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  return Object.assign(raw, { stmt: db.$client.prepare(raw.getQuery().sql) });
}
