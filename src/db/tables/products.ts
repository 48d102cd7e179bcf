import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, oneOf, updatedAt } from "./columns.ts";

export const categories = sqliteTable("categories", {
  id: id(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const productTypes = ["physical", "digital", "service"] as const;
export const productStatuses = ["active", "draft"] as const;

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    sku: text().notNull().unique(),
    type: text({ enum: productTypes }).notNull(),
    status: text({ enum: productStatuses }).notNull().default("draft"),
    description: text().notNull().default(""),
    price: integer().notNull(),
    compareAtPrice: integer("compare_at_price"),
    categoryId: integer("category_id").references(() => categories.id),
    images: text({ mode: "json" }).$type<{ url: string; alt: string }[]>().notNull().default([]),
    requiresShipping: flag("requires_shipping").notNull(),
    /** Without it the product never runs out, and `stockQuantity` is null. */
    manageStock: flag("manage_stock").notNull(),
    stockQuantity: integer("stock_quantity"),
    inStock: flag("in_stock")
      .generatedAlwaysAs(sql`("manage_stock" = 0 OR "stock_quantity" > 0)`, { mode: "virtual" })
      .notNull(),
    /** What one sold unit grants when files hang on the product; null is without limit. */
    downloadLimit: integer("download_limit"),
    downloadDays: integer("download_days"),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    oneOf("product_type", "type", productTypes),
    oneOf("product_status", "status", productStatuses),
    check("price_not_negative", sql.raw(`"price" >= 0`)),
    check("stock_not_negative", sql.raw(`"stock_quantity" >= 0`)),
    check("stock_kept_when_managed", sql.raw(`("manage_stock" = 1) = ("stock_quantity" IS NOT NULL)`)),
    index("products_newest").on(table.createdAt, table.id),
    index("products_by_category").on(table.categoryId, table.createdAt, table.id),
    index("products_by_price").on(table.price, table.id),
    index("products_running_out")
      .on(table.stockQuantity, table.id)
      .where(sql.raw(`manage_stock = 1 AND status = 'active'`)),
    index("products_by_name").on(sql`name COLLATE NOCASE`, table.id),
  ],
);
