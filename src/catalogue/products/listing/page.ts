import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { MAX_MINOR } from "../../../domain/money.ts";
import type { Database } from "../../../platform/db/client.ts";
import { cursorPage, limitTo, onePastPage, type PageOf } from "../../../platform/db/page.ts";
import { countProducts, countRangesInto } from "../../../platform/db/product-sql.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { ProductRow } from "../schemas.ts";
import { hasPriceRange, products } from "../tables.ts";
import { type ProductsQuery, sortOrderOf } from "./query.ts";
import {
  entersAt,
  filterConditions,
  listedItems,
  type ProductFilters,
  type ProductListing,
  readListing,
  readListingOfShape,
  requestedCategory,
} from "./read.ts";
import {
  categoryIndex,
  categoryProducts,
  isListed,
  type ProductSortOrder,
  priceBandAbove,
  priceBandOf,
  productIndex,
  productStatuses,
  sortColumns,
} from "./tables.ts";

export const orderBy = (order: ProductSortOrder, backwards: boolean): SQL[] =>
  sortColumns[order].map((column) => sql.raw(`products.${column}${backwards ? " DESC" : ""}`));

/**
 * Reads a product list from the index of a sort order. `INDEXED BY` is needed because SQLite has no statistics to choose an
 * index by. The rows of a category have the same columns as products, so the same conditions hold for them.
 */
function fromIndex(list: ProductFilters, order: ProductSortOrder): SQL {
  const { status, category, min_price } = list;
  const { category: _, ...conditions } = filterConditions(list);
  const where = [...Object.values(conditions), order === "price" ? entersAt(min_price) : undefined];
  if (!category) {
    return sql`FROM ${products} INDEXED BY ${sql.raw(productIndex(status, order))} WHERE ${and(isListed(status), ...where)}`;
  }
  const inCategory = [
    eq(products.categoryId, requestedCategory),
    inArray(products.status, status ? [status] : [...productStatuses]),
  ];
  return sql`FROM ${categoryProducts} AS products INDEXED BY ${sql.raw(categoryIndex(order))} WHERE ${and(...inCategory, ...where)}`;
}

/**
 * Selects ids along the index of a sort order. A category has its products in order for each status, so those of all statuses
 * are merged.
 */
export function idsAlong(
  list: ProductFilters,
  order: ProductSortOrder,
  { backwards = false, after, limit }: Along,
): SQL {
  const sorted = sortColumns[order];
  const columns = sql.raw(sorted.map((column) => `products.${column.split(" ", 1)}`).join(", "));
  const isAfter = after === undefined ? sql.empty() : sql`AND products.id > ${after}`;
  const ordered = sql.raw(sorted.map((column) => `${column}${backwards ? " DESC" : ""}`).join(", "));
  const parts = list.category && !list.status ? productStatuses.map((status) => ({ ...list, status })) : [list];
  const rows = parts.map((part) => sql`SELECT ${columns} ${fromIndex(part, order)} ${isAfter}`);
  return sql`SELECT id FROM (${sql.join(rows, sql` UNION ALL `)} ORDER BY ${ordered} ${limit})`;
}

type Along = { backwards?: boolean; after?: number; limit: SQL };

/** Number of products in the index of a list, before filters. */
const indexed = ({ status, category }: ProductFilters): SQL<number> => countProducts(categoryOf(category), { status });

const categoryOf = (category: string | undefined): SQL => (category ? requestedCategory : sql`0`);

const hasRange = ({ min_price, max_price }: ProductFilters): boolean => (min_price ?? max_price) !== undefined;

/**
 * Number of products in a list, from counts that triggers maintain. For a price range, the index is only used to count
 * the parts outside whole bands, and products that begin below the range and reach into it.
 */
function itemsOf(list: ProductFilters): SQL<number> {
  const { status, type, in_stock, category } = list;
  const kind = {
    status,
    type,
    soldOut: in_stock === undefined ? undefined : !in_stock,
  };
  const lists = categoryOf(category);
  if (!hasRange(list)) return countProducts(lists, kind);
  const { min_price: low = 0, max_price: high = MAX_MINOR } = list;
  const [from, end] = [low && priceBandAbove(low - 1), priceBandOf(high + 1)];
  const ofPrice = fromIndex({ ...list, min_price: undefined, max_price: undefined }, "price");
  const beside: [number, number][] = [
    [low, Math.min(from - 1, high)],
    [Math.max(from, end), high],
  ];
  const counts = [
    ...(from < end ? [countProducts(lists, { ...kind, bands: [from, end] })] : []),
    ...beside
      .filter(([least, most]) => least <= most)
      .map(([least, most]) => sql`(SELECT count(*) ${ofPrice} AND products.price BETWEEN ${least} AND ${most})`),
    ...(low > 0 ? reachingInto(list, kind, low) : []),
  ];
  return sql<number>`(${sql.join(counts, sql.raw(" + "))})`;
}

