import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import {
  type ProductStatus,
  type ProductType,
  productCounts,
  productPriceCounts,
  productRangeCounts,
  productStatuses,
} from "../../catalogue/products/listing/tables.ts";
import type { OfferedVariants } from "../../domain/error-codes.ts";
import { json } from "./json.ts";

type Kind = {
  status?: ProductStatus | undefined;
  type?: ProductType | undefined;
  soldOut?: boolean | undefined;
  /** Price bands, including the first and excluding the last. */
  bands?: readonly [from: number, end: number];
};

/** Number of products of a kind in a category; `category` is its id, or 0 for all products. */
export function countProducts(category: SQL, { status, type, soldOut, bands }: Kind): SQL<number> {
  const counts = bands ? productPriceCounts : productCounts;
  const where = and(
    sql`${counts.categoryId} = ${category}`,
    // Bands follow the status in the key, so all statuses are listed if none is given.
    status ? eq(counts.status, status) : bands && inArray(counts.status, productStatuses),
    type && eq(counts.type, type),
    soldOut === undefined ? undefined : eq(counts.soldOut, soldOut),
    bands && and(gte(productPriceCounts.priceBand, bands[0]), lt(productPriceCounts.priceBand, bands[1])),
  );
  return sql<number>`(SELECT ifnull(sum(${counts.items}), 0) FROM ${counts} WHERE ${where})`;
}

/** Number of products of a kind that cost less than a price band in some variant, and at least the band in another. */
export function countRangesInto(category: SQL, { status, type, soldOut }: Kind, band: number): SQL<number> {
  const where = and(
    sql`${productRangeCounts.categoryId} = ${category}`,
    status ? eq(productRangeCounts.status, status) : inArray(productRangeCounts.status, productStatuses),
    type && eq(productRangeCounts.type, type),
    soldOut === undefined ? undefined : eq(productRangeCounts.soldOut, soldOut),
    lt(productRangeCounts.priceBand, band),
  );
  return sql<number>`(SELECT ifnull(sum(${productRangeCounts.items}), 0) FROM ${productRangeCounts} WHERE ${where})`;
}

/** The name of a product or an order line with the values of a variant: "Shirt (M / Blue)". */
export const nameWithValuesOf = (name: SQL, optionValues: SQL): SQL<string> =>
  sql`(${name} || iif(${optionValues} = '[]', '',
    ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(${optionValues})) || ')'))`;

/** True if a unit of a product grants a download package, which needs an account. Reads `products`. */
export const grantsFiles = sql`EXISTS (SELECT 1 FROM product_files WHERE product_id = products.id)`.mapWith(Boolean);

/** Variants that an error names. A response with 1,000 of them would have 200 KB for each line of an order. */
const MOST_OFFERED = 100;

/** Active variants of a product, prices in minor units. Reads `products`. */
export const offeredVariants = json<OfferedVariants>(
  sql`iif(products.options = '[]', '{"id":0,"total":0,"first":[]}', json_object('id', products.id,
    'total', (SELECT count(*) FROM products AS variant WHERE variant.parent_id = products.id AND status = 'active'),
    'first', (
      SELECT json_group_array(json_object('product_id', id, 'sku', sku, 'option_values', json(option_values), 'price', price,
        'in_stock', json(iif(in_stock, 'true', 'false'))))
      FROM (
        SELECT * FROM products AS variant WHERE variant.parent_id = products.id AND status = 'active'
        ORDER BY id LIMIT ${sql.raw(String(MOST_OFFERED))}))))`,
);
