import { type SQL, sql } from "drizzle-orm";

/**
 * The record's id, if it is greater than any id the table ever assigned. Any other may have belonged to a deleted row whose
 * references would then apply to the new one, so the record gets the next id instead.
 */
export const unusedId = (table: "products" | "categories" | "users"): SQL => sql`iif(
  each.value ->> 'id' > coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0), each.value ->> 'id', NULL)`;
