import { and, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { countProducts } from "../../db/product-counts.ts";
import { hasStatus, type ProductSortOrder, productIndex, products, sortColumns } from "../../db/schema.ts";
import type { ProductsQuery } from "../schemas.ts";
import { requestedCategory } from "./read-queries.ts";

/** What a list is narrowed by; it is read from the index of its status and its category. */
export type ProductFilters = Pick<
  ProductsQuery,
  "status" | "category" | "type" | "in_stock" | "min_price" | "max_price"
>;

export const orderBy = (order: ProductSortOrder, backwards: boolean): SQL[] =>
  sortColumns[order].map((column) => sql.raw(`products.${column}${backwards ? " DESC" : ""}`));

/** The products of a list by the index of an order: `INDEXED BY`, since SQLite has no figures to choose an index by. */
export function fromIndex(list: ProductFilters, order: ProductSortOrder): SQL {
  const { status, category, type, in_stock, min_price, max_price } = list;
  const name = productIndex({ status, inCategory: Boolean(category) }, order);
  const where = and(
    sql`TRUE`,
    status && hasStatus(status),
    category ? eq(products.categoryId, requestedCategory) : undefined,
    type && eq(products.type, type),
    in_stock === undefined ? undefined : eq(products.soldOut, !in_stock),
    min_price === undefined ? undefined : gte(products.price, min_price),
    max_price === undefined ? undefined : lte(products.price, max_price),
  );
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
