import { type SQL, sql } from "drizzle-orm";

/** Whether a column begins with a prefix, as a range of its index. The upper bound is the last character of Unicode. */
export const hasPrefix = (column: SQL, text: SQL | string): SQL =>
  sql`${column} >= ${text} AND ${column} < ${text} || ${"\u{10FFFF}"}`;
