import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tags } from "../../accounts/users/tables.ts";
import { createdAt, foreignId, id, rowId } from "../../platform/db/columns.ts";
import { orderItems, orderStatuses, orders } from "./tables.ts";

/** Allowed changes of an order's status, from transitions.ts. */
export const orderMoves = sqliteTable(
  "order_moves",
  { from: text({ enum: orderStatuses }).notNull(), to: text({ enum: orderStatuses }).notNull() },
  (table) => [primaryKey({ columns: [table.from, table.to] })],
);

/**
 * `status` only changes the order's status, and `edit` its content. Other kinds record money, and a payment also
 * changes the status.
 */
export const historyKinds = [
  "status",
  "edit",
  "edit_charge",
  "edit_refund",
  "payment",
  "payment_returned",
  "refund",
  "refund_sent",
  "refund_failed",
  "dispute_opened",
  "dispute_closed",
] as const;

/** Written by triggers on orders, except for provider messages about refunds and disputes. */
export const orderHistory = sqliteTable(
  "order_history",
  {
    id: rowId(),
    orderId: foreignId("order_id", () => orders.id),
    at: integer().notNull(),
    kind: text({ enum: historyKinds }).notNull(),
    from: text({ enum: orderStatuses }),
    to: text({ enum: orderStatuses }).notNull(),
    /** Minor units paid or refunded. Null if no money moved. */
    amount: integer(),
    /** Parts of a refund that were paid for shipping, and as tax. */
    shipping: integer(),
    tax: integer(),
    /** Currency of the amount, if it differs from the order's. */
    currency: text(),
    actor: text().notNull(),
    note: text(),
    /** True for an edit that the buyer gets an e-mail about. */
    notify: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("order_history_by_order").on(table.orderId)],
);

/** The orders of each tag, for lists of them. Written only by a trigger, from `orders.tags`. */
export const orderTags = sqliteTable(
  "order_tags",
  {
    tagId: foreignId("tag_id", () => tags.id),
    orderId: foreignId("order_id", () => orders.id),
  },
  (table) => [primaryKey({ columns: [table.tagId, table.orderId] }), index("order_tags_by_order").on(table.orderId)],
);

/** Internal notes of staff on an order. Hidden from the buyer, and erased with the buyer's personal data. */
export const orderNotes = sqliteTable(
  "order_notes",
  {
    id: id(),
    orderId: foreignId("order_id", () => orders.id),
    text: text().notNull(),
    /** "user:7" or "api_key:3". */
    author: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("order_notes_by_order").on(table.orderId, table.id)],
);

/** Parcels of an order. They are erased with the buyer's personal data; shipped quantities stay on the lines. */
export const shipments = sqliteTable(
  "shipments",
  {
    id: id(),
    orderId: foreignId("order_id", () => orders.id),
    carrier: text().notNull(),
    trackingNumber: text("tracking_number"),
    trackingUrl: text("tracking_url"),
    shippedAt: integer("shipped_at").notNull(),
    /** "user:7" or "api_key:3". */
    shippedBy: text("shipped_by").notNull(),
  },
  (table) => [
    index("shipments_by_order").on(table.orderId),
    index("shipments_by_tracking_number")
      .on(sql`tracking_number COLLATE NOCASE`)
      .where(sql.raw("tracking_number IS NOT NULL")),
  ],
);

/** Contents of a parcel. */
export const shipmentLines = sqliteTable(
  "shipment_lines",
  {
    shipmentId: foreignId("shipment_id", () => shipments.id, { onDelete: "cascade" }),
    orderItemId: foreignId("order_item_id", () => orderItems.id),
    quantity: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shipmentId, table.orderItemId] }),
    check("shipment_quantity_positive", sql.raw(`"quantity" > 0`)),
  ],
);
