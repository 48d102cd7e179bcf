import { type SQL, sql } from "drizzle-orm";
import { newestFound, newestMatching } from "./page.ts";
import { productExpression } from "./product-words.ts";
import { hasPrefix } from "./search-words.ts";

/** Maximum number of rows that each search method contributes. */
export const CONSIDERED = 50;

const limited = (ids: SQL): SQL => sql`SELECT id FROM (${ids} LIMIT ${CONSIDERED})`;
export const noCase = (column: SQL): SQL => sql`${column} COLLATE NOCASE`;

/** The ids of rows in whose index a column begins with a text. */
export const beginning = (table: SQL, column: SQL, text: string): SQL =>
  limited(sql`SELECT id FROM ${table} WHERE ${hasPrefix(column, text)} ORDER BY ${column}`);

/** The ids of the newest rows that a full-text index finds. */
export const ofWords = (index: SQL, q: string): SQL => sql`SELECT id FROM (${newestFound(index, q, CONSIDERED)})`;

/** Maximum number of products whose variants are searched. */
const LOOKED_THROUGH = 10;

/** Variants of the found products by prefixes of their option values: "shirt blue". */
function variantsOfWords(q: string): SQL {
  const words = JSON.stringify(
    q
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
  const spaced = (text: SQL) => sql`' ' || lower(replace(${text}, '-', ' '))`;
  const values = sql`(SELECT ${spaced(sql`group_concat(value ->> 'value', ' ')`)} FROM json_each(variant.option_values))`;
  const text = sql`${spaced(sql`variant.name || ' ' || variant.sku`)} || ${values}`;
  return limited(sql`
    SELECT variant.id FROM (${newestMatching(sql`products_search`, productExpression(q), LOOKED_THROUGH)}) AS found
      JOIN products AS variant ON variant.parent_id = found.id
    WHERE EXISTS (SELECT 1 FROM json_each(${words}) AS word WHERE instr(${values}, ' ' || word.value) > 0)
      AND NOT EXISTS (SELECT 1 FROM json_each(${words}) AS word WHERE instr(${text}, ' ' || word.value) = 0)`);
}

const byWords = (words: string | null): SQL =>
  sql`SELECT id FROM (${newestMatching(sql`products_search`, words, CONSIDERED)})`;

/** The ids of products and variants by their SKU, the beginning of their name, and their words. */
export const productsFound = (q: string, words = productExpression(q)): SQL =>
  sql.join(
    [
      beginning(sql`products`, sql`sku`, q),
      beginning(sql`listed_products`, noCase(sql`name`), q),
      byWords(words),
      variantsOfWords(q),
    ],
    sql` UNION `,
  );

/** The full-text query for what names a product, without its description. */
export const namingWords = (q: string): string | null => {
  const words = productExpression(q);
  return words && `{name sku brand barcode variant_words draft_words} : (${words})`;
};

/** Sellable products: instead of a product with variants, the variants that were found, or else all of them. */
export const sellableOf = (ids: SQL): SQL => sql`
  WITH matched AS (${ids})
  SELECT coalesce(variant.id, matched.id) AS id
  FROM matched LEFT JOIN products AS variant ON variant.parent_id = matched.id
  WHERE NOT EXISTS (SELECT 1 FROM matched AS other JOIN products AS own ON own.id = other.id WHERE own.parent_id = matched.id)`;
