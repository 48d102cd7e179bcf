import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { orderItems } from "./order-items.ts";
import { products } from "./products.ts";

/** Goods that came in, were counted or got lost: what people change of the stock, each time with a reason. */
export const stockAdjustments = sqliteTable(
  "stock_adjustments",
  {
    id: id(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    /** Negative takes away. The product's stock moves with it, by a trigger. */
    delta: integer().notNull(),
    reason: text().notNull(),
    /** "user:7" or "api_key:3". */
    actor: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("adjustment_changes_something", sql.raw(`"delta" <> 0`)),
    index("stock_adjustments_by_product").on(table.productId, table.id),
  ],
);

/** Stock that a line took, from the moment it is ordered until it is released: with the product's own it always adds up. */
export const stockAllocations = sqliteTable(
  "stock_allocations",
  {
    orderItemId: integer("order_item_id")
      .primaryKey()
      .references(() => orderItems.id),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    /** Units that are held: they lie there still, and cannot be sold. */
    quantity: integer().notNull(),
    /** Units that left with the order. */
    sent: integer().notNull().default(0),
    /** Units that were refunded and did not come back to the stock. */
    writtenOff: integer("written_off").notNull().default(0),
    /** Who holds them unpaid: "user:7", "guest:ada@shop.test" or "api_key:3". */
    unpaidBy: text("unpaid_by"),
  },
  (table) => [
    check("allocation_not_negative", sql.raw(`"quantity" >= 0 AND "written_off" >= 0`)),
    check("sent_not_negative", sql.raw(`"sent" >= 0`)),
    index("stock_allocations_by_product").on(table.productId, table.quantity),
    index("stock_allocations_unpaid")
      .on(table.productId, table.unpaidBy, table.quantity)
      .where(sql.raw("unpaid_by IS NOT NULL")),
  ],
);

/** What orders may hold that are not paid, for the triggers that refuse more: the settings of `wrangler.toml`. */
export const unpaidLimits = sqliteTable(
  "unpaid_limits",
  {
    id: integer().primaryKey(),
    /** Orders of one buyer. */
    ordersWaiting: integer("orders_waiting").notNull(),
    /** Units of one product that one buyer holds, or the share of its stock in percent, whichever is more. */
    unitsHeld: integer("units_held").notNull(),
    percentHeld: integer("percent_held").notNull(),
    /** Units of all products together that an account holds whose address is not verified. */
    unitsUnverified: integer("units_unverified").notNull().default(2),
  },
  () => [check("unpaid_limits_are_one_row", sql.raw(`"id" = 1`))],
);
