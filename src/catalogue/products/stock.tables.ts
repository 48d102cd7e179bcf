import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { orderItems } from "../../checkout/orders/tables.ts";
import { createdAt, foreignId, id } from "../../platform/db/columns.ts";
import { products } from "./tables.ts";

/** Manual changes of stock, each with a reason: goods received, counted or lost. */
export const stockAdjustments = sqliteTable(
  "stock_adjustments",
  {
    id: id(),
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    /** Negative to remove units. A trigger updates the product's stock. */
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

/** Stock taken by a line item, from placement until release. Together with the product's stock it always adds up. */
export const stockAllocations = sqliteTable(
  "stock_allocations",
  {
    orderItemId: integer("order_item_id")
      .primaryKey()
      .references(() => orderItems.id),
    productId: foreignId("product_id", () => products.id),
    /** Units held: still in the warehouse, but not for sale. */
    quantity: integer().notNull(),
    /** Units shipped. */
    sent: integer().notNull().default(0),
    /** Refunded units that did not return to stock. */
    writtenOff: integer("written_off").notNull().default(0),
    /** Holder of unpaid units: "user:7", "guest:ada@shop.test" or "api_key:3". */
    unpaidBy: text("unpaid_by"),
    /** Hash of the network of a guest with unpaid units. */
    unpaidFrom: text("unpaid_from"),
  },
  (table) => [
    check("allocation_not_negative", sql.raw(`"quantity" >= 0 AND "written_off" >= 0`)),
    check("sent_not_negative", sql.raw(`"sent" >= 0`)),
    index("stock_allocations_by_product").on(table.productId, table.quantity),
    index("stock_allocations_unpaid")
      .on(table.productId, table.unpaidBy, table.quantity)
      .where(sql.raw("unpaid_by IS NOT NULL")),
    index("stock_allocations_unpaid_from")
      .on(table.productId, table.unpaidFrom, table.quantity)
      .where(sql.raw("unpaid_from IS NOT NULL")),
  ],
);

/** Limits of unpaid orders for the triggers: the settings of `wrangler.toml`. */
export const unpaidLimits = sqliteTable(
  "unpaid_limits",
  {
    id: integer().primaryKey(),
    /** Unpaid orders per buyer. */
    ordersWaiting: integer("orders_waiting").notNull(),
    /** Units of one product per buyer, or a percentage of its stock, whichever is more. */
    unitsHeld: integer("units_held").notNull(),
    percentHeld: integer("percent_held").notNull(),
    /** Units of all products held by an account with an unverified address. */
    unitsUnverified: integer("units_unverified").notNull().default(2),
  },
  () => [check("unpaid_limits_are_one_row", sql.raw(`"id" = 1`))],
);
