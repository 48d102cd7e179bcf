import { type Address, toShownAddress } from "../../domain/address.ts";
import { conflict, fieldError, notFound } from "../../domain/errors.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type ApiKeyCaller, accountScopeOf, requirePermission, type UserCaller } from "../../platform/auth/caller.ts";
import type { AccountScope, Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { isSame } from "../../platform/db/precondition.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import type { NewRefund, OrderChange } from "./admin-schemas.ts";
import { applyOrderChange, editOrder, type PlannedChange, together } from "./change.ts";
import { planMove } from "./move.ts";
import { findAnyOrder } from "./orders.ts";
import { type RefundRequest, refundExtent } from "./refunds/extent.ts";
import { planRefund } from "./refunds/refund.ts";
import type { OrderRow } from "./schemas.ts";
import { planCorrection, planShipment } from "./shipments/plan.ts";
import type { NewShipment, ShipmentChange } from "./shipments/schemas.ts";
import { type Move, type OrderStatus, SENT } from "./transitions.ts";

// Changes to orders by administrators. Each is written together with its audit log entry.

export async function requireOrder(db: Database, id: number, scope: AccountScope): Promise<OrderRow> {
  const order = await findAnyOrder(db, id, scope);
  if (!order) throw notFound(`Order ${id}`);
  return order;
}

/** Changes an order's status, corrects it, or both, all or nothing. */
export async function changeOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  id: number,
  sent: OrderChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  const target = { id, scope: accountScopeOf(caller) };
  return applyOrderChange(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    const by = { actor, now, note: sent.note ?? null };
    const move = planMove(db, order, sent, by);
    if (move && move.moves !== null) requirePermission(caller, "payments:write");
    const corrections = planCorrections(db, order, sent, by);
    return move ? together(corrections, move) : corrections;
  });
}

export function shipOrder(
  db: Database,
  target: Target,
  sent: NewShipment,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  return applyOrderChange(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    return planShipment(db, order, sent, { actor, now, note: null });
  });
}

/** Corrects a shipment's carrier and tracking. */
export function changeShipment(
  db: Database,
  target: Target & { shipment: number },
  sent: ShipmentChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  return applyOrderChange(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    return planCorrection(order, target.shipment, sent, { actor, now, note: null });
  });
}

/** Refunds the named units, an amount, or everything left. */
export function refundOrder(
  db: Database,
  target: Target,
  sent: NewRefund,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  return applyOrderChange(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    const { restock, note = null } = sent;
    return planRefund(order, { what: requestedRefund(sent), restock, ends: "refunded", actor, now, note });
  });
}

/** Amount that `refundOrder` would refund for the order in its current state, in minor units. */
export const refundAmount = (order: OrderRow, sent: NewRefund): number =>
  refundExtent(order, requestedRefund(sent), sent.restock).amount;

const requestedRefund = ({ items, shipping, amount }: NewRefund): RefundRequest =>
  amount ?? { lines: items?.map(({ id: itemId, quantity }) => ({ itemId, quantity })), shipping };

/** Statuses in which the goods can still be redirected. */
const unsent: readonly OrderStatus[] = ["pending", "processing", "expired"];

export const canChangeAddress = ({ status }: OrderRow): boolean => unsent.includes(status);

/** Plans a request's corrections of an order's addresses and latest shipment, except for a change of status. */
function planCorrections(db: Database, order: OrderRow, sent: OrderChange, by: Move): PlannedChange {
  const edit = editOrder(db, order, correctedAddresses(order, sent), by);
  if (!sent.shipment || sent.status === SENT) return edit;
  return together(edit, planCorrection(order, latestShipment(order), sent.shipment, by));
}

const isSameAddress = (before: Address | null, sent: Address): boolean =>
  before !== null && isSame(toShownAddress(before), toShownAddress(sent));

/** Returns the addresses that differ from those of the order. */
function correctedAddresses(order: OrderRow, { shipping_address, billing_address }: OrderChange) {
  const moves = shipping_address && !isSameAddress(order.shippingAddress, shipping_address);
  if (moves && !canChangeAddress(order)) {
    throw conflict(
      "order_sent",
      `The order is ${order.status}. Its address can no longer change`,
      fieldError("shipping_address", "order_sent", "can only change before the order is sent"),
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
    `The order is ${order.status} and has not been sent. Send the status ${SENT} too`,
    fieldError("shipment", "order_not_sent", "can only be corrected after the order is sent"),
  );
}
