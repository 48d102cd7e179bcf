import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Tables that lists without other filters than a category and a status are read from. Those of a new status or sort order
// follow from its value here.

export const productTypes = ["physical", "digital", "service", "gift_card"] as const;
export type ProductType = (typeof productTypes)[number];
export const productStatuses = ["active", "draft"] as const;
export type ProductStatus = (typeof productStatuses)[number];

export const productSortOrders = ["newest", "price", "name"] as const;
export type ProductSortOrder = (typeof productSortOrders)[number];

/** Columns of each sort order. Ids come last, so that the order is total. The newest product has the greatest id. */
export const sortColumns: Record<ProductSortOrder, readonly string[]> = {
  newest: ["id"],
  price: ["price", "id"],
  name: ["name COLLATE NOCASE", "id"],
};

/** The category that stands for the list of all products. */
export const ALL_PRODUCTS = sql.raw("0");

const place = {
  categoryId: integer("category_id").notNull(),
  status: text({ enum: productStatuses }).notNull(),
};

/**
 * The products of each list, in each sort order. A product is in the list of all, in that of its category and in those of
 * all categories above. Variants are in none. Written by triggers.
 */
export const categoryProducts = sqliteTable(
  "category_products",
  { ...place, id: integer().notNull(), name: text().notNull(), price: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.categoryId, table.status, table.id] }),
    index("category_products_by_price").on(table.categoryId, table.status, table.price, table.id),
    index("category_products_by_name").on(table.categoryId, table.status, sql`name COLLATE NOCASE`, table.id),
  ],
);

/** Number of products in each list. Written by triggers. */
export const productCounts = sqliteTable("product_counts", { ...place, items: integer().notNull() }, (table) => [
  primaryKey({ columns: [table.categoryId, table.status] }),
]);

/** Tables that are stored in the order of their primary key, so that a row is written and read once. */
export const storedByKey = [categoryProducts, productCounts];
