import { inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

// Each statement writes one table for all rows of a slice, passed as one JSON parameter.

export const jsonRows = (rows: unknown[]): SQL => sql`json_each(${JSON.stringify(rows)}) AS each`;

/** True for rows whose id is in the list. */
export const isRowAmong = (id: SQLiteColumn, ids: number[]): SQL =>
  inArray(id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);

/**
 * The record's id, if it is greater than any id the table ever assigned. Any other may have belonged to a deleted row whose
 * references would then apply to the new one, so the record gets the next id instead.
 */
export const unusedId = (table: "products" | "categories" | "users"): SQL => sql`iif(
  each.value ->> 'id' > coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0), each.value ->> 'id', NULL)`;
