import { notFound } from "../../../domain/errors.ts";
import type { Database } from "../../../platform/db/client.ts";
import { merge } from "../../../platform/db/merge.ts";
import { sendOrder } from "../move-queries.ts";
import type { OrderRow } from "../schemas.ts";
import { type Move, moveRefused, openMoves, SENT } from "../transitions.ts";
import type { PlannedChange } from "../write-queries.ts";
import { insertShipment, type Tracking, updateShipment } from "./queries.ts";
import type { NewShipment, ShipmentChange } from "./request-schemas.ts";
import { afterShipment, requestedLines, unsentLines } from "./units.ts";

/** What is asked for: without lines, all that waits. */
type ShipmentRequest = Omit<NewShipment, "items"> & Partial<Pick<NewShipment, "items">>;

const toTracking = ({ carrier, tracking_number, tracking_url }: Omit<NewShipment, "items">): Tracking => ({
  carrier,
  trackingNumber: tracking_number,
  trackingUrl: tracking_url,
});

/** Plans a parcel. The order is sent once nothing waits any more. */
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

/** Plans the correction of how a parcel was sent. */
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
