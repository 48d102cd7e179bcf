import { type SQL, sql } from "drizzle-orm";

/** Whether a column begins with a text, as a range of its index. No character stands behind the last one of Unicode. */
export const beginsWith = (column: SQL, text: SQL | string): SQL =>
  sql`${column} >= ${text} AND ${column} < ${text} || ${"\u{10FFFF}"}`;
