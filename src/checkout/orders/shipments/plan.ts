import { and, eq, type SQL, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { orderItems, orders, shipmentLines, shipments } from "../../../platform/db/schema.ts";
import { insertSelected, merge, nextVersion } from "../../../platform/db/statements.ts";
import { type OrderStep, type PlannedChange, sendOrder } from "../change.ts";
import type { OrderRow } from "../schemas.ts";
import { moveRefused, openMoves, SENT } from "../transitions.ts";
import { trackingPageOf } from "./carriers.ts";
import type { ShipmentCreate, ShipmentRow, ShipmentUpdate } from "./schemas.ts";
import { afterShipment, requestedLines, unsentLines } from "./units.ts";

/** The requested shipment. Without lines, everything unshipped. */
type ShipmentRequest = Omit<ShipmentCreate, "items"> & Partial<Pick<ShipmentCreate, "items">>;

/** Plans a shipment. The order becomes shipped once nothing is left to ship. */
export function planShipment(
  ctx: AuthorContext,
  { order, sent, note }: OrderStep & { sent: ShipmentRequest },
): PlannedChange {
  const { actor, now } = ctx.author;
  if (!openMoves(order).includes(SENT)) throw moveRefused(order, SENT);
  const lines = requestedLines(order.items, sent);
  const { carrier, tracking_number: trackingNumber } = sent;
  const trackingUrl = sent.tracking_url ?? trackingPageOf({ carrier, trackingNumber });
  const items = afterShipment(order.items, lines);
  const isWhole = unsentLines(items).length === 0;
  const shipment = { id: 0, carrier, trackingNumber, trackingUrl, shippedAt: now, shippedBy: actor, items: lines };
  const moved = sendOrder(ctx, { order, isWhole, note });
  return {
    ...moved,
    statements: [...insertShipment(ctx, { order, shipment }), ...moved.statements],
    becomes: { ...moved.becomes, items, shipments: [...order.shipments, shipment] },
  };
}

/** Plans a correction of a shipment's carrier and tracking. */
export function planCorrection(
  ctx: AuthorContext,
  { order, note, shipment: id, change }: OrderStep & { shipment: number; change: ShipmentUpdate },
): PlannedChange {
  const shipment = order.shipments.find((each) => each.id === id);
  if (!shipment) throw notFound(`Shipment ${id}`);
  const { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl } = change;
  const corrected = merge(shipment, { carrier, trackingNumber, trackingUrl });
  // A link that was made from the number follows it.
  const isMade = shipment.trackingUrl === null || shipment.trackingUrl === trackingPageOf(shipment);
  if (trackingUrl === undefined && isMade) corrected.trackingUrl = trackingPageOf(corrected);
  return {
    action: "update",
    statements: updateShipment(ctx, { order, shipment: corrected }),
    becomes: { shipments: order.shipments.map((each) => (each === shipment ? corrected : each)) },
    moves: null,
    note,
  };
}

/** A parcel of an order. */
type OrderShipment = { order: OrderRow; shipment: ShipmentRow };

/** Statements of a shipment. The database refuses more units than are unshipped, and takes them out of the held stock. */
const insertShipment = (
  { db }: Pick<WriteContext, "db">,
  { order, shipment: { id: _, items, ...shipment } }: OrderShipment,
): SQL[] => [
  db
    .insert(shipments)
    .values({ orderId: order.id, ...shipment })
    .getSQL(),
  insertSelected(
    shipmentLines,
    {
      shipmentId: sql`(SELECT max(${shipments.id}) FROM ${shipments} WHERE ${shipments.orderId} = ${order.id})`,
      orderItemId: sql`value ->> 0`,
      quantity: sql`value ->> 1`,
    },
    sql`FROM json_each(${JSON.stringify(items.map(({ itemId, quantity }) => [itemId, quantity]))})`,
  ),
];

/** Gives the order a new version, so that a client that read the shipment's earlier state is refused. */
const updateShipment = (
  { db, author: { actor, now } }: AuthorContext,
  { order, shipment: { id, carrier, trackingNumber, trackingUrl } }: OrderShipment,
): SQL[] => [
  db
    .update(shipments)
    .set({ carrier, trackingNumber, trackingUrl })
    .where(and(eq(shipments.id, id), eq(shipments.orderId, order.id)))
    .getSQL(),
  db
    .update(orders)
    .set({ updatedAt: nextVersion(order, now), updatedBy: actor })
    .where(eq(orders.id, order.id))
    .getSQL(),
];

/** Marks an order as fully shipped if a refund has left nothing to ship, unless every unit was refunded. */
export const endSending = ({ db }: Pick<WriteContext, "db">, order: OrderRow): SQL =>
  db
    .update(orders)
    .set({ status: SENT, fulfillmentStatus: "fulfilled" })
    .where(
      and(
        eq(orders.id, order.id),
        eq(orders.status, "processing"),
        eq(orders.fulfillmentStatus, "partially_fulfilled"),
        sql`NOT EXISTS (SELECT 1 FROM ${orderItems} WHERE ${orderItems.orderId} = ${orders.id} AND ${orderItems.requiresShipping}
          AND ${orderItems.shippedQuantity} < ${orderItems.quantity} - ${orderItems.refundedQuantity})`,
      ),
    )
    .getSQL();
