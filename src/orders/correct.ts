import { merge } from "../db/merge.ts";
import { conflict, fieldError } from "../errors.ts";
import type { OrderChange } from "./admin-schemas.ts";
import type { OrderRow } from "./schemas.ts";
import { type OrderStatus, SENT } from "./transitions.ts";

/** Where the goods may still go elsewhere. */
const unsent: readonly OrderStatus[] = ["pending", "processing", "expired"];

export const canChangeAddress = ({ status }: OrderRow): boolean => unsent.includes(status);

/** The addresses and the shipment that a request corrects, apart from a move of the order. */
export function correctedFields(order: OrderRow, { status, shipping_address, billing_address, shipment }: OrderChange) {
  if (shipping_address && !canChangeAddress(order)) {
    throw conflict(
      "order_sent",
      `The order is ${order.status}: its address cannot change any more`,
      fieldError("shipping_address", "order_sent", "can change until the order is sent"),
    );
  }
  return {
    ...(shipping_address && { shippingAddress: shipping_address }),
    ...(billing_address && { billingAddress: billing_address }),
    ...(shipment && status !== SENT && { shipment: correctedShipment(order, shipment) }),
  };
}

function correctedShipment(order: OrderRow, shipment: NonNullable<OrderChange["shipment"]>) {
  if (order.shipment) return merge(order.shipment, shipment);
  throw conflict(
    "order_not_sent",
    `The order is ${order.status} and was not sent: send the status ${SENT} too`,
    fieldError("shipment", "order_not_sent", "can be corrected once the order is sent"),
  );
}
