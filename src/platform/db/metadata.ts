import { type SQL, sql } from "drizzle-orm";
import { limitTo, MAX_FOUND } from "./page.ts";

/**
 * The ids of the rows that have a text in their metadata, such as `channel:market`, among the newest MAX_FOUND rows. An
 * index of texts would cost each order rows to write.
 */
export const rowsWithText = (table: "orders" | "products" | "users", text: string): SQL => sql`
  SELECT id FROM (SELECT id, metadata FROM ${sql.raw(table)} ORDER BY id DESC ${limitTo(MAX_FOUND)}) AS newest
  WHERE EXISTS (SELECT 1 FROM json_each(newest.metadata) AS own WHERE own.key || ':' || own.value = ${text})`;
