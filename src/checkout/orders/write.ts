import { notFound } from "../../domain/errors.ts";
import { accountScopeOf } from "../../platform/auth/account-scope.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import { requirePermission } from "../../platform/auth/caller.ts";
import type { AccountScope, Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import type { NewRefund, OrderChange } from "./admin-schemas.ts";
import { applyOrderChange } from "./apply-change.ts";
import { planCorrections } from "./correct.ts";
import { planMove } from "./move.ts";
import { findAnyOrder } from "./queries.ts";
import { type RefundRequest, refundExtent } from "./refunds/extent.ts";
import { planRefund } from "./refunds/refund.ts";
import type { OrderRow } from "./schemas.ts";
import { planCorrection, planShipment } from "./shipments/plan.ts";
import type { NewShipment, ShipmentChange } from "./shipments/request-schemas.ts";
import { together } from "./write-queries.ts";

// Administrators' changes of orders. Each is written together with its entry in the audit log.

export async function requireOrder(db: Database, id: number, scope: AccountScope): Promise<OrderRow> {
  const order = await findAnyOrder(db, id, scope);
  if (!order) throw notFound(`Order ${id}`);
  return order;
}

/** Moves an order, corrects it, or both at once: everything is written, or nothing is. */
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

/** Sends a parcel of an order. */
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

/** Corrects how a parcel was sent. */
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

/** Refunds the units that are named, an amount, or everything that is left. */
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

/** What `refundOrder` would refund of the order in its current state, in minor units. */
export const refundAmount = (order: OrderRow, sent: NewRefund): number =>
  refundExtent(order, requestedRefund(sent), sent.restock).amount;

const requestedRefund = ({ items, shipping, amount }: NewRefund): RefundRequest =>
  amount ?? { lines: items?.map(({ id: itemId, quantity }) => ({ itemId, quantity })), shipping };
