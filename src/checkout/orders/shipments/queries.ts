import { type SQL, sql } from "drizzle-orm";
import { nextVersion } from "../../../platform/db/precondition.ts";
import type { OrderRow } from "../schemas.ts";
import { type Move, SENT } from "../transitions.ts";
import type { ShipmentLine, ShipmentRow } from "./schemas.ts";

/** How a parcel goes. */
export type Tracking = Pick<ShipmentRow, "carrier" | "trackingNumber" | "trackingUrl">;

/** The statements of a parcel. The database refuses more units than wait, and takes them out of what is held in stock. */
export const insertShipment = (
  order: OrderRow,
  { carrier, trackingNumber, trackingUrl }: Tracking,
  lines: readonly ShipmentLine[],
  { actor, now }: Move,
): SQL[] => [
  sql`INSERT INTO shipments (order_id, carrier, tracking_number, tracking_url, shipped_at, shipped_by)
    VALUES (${order.id}, ${carrier}, ${trackingNumber}, ${trackingUrl}, ${now}, ${actor})`,
  sql`INSERT INTO shipment_lines (shipment_id, order_item_id, quantity)
    SELECT (SELECT max(id) FROM shipments WHERE order_id = ${order.id}), value ->> 0, value ->> 1
    FROM json_each(${JSON.stringify(lines.map(({ itemId, quantity }) => [itemId, quantity]))})`,
];

/** The order has another version by it: whoever read the shipment's earlier state is told. */
export const updateShipment = (order: OrderRow, { id, ...tracking }: ShipmentRow, { actor, now }: Move): SQL[] => [
  sql`UPDATE shipments SET carrier = ${tracking.carrier}, tracking_number = ${tracking.trackingNumber},
    tracking_url = ${tracking.trackingUrl} WHERE id = ${id} AND order_id = ${order.id}`,
  sql`UPDATE orders SET updated_at = ${nextVersion(order, now)}, updated_by = ${actor} WHERE id = ${order.id}`,
];

/** Ends the sending of an order, of which a refund has left nothing that waits, unless nothing of it is left at all. */
export const endSending = (order: OrderRow): SQL => sql`
  UPDATE orders SET status = ${SENT}, fulfillment_status = 'fulfilled'
  WHERE id = ${order.id} AND status = 'processing' AND fulfillment_status = 'partially_fulfilled' AND NOT EXISTS (
    SELECT 1 FROM order_items
    WHERE order_id = orders.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity
  )`;
