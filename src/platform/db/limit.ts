import { type SQL, sql } from "drizzle-orm";

/** Computed: where LIMIT is a bound value SQLite prepares the statement anew with each one, which takes as long as to read a page. */
export const limitTo = (rows: number | SQL, skipped: number | SQL = sql.raw("0")): SQL =>
  sql`LIMIT ${rows} + 0 OFFSET ${skipped} + 0`;
