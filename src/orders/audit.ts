import { difference, type Entry } from "../audit/entry.ts";
import { merge } from "../merge.ts";
import { toDecimal } from "../money.ts";
import type { OrderDraft } from "./draft.ts";
import type { OrderRow } from "./schemas.ts";
import type { Effect } from "./write-queries.ts";

// What the audit log keeps of orders, named as in requests. Who bought stands in the order itself.

const stateOf = (order: OrderRow) => ({
  status: order.status,
  payment_status: order.paymentStatus,
  fulfillment_status: order.fulfillmentStatus,
  refunded_total: toDecimal(order.refundedTotal),
  shipping_address: order.shippingAddress,
  shipment: order.shipment,
});

/** An order that is changed: what was, what became of it, and why. */
export function changeOf(order: OrderRow, { action, becomes, details, note }: Effect): Entry {
  const { before, after } = difference(stateOf(order), stateOf(merge(order, becomes)));
  return { action, subject: "order", before, after: { ...after, ...details, ...(note !== null && { note }) } };
}

/** An order that is placed. */
export const placingOf = ({ number, total, paymentMethod, lines }: OrderDraft): Entry => ({
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
