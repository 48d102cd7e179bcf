import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type ProductStatus, type ProductType, productCounts } from "./tables/product-lists.ts";

type Kind = {
  statuses?: readonly ProductStatus[] | undefined;
  type?: ProductType | undefined;
  soldOut?: boolean | undefined;
};

/** How many products of a kind a category has; `category` is its id, or 0 for all products. */
export function countProducts(category: SQL, { statuses, type, soldOut }: Kind): SQL<number> {
  const where = and(
    sql`${productCounts.categoryId} = ${category}`,
    statuses && inArray(productCounts.status, statuses),
    type && eq(productCounts.type, type),
    soldOut === undefined ? undefined : eq(productCounts.soldOut, soldOut),
  );
  return sql<number>`(SELECT ifnull(sum(${productCounts.items}), 0) FROM ${productCounts} WHERE ${where})`;
}
