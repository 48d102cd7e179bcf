import { and, type SQL, sql } from "drizzle-orm";
import { MAX_MINOR } from "../../../domain/money.ts";
import { countProducts } from "../../../platform/db/product-counts.ts";
import {
  hasStatus,
  type ProductSortOrder,
  priceBandAbove,
  priceBandOf,
  productIndex,
  sortColumns,
} from "../../../platform/db/tables/product-lists.ts";
import { products } from "../../../platform/db/tables/products.ts";
import { filterConditions, type ProductFilters } from "./filter-queries.ts";
import { requestedCategory } from "./read-queries.ts";

export const orderBy = (order: ProductSortOrder, backwards: boolean): SQL[] =>
  sortColumns[order].map((column) => sql.raw(`products.${column}${backwards ? " DESC" : ""}`));

/** The products of a list by the index of an order: `INDEXED BY`, since SQLite has no figures to choose an index by. */
export function fromIndex(list: ProductFilters, order: ProductSortOrder): SQL {
  const { status, category } = list;
  const name = productIndex({ status, inCategory: Boolean(category) }, order);
  const where = and(sql`TRUE`, status && hasStatus(status), ...filterConditions(list));
  return sql`FROM ${products} INDEXED BY ${sql.raw(name)} WHERE ${where}`;
}

/** How many products the index of a list has, before its filters. */
export const indexed = ({ status, category }: ProductFilters): SQL<number> =>
  countProducts(categoryOf(category), { status });

const categoryOf = (category: string | undefined): SQL => (category ? requestedCategory : sql`0`);

export const hasRange = ({ min_price, max_price }: ProductFilters): boolean => (min_price ?? max_price) !== undefined;

/**
 * How many products a list has, by the counts that triggers keep. Of a range of prices only what lies beside its whole bands is
 * counted in the index.
 */
export function itemsOf(list: ProductFilters): SQL<number> {
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
  const beside: [number, number][] = [
    [low, Math.min(from - 1, high)],
    [Math.max(from, end), high],
  ];
  const counts = [
    ...(from < end ? [countProducts(lists, { ...kind, bands: [from, end] })] : []),
    ...beside
      .filter(([least, most]) => least <= most)
      .map(([least, most]) => {
        const part = { ...list, min_price: least, max_price: most };
        return sql`(SELECT count(*) ${fromIndex(part, "price")})`;
      }),
  ];
  return sql<number>`(${sql.join(counts, sql.raw(" + "))})`;
}
