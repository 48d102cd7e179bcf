import { toDecimal } from "../../domain/money.ts";
import { difference, type Entry } from "../../platform/audit/audit.ts";
import { merge } from "../../platform/db/statements.ts";
import type { PricedOrder } from "./create/price-order.ts";
import type { OrderRow } from "./schemas.ts";
import { type ShipmentRow, toShipment } from "./shipments/schemas.ts";

// Order fields in the audit log, named as in requests. The buyer is omitted because the order itself names them.

/** `shipment` is the index of the shipment that the change creates or corrects. */
const auditedState = (order: OrderRow, shipment: number) => ({
  external_id: order.externalId,
  metadata: order.metadata,
  tags: order.tags,
  status: order.status,
  payment_status: order.paymentStatus,
  fulfillment_status: order.fulfillmentStatus,
  refunded_total: toDecimal(order.refundedTotal),
  total: toDecimal(order.total),
  items: auditedItems(order.items),
  // Apart from the items, because an erasure removes it.
  item_metadata: order.items.map(({ metadata }) => metadata),
  shipping_method: order.shippingMethod?.name ?? null,
  discounts: order.discounts.map(({ name, amount }) => ({ name, amount: toDecimal(amount) })),
  tax_exempt_reason: order.taxExemptReason,
  shipping_address: order.shippingAddress,
  billing_address: order.billingAddress,
  shipment: auditedShipment(order.shipments[shipment]),
});

const auditedShipment = (shipment: ShipmentRow | undefined) => {
  if (!shipment) return null;
  const { carrier, tracking_number, tracking_url, items } = toShipment(shipment);
  return { carrier, tracking_number, tracking_url, items };
};

/** An order change as the audit log records it: its action, the columns it sets, and details beyond the order's own state. */
export type AuditedChange = {
  action: "update" | "edit" | "mark_paid" | "ship" | "complete" | "cancel" | "expire" | "refund" | "invoice";
  becomes: Partial<OrderRow>;
  note: string | null;
  details?: Record<string, unknown>;
};

/** Builds the audit entry of a changed order: its state before and after, and the note. */
export function changeEntry(order: OrderRow, { action, becomes, details, note }: AuditedChange): Entry {
  const shipment = becomes.shipments?.findIndex((each, place) => each !== order.shipments[place]) ?? -1;
  const { before, after } = difference(auditedState(order, shipment), auditedState(merge(order, becomes), shipment));
  return {
    action,
    subject: "order",
    id: order.id,
    before,
    after: { ...after, ...details, ...(note !== null && { note }) },
  };
}

type AuditedItem = { productId: number; quantity: number; unitPrice: number; listPrice?: number | null | undefined };

const auditedItems = (items: readonly AuditedItem[]) =>
  items.map(({ productId, quantity, unitPrice, listPrice = null }) => ({
    product_id: productId,
    quantity,
    price: toDecimal(unitPrice),
    ...(listPrice !== null && { list_price: toDecimal(listPrice) }),
  }));

export const placementEntry = ({ reference, total, paymentMethod, lines }: PricedOrder): Omit<Entry, "id"> => ({
  action: "create",
  subject: "order",
  after: {
    reference,
    total: toDecimal(total),
    payment_method: paymentMethod,
    items: auditedItems(lines),
  },
});
