import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { limitTo } from "./limit.ts";
import { matchExpression } from "./search-words.ts";

/**
 * Where a search ends: so many of the newest matches are counted, sorted and paged through, since a count and a sort read
 * each match. What is older is found by one word more.
 */
export const MAX_FOUND = 10_000;

/** The ids of what a person searches for in a full-text table, the newest ones; of words alone that hold nothing, none. */
export function newestFound(table: SQL, search: string, most = MAX_FOUND): SQL {
  const words = matchExpression(search);
  if (words === null) return sql`SELECT NULL AS id WHERE FALSE`;
  return sql`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${words} ORDER BY rowid DESC ${limitTo(most)}`;
}

/** All ids of what is searched for, from an id on in the order of ids: as many as follow. */
export async function idsFound(
  db: Database,
  { table, search }: { table: SQL; search: string },
  after: number,
  limit: number,
): Promise<number[]> {
  const words = matchExpression(search);
  if (words === null) return [];
  const rows = await db.all<{ id: number }>(
    sql`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${words} AND rowid > ${after} ORDER BY rowid ${limitTo(limit)}`,
  );
  return rows.map(({ id }) => id);
}
