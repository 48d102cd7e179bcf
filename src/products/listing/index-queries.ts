import { and, type SQL, sql } from "drizzle-orm";
import { countProducts } from "../../db/product-counts.ts";
import { hasStatus, type ProductSortOrder, productIndex, sortColumns } from "../../db/tables/product-lists.ts";
import { products } from "../../db/tables/products.ts";
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

export const hasRange = ({ min_price, max_price }: ProductFilters): boolean => (min_price ?? max_price) !== undefined;

/** How many products a list has: a range of prices is counted in the index, all others are in product_counts. */
export function itemsOf(list: ProductFilters): SQL<number> {
  if (hasRange(list)) return sql<number>`(SELECT count(*) ${fromIndex(list, "price")})`;
  const { status, type, in_stock, category } = list;
  const kind = { statuses: status && [status], type, soldOut: in_stock === undefined ? undefined : !in_stock };
  return countProducts(category ? requestedCategory : sql`0`, kind);
}
