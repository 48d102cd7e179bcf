import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { limitTo, type PageOf } from "../../../platform/db/page.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import { listAfter, listInOrder, orderBy } from "./page.ts";
import { type ProductsQuery, sortOrderOf } from "./query.ts";
import { filterConditions, type ProductListing, readEmptyListing, readListing } from "./read.ts";
import { isFound, listFound } from "./search.ts";

// Each list has a covering index per sort order (src/catalogue/products/listing/tables.ts): of products, or of
// category_products, which lists a product under its category and all ancestors. The index is read from its nearer end
// up to the page, then the page's products are looked up. Triggers maintain totals in product_counts, and in
// product_price_counts for price ranges. Searches and lists by tag read the full-text index instead. None of them
// contain variants, which are read by their product's id.

/** Returns a page of products and the total, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (drafts) return list(db, query, drafts);
  const { status = "active" } = query;
  return status === "active" ? list(db, { ...query, status }, drafts) : readEmptyListing(db, query);
}

function list(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (query.parent_id !== undefined)
    return readListing(db, ofParent({ ...query, parent_id: query.parent_id }, { ownStatus: false }), query);
  if (isFound(query)) return listFound(db, query, drafts);
  return query.after_id === undefined ? listInOrder(db, query) : listAfter(db, query, query.after_id);
}

type VariantsQuery = Omit<ProductsQuery, "parent_id"> & { parent_id: number };

/** Lists the variants of one product. With `ownStatus`, `status` is compared with that of the variant itself. */
export function ofParent(query: VariantsQuery, { ownStatus }: { ownStatus: boolean }): ProductListing {
  const { order, backwards } = sortOrderOf[query.sort];
  const { limit, offset } = limitAndOffset(query);
  const where = and(
    isVariantOf(query.parent_id),
    query.status && eq(ownStatus ? products.ownStatus : products.status, query.status),
    ...Object.values(filterConditions(query)),
  );
  return {
    category: query.category,
    ids: sql`
      SELECT id FROM products WHERE ${where}
      ORDER BY ${sql.join(orderBy(order, backwards), sql`, `)} ${limitTo(limit, offset)}`,
    orderBy: orderBy(order, backwards),
    items: sql<number>`(SELECT count(*) FROM products WHERE ${where})`,
  };
}

const isVariantOf = (parentId: number): SQL => eq(products.parentId, parentId);

/** Returns up to `most` ids of the variants of some products. */
export async function findVariantIds(db: Database, parentIds: number[], most: number): Promise<number[]> {
  const rows = await db
    .select({ id: products.id })
    .from(products)
    .where(sql`${products.parentId} IN (SELECT value FROM json_each(${JSON.stringify(parentIds)}))`)
    .limit(most);
  return rows.map(({ id }) => id);
}

/** Condition on the status that staff see. For a variant this is its own status, whatever its product's. */
export const hasShownStatus = ({ status, parent_id }: Pick<ProductsQuery, "status" | "parent_id">): SQL | undefined =>
  status && eq(parent_id === undefined ? products.status : products.ownStatus, status);

/** Condition for the variants of a product, or for the products that lists show. */
export const isListedFor = (parentId: number | undefined): SQL =>
  parentId === undefined ? sql`products.parent_id IS NULL` : isVariantOf(parentId);
