import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foreignId, rowId, updatedAt } from "../../../platform/db/columns.ts";
import { orderHistory } from "../order-history.tables.ts";
import { orderItems, orders } from "../tables.ts";

export const returnStatuses = ["requested", "approved", "in_transit", "received", "settled", "declined"] as const;

/** The party that asked for a return. A withdrawal is declared under consumer law, and needs no reason. */
export const returnRequesters = ["customer", "withdrawal", "staff"] as const;

/** A declaration of withdrawal as its author wrote it. `items` is null for the whole order. */
export type Withdrawal = { name: string; email: string; items: string | null };

/** Goods that come back. Personal data is erased with the buyer's. */
export const returns = sqliteTable(
  "returns",
  {
    id: rowId(),
    orderId: foreignId("order_id", () => orders.id),
    status: text({ enum: returnStatuses }).notNull(),
    requestedBy: text("requested_by", { enum: returnRequesters }).notNull(),
    reason: text(),
    /** Null unless it was requested by a withdrawal, or once it was erased. */
    withdrawal: text({ mode: "json" }).$type<Withdrawal>(),
    /** True for a withdrawal after its period. */
    late: flag("late").notNull().default(false),
    declineReason: text("decline_reason"),
    /** Where and how to send the goods. */
    instructions: text(),
    labelUrl: text("label_url"),
    carrier: text(),
    trackingNumber: text("tracking_number"),
    trackingUrl: text("tracking_url"),
    /** The refund that settled it, written by a trigger. */
    refundId: integer("refund_id").references(() => orderHistory.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("return_declined_with_reason", sql.raw(`"status" <> 'declined' OR "decline_reason" IS NOT NULL`)),
    index("returns_by_order").on(table.orderId),
    index("returns_by_status").on(table.status, table.id),
    index("returns_by_refund").on(table.refundId).where(sql.raw("refund_id IS NOT NULL")),
  ],
);

/** Units of a return. Those that arrived are intact or damaged; both are null until then. */
export const returnLines = sqliteTable(
  "return_lines",
  {
    returnId: foreignId("return_id", () => returns.id),
    orderItemId: foreignId("order_item_id", () => orderItems.id),
    quantity: integer().notNull(),
    intact: integer(),
    damaged: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.returnId, table.orderItemId] }),
    check("return_quantity_positive", sql.raw(`"quantity" > 0`)),
    check(
      "return_received_within_quantity",
      sql.raw(
        `"intact" IS NULL AND "damaged" IS NULL OR "intact" >= 0 AND "damaged" >= 0 AND "intact" + "damaged" <= "quantity"`,
      ),
    ),
    index("return_lines_by_item").on(table.orderItemId),
  ],
);
