import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { cursorPage, limitTo, onePastPage, type PageOf } from "../../../platform/db/page.ts";
import { countProducts } from "../../../platform/db/product-sql.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import { lookUpProducts } from "./look-up.ts";
import { looksUp, type ProductsQuery, sortOrderOf } from "./query.ts";
import {
  filterConditions,
  listedItems,
  orderBy,
  type ProductFilters,
  type ProductListing,
  readEmptyListing,
  readListing,
  readListingOfShape,
  requestedCategory,
} from "./read.ts";
import { isFound, listFound, matching, type SearchedFor } from "./search.ts";
import { ALL_PRODUCTS, categoryProducts, type ProductSortOrder, productStatuses, sortColumns } from "./tables.ts";

// A list with no other filter than a category and a status is read from category_products, which has an index for each sort
// order, and counted in product_counts. Any other filter is a word of the full-text index: such a list is read like
// a search. None of them contain variants, which are read by their product's id.

/** Returns a page of products and the total, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (looksUp(query)) return lookUpProducts(db, query, drafts);
  if (drafts) return list(db, query, drafts);
  const { status = "active" } = query;
  return status === "active" ? list(db, { ...query, status }, drafts) : readEmptyListing(db, query);
}

function list(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (query.parent_id !== undefined)
    return readListing(db, ofParent({ ...query, parent_id: query.parent_id }, { ownStatus: false }), query);
  if (query.after_id !== undefined) return listAfter(db, query, query.after_id, drafts);
  if (isFound(query)) return listFound(db, query, drafts);
  const { sort, status, category } = query;
  const shape = JSON.stringify([sort, status, Boolean(category), isDeep(query)]);
  return readListingOfShape(db, { shape, values: valuesOf(query) }, () => inOrder(query), query);
}

/** Returns products after an id, in id order, to read the whole list without offsets or counts. */
async function listAfter(
  db: Database,
  query: ProductsQuery,
  after: number,
  drafts: boolean,
): Promise<PageOf<ProductRow>> {
  const listing = {
    category: query.category,
    ids: idsAfter(query, { after, limit: onePastPage(query), drafts }),
    orderBy: orderBy("newest", false),
    items: sql<number>`0`,
  };
  const { rows } = await readListing(db, listing, query);
  return cursorPage(query, rows, ({ updatedAt }) => updatedAt);
}

type After = { after: number; limit: number; drafts: boolean };

/** Selects the next ids of a list in id order. */
export const idsAfter = (query: SearchedFor, { after, limit, drafts }: After): SQL =>
  isFound(query)
    ? sql`SELECT rowid AS id FROM products_search WHERE ${matching(query, drafts)} AND rowid > ${after} ORDER BY rowid ${limitTo(limit)}`
    : idsAlong(query, "newest", { after, limit: limitTo(limit) });

type Along = { backwards?: boolean; after?: number; limit: SQL };

/** Selects ids in a sort order. Each status has its own order, so those of all statuses are merged. */
function idsAlong(
  { status, category }: ProductFilters,
  order: ProductSortOrder,
  { backwards = false, after, limit }: Along,
): SQL {
  const sorted = sortColumns[order];
  const columns = sql.raw(sorted.map((column) => column.split(" ", 1)).join(", "));
  const ordered = sql.raw(sorted.map((column) => `${column}${backwards ? " DESC" : ""}`).join(", "));
  const inList = eq(categoryProducts.categoryId, category ? requestedCategory : ALL_PRODUCTS);
  const isAfter = after === undefined ? undefined : gt(categoryProducts.id, after);
  const rows = (status ? [status] : productStatuses).map(
    (each) =>
      sql`SELECT ${columns} FROM ${categoryProducts} WHERE ${and(inList, eq(categoryProducts.status, each), isAfter)}`,
  );
  return sql`SELECT id FROM (${sql.join(rows, sql` UNION ALL `)} ORDER BY ${ordered} ${limit})`;
}

export function inOrder(query: ProductsQuery): ProductListing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category && sql`${sql.placeholder("category")}`,
    ids: idsOfPage(query),
    orderBy: orderBy(order, backwards),
    items: countProducts(query.category ? requestedCategory : ALL_PRODUCTS, query.status),
    values: valuesOf(query),
  };
}

/** Values of the placeholders in such a list: all that its statement does not depend on. */
const valuesOf = (query: ProductsQuery) => ({ category: query.category, ...limitAndOffset(query) });

/** A page with a greater offset is read from the nearer end of the list, because D1 bills each skipped row. */
const DEEP_OFFSET = 200;

const isDeep = (query: ProductsQuery): boolean => limitAndOffset(query).offset > DEEP_OFFSET;

function idsOfPage(query: ProductsQuery): SQL {
  const { order, backwards } = sortOrderOf[query.sort];
  const [limit, offset] = [sql`${sql.placeholder("limit")}`, sql`${sql.placeholder("offset")}`];
  const rest = sql`${listedItems} - ${offset}`;
  // Never more than remain: otherwise a list would be read to its end in search of missing rows.
  const taken = sql`max(0, min(${limit}, ${rest}))`;
  const walk = (reversed: boolean, take: SQL, skip: SQL) =>
    idsAlong(query, order, { backwards: backwards !== reversed, limit: limitTo(take, skip) });
  if (!isDeep(query)) return walk(false, taken, offset);
  const isNearEnd = sql`${offset} > ${listedItems} / 2`;
  return sql`
    SELECT id FROM (${walk(false, sql`iif(${isNearEnd}, 0, ${taken})`, offset)})
    UNION ALL SELECT id FROM (${walk(true, sql`iif(${isNearEnd}, ${taken}, 0)`, sql`max(0, ${rest} - ${limit})`)})`;
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
