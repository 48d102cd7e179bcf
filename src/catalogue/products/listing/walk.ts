import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "../../../platform/db/client.ts";
import { afterCursor, cursorPage, onePastPage } from "../../../platform/db/cursor.ts";
import { type Conditions, limitTo, MAX_FOUND, newestFound, type PageOf } from "../../../platform/db/page.ts";
import { products, stockIsLow, stockIsManaged } from "../../../platform/db/schema.ts";
import { hasCursor, limitAndOffset } from "../../../platform/http/pagination.ts";
import type { AllProductFilters, AllProductsQuery } from "../admin-schemas.ts";
import { selectProducts } from "../products.ts";
import { type ProductRow, sortOrderOf } from "../schemas.ts";
import { listProducts } from "./list.ts";
import { fromIndex, inOrder, orderBy } from "./page.ts";
import { filterConditions, type ProductListing, readListing, readListingIds } from "./read.ts";
import { matching, ofFound } from "./search.ts";
import { isListedFor, ofParent } from "./variants.ts";

/** Returns up to `limit` product ids after an id, in id order. Repeated calls walk the whole list. */
export const idsOfProducts = (db: Database, query: AllProductFilters, after: number, limit: number) =>
  readListingIds(db, { category: query.category, ids: idsAfter(query, after, limit), orderBy: [], items: sql`0` });

function idsAfter(query: AllProductFilters, after: number, limit: number): SQL {
  const { low_stock, sort, search, parent_id } = query;
  const stock = low_stock ? stockIsLow : sort === "stock" ? stockIsManaged : undefined;
  if (!stock && parent_id === undefined) {
    return search
      ? sql`SELECT rowid AS id FROM products_search WHERE ${matching(query)} AND rowid > ${after} ORDER BY rowid LIMIT ${limit}`
      : sql`SELECT id ${fromIndex(query, "newest")} AND id > ${after} ORDER BY id LIMIT ${limit}`;
  }
  const found =
    search === undefined ? undefined : sql`${ofSearch} IN (SELECT rowid FROM products_search WHERE ${matching(query)})`;
  const where = and(stock, found, ...conditions({ ...query, search: undefined }));
  return sql`SELECT id FROM products NOT INDEXED WHERE ${where} AND id > ${after} ORDER BY id LIMIT ${limit}`;
}

/** Lists all products, including drafts: one page, or the products after a cursor. */
export function listAllProducts(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  if (hasCursor(query)) return listFollowing(db, query);
  const { low_stock, sort, ...others } = query;
  if (low_stock || sort === "stock") return listByStock(db, query);
  return listProducts(db, { ...others, sort }, true);
}

/** Returns the ids of the list's first `most` rows. */
export function readProductIds(db: Database, query: AllProductsQuery, most: number): Promise<number[]> {
  const { low_stock, sort, parent_id, ...others } = query;
  const first = { page: 1, per_page: most };
  if (low_stock || sort === "stock") return readListingIds(db, byStock({ ...query, ...first }));
  const plain = { ...others, sort, ...first };
  if (parent_id !== undefined) return readListingIds(db, ofParent({ ...plain, parent_id }));
  return readListingIds(db, query.search ? ofFound(plain) : inOrder(plain));
}

/** Lists products after a cursor. Sales do not change `updated_at`, which dates edits. */
async function listFollowing(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  const { runs, orderBy } = afterCursor(query, { id: products.id, changedAt: products.updatedAt });
  const { status, parent_id } = query;
  const narrowed = [
    isListedFor(parent_id),
    status && eq(products.status, status),
    ...Object.values(filterConditions(query)),
  ];
  const [first, second] = runs.map((run) => and(...narrowed, run));
  const rows = selectProducts(db).where(first);
  const all = second ? unionAll(rows, selectProducts(db).where(second)) : rows;
  const found = await all.orderBy(...orderBy).limit(onePastPage(query));
  return cursorPage(query, found, ({ updatedAt }) => updatedAt);
}

/**
 * Lists active products with managed or low stock, from the 10,000 with the least stock, which an index keeps in order.
 * Filtering and sorting only these bounds the rows read.
 */
const listByStock = (db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> =>
  readListing(db, byStock(query));

function byStock(query: AllProductsQuery): ProductListing {
  const order = orderOfQuery(query);
  const { limit, offset } = limitAndOffset(query);
  const among = sql`
    FROM (
      SELECT id FROM products WHERE ${query.low_stock ? stockIsLow : stockIsManaged}
      ORDER BY stock_quantity, id ${limitTo(MAX_FOUND)}
    ) AS least CROSS JOIN ${products} ON ${products.id} = least.id
    WHERE ${and(sql`TRUE`, ...conditions(query))}`;
  return {
    category: query.category,
    ids: sql`
      SELECT ${products.id} ${among} ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`,
    orderBy: order,
    items: sql<number>`(SELECT count(*) ${among})`,
  };
}

function orderOfQuery({ sort }: AllProductsQuery): SQL[] {
  if (sort === "stock") return [asc(products.stockQuantity), asc(products.id)];
  const { order, backwards } = sortOrderOf[sort];
  return orderBy(order, backwards);
}

/** Id by which the search knows a product: a variant's is its parent's. */
const ofSearch = sql.raw("ifnull(products.parent_id, products.id)");

function conditions(query: AllProductFilters): (SQL | undefined)[] {
  const { status, search, parent_id } = query;
  const each = {
    status: status && eq(products.status, status),
    ...filterConditions(query),
    parent_id: parent_id === undefined ? undefined : isListedFor(parent_id),
    search: search ? sql`${ofSearch} IN (${newestFound(sql`products_search`, search)})` : undefined,
  } satisfies Conditions<AllProductFilters, "low_stock" | "max_price" | "sort">;
  return Object.values(each);
}
