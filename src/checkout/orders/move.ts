import { sql } from "drizzle-orm";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { auditedKey } from "../../platform/audit/entry.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { isSame, merge } from "../../platform/db/precondition.ts";
import { countStoredBytes } from "../../platform/storage-limit/storage-limit.ts";
import type { OrderChange } from "./admin-schemas.ts";
import { applyOrderChange, cancelUnpaid, completeOrder, markPaid, type PlannedChange } from "./change.ts";
import { planRefund } from "./refunds/refund.ts";
import type { OrderRow } from "./schemas.ts";
import { planShipment } from "./shipments/plan.ts";
import { type Move, moveRefused, type OpenMove, type OrderStatus, openMoves, paidStatus, SENT } from "./transitions.ts";

/**
 * Plans the status change that a request asks for. Returns undefined if there is none, or if the order already has that
 * status.
 */
export function planMove(db: Database, order: OrderRow, sent: OrderChange, by: Move): PlannedChange | undefined {
  const asked = sent.payment_status ? onceMarkedPaid(order, sent) : sent.status;
  if (asked === undefined || isReached(order, asked, sent)) return undefined;
  const to = openMoves(order).find((open) => open === asked);
  if (!to) throw moveRefused(order, asked);
  return plans[to](db, order, sent, by);
}

/** Returns true if the order already has the requested status. A different carrier means another parcel. */
function isReached(order: OrderRow, asked: OrderStatus, { shipment }: OrderChange): boolean {
  if (asked !== order.status || asked !== SENT || !shipment) return asked === order.status;
  const latest = order.shipments.at(-1);
  const { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl } = shipment;
  return latest !== undefined && isSame(latest, merge(latest, { carrier, trackingNumber, trackingUrl }));
}

/** Returns the status of an order after it is marked paid. A status sent in the request must match. */
function onceMarkedPaid(order: OrderRow, { status = paidStatus(order) }: OrderChange): OrderStatus {
  if (order.paidAt !== null) {
    throw conflict(
      "already_paid",
      "The order is already paid",
      fieldError("payment_status", "already_paid", "is paid already"),
    );
  }
  requirePaidStatus(order, status);
  return status;
}

function requirePaidStatus(order: OrderRow, asked: OrderStatus): void {
  const paid = paidStatus(order);
  if (asked === paid) return;
  const something = paid === "processing" ? "something" : "nothing";
  const words = `becomes ${paid} when it is paid, because ${something} of it has to be sent`;
  throw conflict(
    "move_not_allowed",
    `The order ${words}`,
    fieldError("status", "move_not_allowed", words, { allowed: [paid] }),
  );
}

type Decide = (db: Database, order: OrderRow, sent: OrderChange, by: Move) => PlannedChange;

/** Plans by target status. */
const plans: Record<OpenMove, Decide> = {
  processing(_, order, _sent, by) {
    requirePaidStatus(order, "processing");
    return markPaid(order, by);
  },
  completed(db, order, _, by) {
    if (order.paidAt !== null) return completeOrder(db, order, by);
    requirePaidStatus(order, "completed");
    return markPaid(order, by);
  },
  [SENT](db, order, { shipment: { carrier, tracking_number = null, tracking_url = null } = {} }, by) {
    if (carrier === undefined) throw badRequest(fieldError("shipment.carrier", "required", "is required to ship"));
    return planShipment(db, order, { carrier, tracking_number, tracking_url }, by);
  },
  cancelled: (db, order, _, by) => planCancellation(db, order, by),
  refunded: (_, order, { restock = false }, by) => planRefund(order, { ...by, what: "all", restock, ends: "refunded" }),
};

/** Bytes that a cancelled order occupies: its rows, and about as much again in indexes. */
const bytesOf = (order: OrderRow) => sql`${2 * JSON.stringify(order).length}`;

/** Cancels one of the caller's own orders. */
export function cancelOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  author: Author,
  id: number,
): Promise<OrderRow> {
  const { actor, now } = author;
  const changeAuthor = { author, audit: auditedKey(caller, author) };
  return applyOrderChange(db, { id, caller }, changeAuthor, (order) => {
    const plan = planCancellation(db, order, { actor, now, note: null });
    return { ...plan, statements: [...plan.statements, ...countStoredBytes(author, bytesOf(order))] };
  });
}

/** Plans the cancellation of an order that has not been shipped. A paid order is refunded in full. */
function planCancellation(db: Database, order: OrderRow, move: Move): PlannedChange {
  if (order.status === "pending") return cancelUnpaid(db, order, move);
  if (!openMoves(order).includes("cancelled")) throw moveRefused(order, "cancelled");
  return planRefund(order, { ...move, what: "all", restock: true, ends: "cancelled" });
}
