import { type SQL, sql } from "drizzle-orm";
import { type Database, requireFirst } from "../../db/client.ts";
import { json } from "../../db/json.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { badRequest, fieldError } from "../../errors.ts";
import { packedProduct } from "../queries.ts";
import type { ProductRow } from "../schemas.ts";
import { categoryId } from "./category-queries.ts";

/** The id of the category that is asked for; null where there is none like it. For use in `ids` and `items`. */
export const requestedCategory = sql`(SELECT category FROM asked)`;

/** How many products the list has. For use in `ids`. */
export const listedItems = sql`(SELECT items FROM list)`;

export type Listing = {
  category: string | undefined;
  /** Selects the `id` of each product of the page. */
  ids: SQL;
  orderBy: SQL[];
  /** How many products the list has on all pages. */
  items: SQL<number>;
};

/** The ids of a list, as many as it selects, in no order. */
export async function readIds(db: Database, { category, ids, items }: Listing): Promise<number[]> {
  const asked = db.$with("asked", {}).as(sql`SELECT ${category ? categoryId(category) : null} AS category`);
  const list = db.$with("list", {}).as(sql`SELECT ${items} AS items`);
  const isThere = category ? sql`${requestedCategory} IS NOT NULL` : sql`TRUE`;
  const { found, there } = requireFirst(
    await db
      .with(asked, list)
      .select({
        found: json<number[]>(sql`(SELECT json_group_array(id) FROM (${ids}))`),
        there: isThere.mapWith(Boolean),
      })
      .from(sql`(SELECT 1)`),
  );
  if (!there) throw noSuchCategory();
  return found;
}

/** Reads a page and its total as one statement. A category that is not there is refused by what the same statement found. */
export async function readListing(
  db: Database,
  { category, ids, orderBy, items }: Listing,
): Promise<PageOf<ProductRow>> {
  const asked = db.$with("asked", {}).as(sql`SELECT ${category ? categoryId(category) : null} AS category`);
  const list = db.$with("list", {}).as(sql`SELECT ${items} AS items`);
  const isThere = category ? sql`${requestedCategory} IS NOT NULL` : sql`TRUE`;
  const found = await db
    .with(asked, list)
    .select({ product: packedProduct, items: sql<number>`items`, isThere: isThere.mapWith(Boolean) })
    .from(sql`list LEFT JOIN (SELECT id AS listed FROM (${ids})) LEFT JOIN ${products} ON ${products.id} = listed`)
    .orderBy(...orderBy);
  const first = requireFirst(found);
  if (!first.isThere) throw noSuchCategory();
  // A page past the end is one row without a product.
  const rows = found.flatMap(({ product }) => product ?? []);
  return { rows, totalItems: first.items, totalIsExact: true };
}

/** A list that is empty whatever there is, unless its category is not there. */
export const readEmptyListing = (
  db: Database,
  { category }: { category?: string | undefined },
): Promise<PageOf<ProductRow>> =>
  readListing(db, { category, ids: sql`SELECT NULL AS id WHERE FALSE`, orderBy: [], items: sql`0` });

const noSuchCategory = () =>
  badRequest(fieldError("category", "unknown_reference", "is no category's slug, id or name"));
