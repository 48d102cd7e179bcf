import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foldedNameColumn, id, isFolded, rowId, updatedAt } from "./columns.ts";
import { orders } from "./orders.ts";

export const discountKinds = ["percentage", "amount", "free_shipping", "buy_x_get_y"] as const;

/** A reduction of prices that a code asks for, or that applies by itself. */
export const discounts = sqliteTable(
  "discounts",
  {
    id: id(),
    name: text().notNull(),
    foldedName: foldedNameColumn(),
    /** What a buyer types, upper case; null for a discount that applies by itself. */
    code: text(),
    kind: text({ enum: discountKinds }).notNull(),
    /** Millionths: 100000 is 10 %. Of buy_x_get_y what the units that are got are reduced by. */
    percent: integer(),
    /** Minor units, off all that it covers together. */
    amount: integer(),
    buyQuantity: integer("buy_quantity"),
    getQuantity: integer("get_quantity"),
    /** What it covers: everything when both are empty. */
    productIds: text("product_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    categoryIds: text("category_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    /** Minor units that the order has to come to before discounts. */
    minimumSubtotal: integer("minimum_subtotal"),
    firstOrderOnly: flag("first_order_only").notNull().default(false),
    startsAt: integer("starts_at"),
    endsAt: integer("ends_at"),
    maxUses: integer("max_uses"),
    maxUsesPerCustomer: integer("max_uses_per_customer"),
    /** Orders that have it and were neither cancelled nor expired. Triggers write it. */
    uses: integer().notNull().default(0),
    /** Whether others apply to the same order. */
    combinable: flag("combinable").notNull().default(true),
    /** Lower ones apply first; what they leave is what the next reduces. */
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

/** A use of a discount by an order: released when the order is cancelled or expires. */
export const discountRedemptions = sqliteTable(
  "discount_redemptions",
  {
    id: rowId(),
    discountId: integer("discount_id")
      .notNull()
      .references(() => discounts.id),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    /** Who counts as one customer: "user:7", "guest:" and the hash of an e-mail address; null for a guest without one. */
    customer: text(),
    /** The discount's `updated_at` that the order was calculated from. */
    discountVersion: integer("discount_version").notNull(),
    /** Minor units. */
    amount: integer().notNull(),
    createdAt: createdAt(),
    releasedAt: integer("released_at"),
  },
  (table) => [
    uniqueIndex("discount_redemptions_once").on(table.orderId, table.discountId),
    index("discount_redemptions_by_customer").on(table.discountId, table.customer),
  ],
);
