import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type ProductStatus, type ProductType, productCounts, productPriceCounts } from "./tables/product-lists.ts";

type Kind = {
  statuses?: readonly ProductStatus[] | undefined;
  type?: ProductType | undefined;
  soldOut?: boolean | undefined;
  /** Of these bands of prices, from the first until before the last. */
  bands?: readonly [from: number, end: number];
};

/** How many products of a kind a category has; `category` is its id, or 0 for all products. */
export function countProducts(category: SQL, { statuses, type, soldOut, bands }: Kind): SQL<number> {
  const counts = bands ? productPriceCounts : productCounts;
  const where = and(
    sql`${counts.categoryId} = ${category}`,
    statuses && inArray(counts.status, statuses),
    type && eq(counts.type, type),
    soldOut === undefined ? undefined : eq(counts.soldOut, soldOut),
    bands && and(gte(productPriceCounts.priceBand, bands[0]), lt(productPriceCounts.priceBand, bands[1])),
  );
  return sql<number>`(SELECT ifnull(sum(${counts.items}), 0) FROM ${counts} WHERE ${where})`;
}
