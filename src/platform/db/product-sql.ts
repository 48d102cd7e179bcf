import { and, eq, type SQL, sql } from "drizzle-orm";
import { type ProductStatus, productCounts } from "../../catalogue/products/listing/tables.ts";
import type { OfferedVariants } from "../../domain/error-codes.ts";
import { json } from "./json.ts";

/** Number of products in a category, including those below it, or of ALL_PRODUCTS. */
export function countProducts(category: SQL, status?: ProductStatus): SQL<number> {
  const where = and(sql`${productCounts.categoryId} = ${category}`, status && eq(productCounts.status, status));
  return sql<number>`(SELECT ifnull(sum(${productCounts.items}), 0) FROM ${productCounts} WHERE ${where})`;
}

/** The name of a product or an order line with the values of a variant: "Shirt (M / Blue)". */
export const nameWithValuesOf = (name: SQL, optionValues: SQL): SQL<string> =>
  sql`(${name} || iif(${optionValues} = '[]', '',
    ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(${optionValues})) || ')'))`;

/** True if a unit of a product grants a download package. Reads `products`. */
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
