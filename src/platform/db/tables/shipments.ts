import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id } from "./columns.ts";
import { orderItems, orders } from "./orders.ts";

/** Parcels of an order. They are erased with the buyer's personal data; shipped quantities stay on the lines. */
export const shipments = sqliteTable(
  "shipments",
  {
    id: id(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    carrier: text().notNull(),
    trackingNumber: text("tracking_number"),
    trackingUrl: text("tracking_url"),
    shippedAt: integer("shipped_at").notNull(),
    /** "user:7" or "api_key:3". */
    shippedBy: text("shipped_by").notNull(),
  },
  (table) => [index("shipments_by_order").on(table.orderId)],
);

/** Contents of a parcel. */
export const shipmentLines = sqliteTable(
  "shipment_lines",
  {
    shipmentId: integer("shipment_id")
      .notNull()
      .references(() => shipments.id, { onDelete: "cascade" }),
    orderItemId: integer("order_item_id")
      .notNull()
      .references(() => orderItems.id),
    quantity: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shipmentId, table.orderItemId] }),
    check("shipment_quantity_positive", sql.raw(`"quantity" > 0`)),
  ],
);
