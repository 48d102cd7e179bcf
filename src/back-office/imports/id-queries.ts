import { type SQL, sql } from "drizzle-orm";

/**
 * The id that a record brings, if it is greater than all ids that the table has ever given. Any other may have belonged to a
 * row that was deleted, and what still refers to that row would apply to the new one: the record gets the next id instead.
 */
export const unusedId = (table: "products" | "categories" | "users"): SQL => sql`iif(
  each.value ->> 'id' > coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0), each.value ->> 'id', NULL)`;
