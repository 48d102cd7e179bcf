import { sql } from "drizzle-orm";
import { check, integer } from "drizzle-orm/sqlite-core";

// Money is integer minor units; a moment is epoch milliseconds (UTC). The triggers that guard the tables stand in
// db/guards, each with a line that says what it prevents.

export const id = () => integer().primaryKey({ autoIncrement: true });
export const createdAt = () => integer("created_at").notNull();
export const updatedAt = () => integer("updated_at").notNull();
export const flag = (name: string) => integer(name, { mode: "boolean" });

/** `column IN ('a', 'b')` as a CHECK: SQLite has no enum. */
export const oneOf = (name: string, column: string, values: readonly string[]) =>
  check(name, sql.raw(`"${column}" IN (${values.map((value) => `'${value}'`).join(", ")})`));
