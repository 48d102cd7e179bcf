import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  createdAt,
  flag,
  foldedNameColumn,
  foreignId,
  id,
  isFolded,
  rowId,
  updatedAt,
} from "../../platform/db/columns.ts";
import { orders } from "../orders/tables.ts";

export const discountKinds = ["percentage", "amount", "free_shipping", "buy_x_get_y"] as const;

/** `selected_products` are those that a discount names, which may be none. */
export const discountScopes = ["all_products", "selected_products"] as const;

/** A price reduction, by a code or automatic. */
export const discounts = sqliteTable(
  "discounts",
  {
    id: id(),
    name: text().notNull(),
    foldedName: foldedNameColumn(),
    /** Code in upper case. Null for automatic discounts. */
    code: text(),
    kind: text({ enum: discountKinds }).notNull(),
    /** Millionths: 100000 is 10 %. For buy_x_get_y, the reduction of the units to get. */
    percent: integer(),
    /** Minor units off all covered items together. */
    amount: integer(),
    buyQuantity: integer("buy_quantity"),
    getQuantity: integer("get_quantity"),
    /** Written by triggers too: a discount that names products or categories never covers others. */
    appliesTo: text("applies_to", { enum: discountScopes }).notNull().default("all_products"),
    /** Products and categories covered, unless all products are. */
    productIds: text("product_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    categoryIds: text("category_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    /** Minimum subtotal before discounts, in minor units. */
    minimumSubtotal: integer("minimum_subtotal"),
    firstOrderOnly: flag("first_order_only").notNull().default(false),
    startsAt: integer("starts_at"),
    endsAt: integer("ends_at"),
    maxUses: integer("max_uses"),
    maxUsesPerCustomer: integer("max_uses_per_customer"),
    /** Number of orders with the discount, excluding cancelled and expired ones. Written by triggers. */
    uses: integer().notNull().default(0),
    /** True if other discounts may apply to the same order. */
    combinable: flag("combinable").notNull().default(true),
    /** Lower priorities apply first; the next discount reduces the remaining amount. */
    priority: integer().notNull().default(0),
    enabled: flag("enabled").notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("discount_name_is_folded", `"name"`, "folded_name"),
    check("discount_percent_in_range", sql.raw(`"percent" BETWEEN 0 AND 1000000`)),
    check("discount_amount_positive", sql.raw(`"amount" > 0`)),
    uniqueIndex("discounts_code").on(table.code).where(sql.raw("code IS NOT NULL")),
    index("discounts_automatic").on(table.priority, table.id).where(sql.raw("code IS NULL")),
  ],
);

/** A use of a discount by an order. Released when the order is cancelled or expires. */
export const discountRedemptions = sqliteTable(
  "discount_redemptions",
  {
    id: rowId(),
    discountId: foreignId("discount_id", () => discounts.id),
    orderId: foreignId("order_id", () => orders.id),
    /**
     * Identity for limits per customer: "user:7", or "guest:" with a hash of the e-mail address. Null for guests without one.
     */
    customer: text(),
    /** The discount's `updated_at` used to calculate the order. */
    discountVersion: integer("discount_version").notNull(),
    /** In minor units. */
    amount: integer().notNull(),
    createdAt: createdAt(),
    releasedAt: integer("released_at"),
  },
  (table) => [
    uniqueIndex("discount_redemptions_once").on(table.orderId, table.discountId),
    index("discount_redemptions_by_customer").on(table.discountId, table.customer),
  ],
);