/**
 * Numbers whose sum is the number of products that cost less than `low` in some variant, and `low` or more in another.
 */
function reachingInto(list: ProductFilters, kind: Parameters<typeof countProducts>[1], low: number): SQL<number>[] {
  const band = priceBandOf(low);
  const plain = { ...list, min_price: undefined, max_price: undefined };
  const counted = countRangesInto(categoryOf(list.category), kind, band);
  if (band === low) return [counted];
  const where = and(
    hasPriceRange,
    list.status && eq(products.status, list.status),
    ...Object.values(filterConditions(plain)),
  );
  const { price, highestVariantPrice } = products;
  return [
    counted,
    sql`(SELECT count(*) ${fromIndex(plain, "price")} AND ${price} >= ${band} AND ${price} < ${low} AND ${highestVariantPrice} >= ${low})`,
    sql`-(SELECT count(*) FROM ${products} INDEXED BY products_by_highest_price
      WHERE ${where} AND ${highestVariantPrice} >= ${band} AND ${highestVariantPrice} < ${low} AND ${price} < ${band})`,
  ];
}

/** A page with a greater offset is read from the nearer end of the list, because D1 bills each skipped row. */
const DEEP_OFFSET = 200;

/** Index rows that SQLite reads in the time it takes to sort one product of a price range by another column. */
const READ_PER_SORTED: Record<Exclude<ProductSortOrder, "price">, number> = { newest: 8, name: 40 };

/** Returns a page of products in index order. */
export function listInOrder(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const { page: _page, per_page: _perPage, fields: _fields, category, ...others } = query;
  const shape = JSON.stringify([others, Boolean(category), isDeep(query)]);
  return readListingOfShape(db, { shape, values: valuesOf(query) }, () => inOrder(query), query);
}

export function inOrder(query: ProductsQuery): ProductListing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category && sql`${sql.placeholder("category")}`,
    ids: idsOf(query),
    orderBy: orderBy(order, backwards),
    items: itemsOf(query),
    values: valuesOf(query),
  };
}

/** Values of the placeholders in such a list: all that its statement does not depend on. */
const valuesOf = (query: ProductsQuery) => ({ category: query.category, ...limitAndOffset(query) });

const isDeep = (query: ProductsQuery): boolean => limitAndOffset(query).offset > DEEP_OFFSET;

/** Returns products after an id, in id order, to read the whole list without offsets or counts. */
export async function listAfter(db: Database, query: ProductsQuery, id: number): Promise<PageOf<ProductRow>> {
  const listing = {
    category: query.category,
    ids: idsAlong(query, "newest", { after: id, limit: limitTo(onePastPage(query)) }),
    orderBy: orderBy("newest", false),
    items: sql<number>`0`,
  };
  const { rows } = await readListing(db, listing, query);
  return cursorPage(query, rows, ({ updatedAt }) => updatedAt);
}

function idsOf(query: ProductsQuery): SQL {
  const { order, backwards } = sortOrderOf[query.sort];
  const [limit, offset] = [sql`${sql.placeholder("limit")}`, sql`${sql.placeholder("offset")}`];
  const isScattered = hasRange(query) && order !== "price";
  const rest = sql`${listedItems} - ${offset}`;
  // Never more than remain: otherwise the index would be read to its end in search of missing rows.
  const taken = sql`max(0, min(${limit}, ${rest}))`;
  const walk = (reversed: boolean, take: SQL, skip: SQL) =>
    idsAlong(query, order, { backwards: backwards !== reversed, limit: limitTo(take, skip) });
  if (!isDeep(query) && !isScattered) return walk(false, taken, offset);
  const isNearEnd = sql`${offset} > ${listedItems} / 2`;
  // The fewer products a price range has, the further apart they lie in another index. The more it has, the longer sorting
  // takes.
  const isSortedSooner = isScattered
    ? sql`${listedItems} * ${listedItems} * ${READ_PER_SORTED[order]} <= (min(${offset}, ${rest}) + ${limit}) * ${indexed(query)}`
    : sql`FALSE`;
  const ifChosen = (way: string) => sql`iif((SELECT way FROM chosen) = ${sql.raw(`'${way}'`)}, ${taken}, 0)`;
  const ways = [
    walk(false, ifChosen("forwards"), offset),
    walk(true, ifChosen("backwards"), sql`max(0, ${rest} - ${limit})`),
    ...(isScattered
      ? [
          sql`SELECT id ${fromIndex(query, "price")}
            ORDER BY ${sql.join(orderBy(order, backwards), sql`, `)} ${limitTo(ifChosen("sorted"), offset)}`,
        ]
      : []),
  ];
  return sql`
    WITH chosen AS MATERIALIZED (
      SELECT CASE WHEN ${isSortedSooner} THEN 'sorted' WHEN ${isNearEnd} THEN 'backwards' ELSE 'forwards' END AS way)
    ${sql.join(
      ways.map((way) => sql`SELECT id FROM (${way})`),
      sql` UNION ALL `,
    )}`;
}
