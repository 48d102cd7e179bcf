import { toDecimal } from "../../domain/money.ts";
import { difference, type Entry } from "../../platform/audit/entry.ts";
import { merge } from "../../platform/db/merge.ts";
import type { PricedOrder } from "./checkout/price-order.ts";
import type { OrderRow } from "./schemas.ts";
import { type ShipmentRow, toShipment } from "./shipments/schemas.ts";

// The fields of orders in the audit log, named as in requests. The buyer is in the order itself.

/** `shipment` is the place of the one that the change makes or corrects. */
const auditedState = (order: OrderRow, shipment: number) => ({
  status: order.status,
  payment_status: order.paymentStatus,
  fulfillment_status: order.fulfillmentStatus,
  refunded_total: toDecimal(order.refundedTotal),
  shipping_address: order.shippingAddress,
  billing_address: order.billingAddress,
  shipment: auditedShipment(order.shipments[shipment]),
});

const auditedShipment = (shipment: ShipmentRow | undefined) => {
  if (!shipment) return null;
  const { carrier, tracking_number, tracking_url, items } = toShipment(shipment);
  return { carrier, tracking_number, tracking_url, items };
};

/** What the audit log tells of a change: what it is, the columns that it sets, and details beside the order's own state. */
export type AuditedChange = {
  action: "update" | "mark_paid" | "ship" | "complete" | "cancel" | "refund";
  becomes: Partial<OrderRow>;
  note: string | null;
  details?: Record<string, unknown>;
};

/** The audit entry of a changed order: its state before and after, and the note. */
export function changeEntry(order: OrderRow, { action, becomes, details, note }: AuditedChange): Entry {
  const shipment = becomes.shipments?.findIndex((each, place) => each !== order.shipments[place]) ?? -1;
  const { before, after } = difference(auditedState(order, shipment), auditedState(merge(order, becomes), shipment));
  return { action, subject: "order", before, after: { ...after, ...details, ...(note !== null && { note }) } };
}

/** The audit entry of a placed order. */
export const placementEntry = ({ number, total, paymentMethod, lines }: PricedOrder): Entry => ({
  action: "create",
  subject: "order",
  before: null,
  after: {
    number,
    total: toDecimal(total),
    payment_method: paymentMethod,
    items: lines.map(({ productId, quantity, unitPrice }) => ({
      product_id: productId,
      quantity,
      price: toDecimal(unitPrice),
    })),
  },
});
