import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, rowId } from "./columns.ts";
import { orders, type TaxLine } from "./orders.ts";
import { productTypes } from "./product-lists.ts";
import { products } from "./products.ts";
import { taxClasses } from "./taxes.ts";

export const orderItems = sqliteTable(
  "order_items",
  {
    id: rowId(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    // Snapshot of the product when it was sold.
    name: text().notNull(),
    sku: text().notNull(),
    type: text({ enum: productTypes }).notNull(),
    requiresShipping: flag("requires_shipping").notNull(),
    quantity: integer().notNull(),
    unitPrice: integer("unit_price").notNull(),
    /** Units multiplied by price. */
    total: integer().notNull(),
    discount: integer().notNull().default(0),
    /** Included in prices or added to them, as the order says. */
    tax: integer().notNull().default(0),
    taxLines: text("tax_lines", { mode: "json" }).$type<TaxLine[]>().notNull().default([]),
    categoryId: integer("category_id"),
    taxClass: text("tax_class", { enum: taxClasses }).notNull().default("standard"),
    weightGrams: integer("weight_grams"),
    refundedQuantity: integer("refunded_quantity").notNull().default(0),
    /** Includes units that were refunded afterwards. */
    shippedQuantity: integer("shipped_quantity").notNull().default(0),
  },
  (table) => [
    check("line_quantity_positive", sql.raw(`"quantity" > 0`)),
    check("line_total_adds_up", sql.raw(`"total" = "unit_price" * "quantity"`)),
    check("line_discount_within_total", sql.raw(`"discount" BETWEEN 0 AND "total" AND "tax" >= 0`)),
    check("line_refund_within_quantity", sql.raw(`"refunded_quantity" BETWEEN 0 AND "quantity"`)),
    index("order_items_by_order").on(table.orderId),
    index("order_items_by_product").on(table.productId),
  ],
);

/** Refunded units of a line, written by a trigger: refunded before and after. */
export const refundLines = sqliteTable("refund_lines", {
  id: rowId(),
  orderItemId: integer("order_item_id")
    .notNull()
    .references(() => orderItems.id),
  refundedBefore: integer("refunded_before").notNull(),
  refunded: integer().notNull(),
  createdAt: createdAt(),
});
