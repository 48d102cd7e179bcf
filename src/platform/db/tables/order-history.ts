import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, rowId } from "./columns.ts";
import { orderStatuses, orders } from "./orders.ts";

/** The moves that an order's status may make. orders/transitions.ts holds the same; a test compares the two. */
export const orderMoves = sqliteTable(
  "order_moves",
  { from: text({ enum: orderStatuses }).notNull(), to: text({ enum: orderStatuses }).notNull() },
  (table) => [primaryKey({ columns: [table.from, table.to] })],
);

/** `status` moves the order alone; the others tell of its money, of which a payment moves it too. */
export const historyKinds = [
  "status",
  "payment",
  "payment_returned",
  "refund",
  "refund_sent",
  "refund_failed",
] as const;

/** Written by triggers on orders, but for what a provider says of money that goes back. */
export const orderHistory = sqliteTable(
  "order_history",
  {
    id: rowId(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    at: integer().notNull(),
    kind: text({ enum: historyKinds }).notNull(),
    from: text({ enum: orderStatuses }),
    to: text({ enum: orderStatuses }).notNull(),
    /** Minor units that came or went back; null when no money moved. */
    amount: integer(),
    /** Of an amount that is refunded: what was paid for shipping, and tax. */
    shipping: integer(),
    tax: integer(),
    /** The currency of the amount, where it is not the order's. */
    currency: text(),
    actor: text().notNull(),
    note: text(),
  },
  (table) => [index("order_history_by_order").on(table.orderId)],
);

/** What staff tell each other of an order. Its buyer never reads them, and they go with the buyer's personal data. */
export const orderNotes = sqliteTable(
  "order_notes",
  {
    id: id(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    text: text().notNull(),
    /** "user:7" or "api_key:3". */
    author: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("order_notes_by_order").on(table.orderId, table.id)],
);
