import { between, eq, gte, lte, type SQL } from "drizzle-orm";
import { products } from "../../../platform/db/tables/products.ts";
import type { ProductsQuery } from "../schemas.ts";
import { requestedCategory } from "./read-queries.ts";

/** What narrows a list of products, but for words that are searched. */
export type ProductFilters = Pick<
  ProductsQuery,
  "status" | "category" | "type" | "in_stock" | "min_price" | "max_price"
>;

/** Conditions on `products` for all filters but the status, which decides what index a list is read from. */
export const filterConditions = ({
  category,
  type,
  in_stock,
  min_price,
  max_price,
}: ProductFilters): (SQL | undefined)[] => [
  category ? eq(products.categoryId, requestedCategory) : undefined,
  type && eq(products.type, type),
  in_stock === undefined ? undefined : eq(products.soldOut, !in_stock),
  costs(min_price, max_price),
];

/** BETWEEN reads a price once to compare it twice. */
function costs(least: number | undefined, most: number | undefined): SQL | undefined {
  if (least === undefined) return most === undefined ? undefined : lte(products.price, most);
  return most === undefined ? gte(products.price, least) : between(products.price, least, most);
}
