import { type Address, toShownAddress } from "../../domain/address.ts";
import { conflict, fieldError } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { isSame } from "../../platform/db/merge.ts";
import type { OrderChange } from "./admin-schemas.ts";
import { editOrder } from "./move-queries.ts";
import type { OrderRow } from "./schemas.ts";
import { planCorrection } from "./shipments/plan.ts";
import { type Move, type OrderStatus, SENT } from "./transitions.ts";
import { type PlannedChange, together } from "./write-queries.ts";

/** Where the goods may still go elsewhere. */
const unsent: readonly OrderStatus[] = ["pending", "processing", "expired"];

export const canChangeAddress = ({ status }: OrderRow): boolean => unsent.includes(status);

/** Plans what a request corrects of an order's addresses and its latest shipment, apart from a move of the order. */
export function planCorrections(db: Database, order: OrderRow, sent: OrderChange, by: Move): PlannedChange {
  const edit = editOrder(db, order, correctedAddresses(order, sent), by);
  if (!sent.shipment || sent.status === SENT) return edit;
  return together(edit, planCorrection(order, latestShipment(order), sent.shipment, by));
}

const isSameAddress = (before: Address | null, sent: Address): boolean =>
  before !== null && isSame(toShownAddress(before), toShownAddress(sent));

/** The addresses that differ from those of the order. */
function correctedAddresses(order: OrderRow, { shipping_address, billing_address }: OrderChange) {
  const moves = shipping_address && !isSameAddress(order.shippingAddress, shipping_address);
  if (moves && !canChangeAddress(order)) {
    throw conflict(
      "order_sent",
      `The order is ${order.status}: its address cannot change any more`,
      fieldError("shipping_address", "order_sent", "can change until the order is sent"),
    );
  }
  const bills = billing_address && !isSameAddress(order.billingAddress, billing_address);
  return {
    ...(moves && { shippingAddress: shipping_address }),
    ...(bills && { billingAddress: billing_address }),
  };
}

function latestShipment(order: OrderRow): number {
  const latest = order.shipments.at(-1);
  if (latest) return latest.id;
  throw conflict(
    "order_not_sent",
    `The order is ${order.status} and was not sent: send the status ${SENT} too`,
    fieldError("shipment", "order_not_sent", "can be corrected once the order is sent"),
  );
}
