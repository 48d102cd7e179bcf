import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import type { Database } from "../../../platform/db/client.ts";
import { merge, nextVersion } from "../../../platform/db/precondition.ts";
import { type PlannedChange, sendOrder } from "../change.ts";
import type { OrderRow } from "../schemas.ts";
import { type Move, moveRefused, openMoves, SENT } from "../transitions.ts";
import type { NewShipment, ShipmentChange, ShipmentLine, ShipmentRow } from "./schemas.ts";
import { afterShipment, requestedLines, unsentLines } from "./units.ts";

/** The requested shipment. Without lines, everything unshipped. */
type ShipmentRequest = Omit<NewShipment, "items"> & Partial<Pick<NewShipment, "items">>;

const toTracking = ({ carrier, tracking_number, tracking_url }: Omit<NewShipment, "items">): Tracking => ({
  carrier,
  trackingNumber: tracking_number,
  trackingUrl: tracking_url,
});

/** Plans a shipment. The order becomes shipped once nothing is left to ship. */
export function planShipment(db: Database, order: OrderRow, sent: ShipmentRequest, by: Move): PlannedChange {
  if (!openMoves(order).includes(SENT)) throw moveRefused(order, SENT);
  const lines = requestedLines(order.items, sent);
  const tracking = toTracking(sent);
  const items = afterShipment(order.items, lines);
  const isWhole = unsentLines(items).length === 0;
  const shipment = { id: 0, ...tracking, shippedAt: by.now, shippedBy: by.actor, items: lines };
  const moved = sendOrder(db, order, isWhole, by);
  return {
    ...moved,
    statements: [...insertShipment(order, tracking, lines, by), ...moved.statements],
    becomes: { ...moved.becomes, items, shipments: [...order.shipments, shipment] },
  };
}

/** Plans a correction of a shipment's carrier and tracking. */
export function planCorrection(order: OrderRow, id: number, sent: ShipmentChange, by: Move): PlannedChange {
  const shipment = order.shipments.find((each) => each.id === id);
  if (!shipment) throw notFound(`Shipment ${id}`);
  const { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl } = sent;
  const corrected = merge(shipment, { carrier, trackingNumber, trackingUrl });
  return {
    action: "update",
    statements: updateShipment(order, corrected, by),
    becomes: { shipments: order.shipments.map((each) => (each === shipment ? corrected : each)) },
    moves: null,
    note: by.note,
  };
}

/** Carrier and tracking of a parcel. */
type Tracking = Pick<ShipmentRow, "carrier" | "trackingNumber" | "trackingUrl">;

/** Statements of a shipment. The database refuses more units than are unshipped, and takes them out of the held stock. */
const insertShipment = (
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

/** Gives the order a new version, so that a client that read the shipment's earlier state is refused. */
const updateShipment = (order: OrderRow, { id, ...tracking }: ShipmentRow, { actor, now }: Move): SQL[] => [
  sql`UPDATE shipments SET carrier = ${tracking.carrier}, tracking_number = ${tracking.trackingNumber},
    tracking_url = ${tracking.trackingUrl} WHERE id = ${id} AND order_id = ${order.id}`,
  sql`UPDATE orders SET updated_at = ${nextVersion(order, now)}, updated_by = ${actor} WHERE id = ${order.id}`,
];

/** Marks an order as fully shipped if a refund has left nothing to ship, unless every unit was refunded. */
export const endSending = (order: OrderRow): SQL => sql`
  UPDATE orders SET status = ${SENT}, fulfillment_status = 'fulfilled'
  WHERE id = ${order.id} AND status = 'processing' AND fulfillment_status = 'partially_fulfilled' AND NOT EXISTS (
    SELECT 1 FROM order_items
    WHERE order_id = orders.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity
  )`;
