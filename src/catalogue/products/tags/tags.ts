import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { line } from "../../../domain/fields.ts";
import { fold } from "../../../domain/fold.ts";
import type { Database } from "../../../platform/db/client.ts";
import { json } from "../../../platform/db/json.ts";
import { products, tags } from "../../../platform/db/tables/products.ts";

export const MAX_TAGS = 50;
export const MAX_TAG = 50;

/** Tags of a product. Lists of tags separate them by commas, so none contains one. */
export const Tags = z
  .array(line(MAX_TAG).regex(/^[^,]*$/, "must not contain a comma"))
  .max(MAX_TAGS)
  .describe("Any words that products share. Case and accents do not matter: a tag is shown as it was first typed");

/** Reads "Summer, Sale" as two tags. */
export const splitTags = (typed: string): string[] =>
  typed
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** Tags in a query: a parameter for each, or one with commas. */
export const TagFilter = z
  .union([z.string().max(1_000), z.array(z.string().max(1_000)).max(MAX_TAGS)])
  .transform((sent) => distinctTags([sent].flat().flatMap(splitTags)))
  .transform((names) => (names.length > 0 ? names : undefined))
  .pipe(z.array(z.string()).max(10).optional());

/** Tags without repetitions, each in its first spelling. */
export const distinctTags = (names: string[]): string[] => {
  const spelled = new Map<string, string>();
  for (const name of names) if (!spelled.has(fold(name))) spelled.set(fold(name), name);
  return [...spelled.values()];
};

/** Tags with their folded names, as statements take them from JSON. */
export const withFolded = (names: readonly string[]): [name: string, folded: string][] =>
  names.map((name) => [name, fold(name)]);

const jsonOf = (names: readonly string[]): string => JSON.stringify(withFolded(names));

/** Tags in the spelling of those that exist. */
export const spelledTags = (names: readonly string[]): SQL<string[]> =>
  json<string[]>(sql`(
    SELECT json_group_array(coalesce(tags.name, value ->> 0)) FROM json_each(${jsonOf(names)})
    LEFT JOIN tags ON folded_name = value ->> 1)`);

/** Reads how the shop spells tags. */
export async function spellTags(db: Database, names: string[]): Promise<string[]> {
  const [row] = await db.select({ tags: spelledTags(distinctTags(names)) }).from(sql`(SELECT 1)`);
  return row?.tags ?? names;
}

/** Creates the tags that do not exist. */
export const createTags = (names: readonly string[]): SQL =>
  sql`INSERT INTO ${tags} (name, folded_name) SELECT value ->> 0, value ->> 1 FROM json_each(${jsonOf(names)})
    WHERE value ->> 1 NOT IN (SELECT folded_name FROM ${tags})`;

/** The values of a column of tags, which are given as JSON of `withFolded`, in their order. */
export const tagsAs = (column: "id" | "name", given: SQL | string): SQL => sql`(
  SELECT json_group_array(${sql.raw(column)}) FROM (
    SELECT tags.id, tags.name FROM json_each(${given}) CROSS JOIN tags ON folded_name = value ->> 1 ORDER BY key))`;

/** Replaces the tags of a product, and creates those that do not exist. */
export const replaceTags = (product: SQL | number, names: string[]) => ({
  related: { tags: names },
  statements: [
    createTags(names),
    sql`UPDATE ${products} SET tags = ${tagsAs("name", jsonOf(names))}, tag_ids = ${tagsAs("id", jsonOf(names))} WHERE id = ${product}`,
  ],
});

/** The tags that products have, by name. */
export const findTags = (db: Database, most: number) =>
  db
    .select({ name: tags.name })
    .from(tags)
    .where(sql`EXISTS (SELECT 1 FROM products_search WHERE products_search MATCH ('facets : qzt' || tags.id))`)
    .orderBy(sql`${tags.name} COLLATE NOCASE`, tags.id)
    .limit(most);
