import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { auditedKey } from "../../platform/audit/audit.ts";
import { countStoredBytes, jsonBytes } from "../../platform/auth/author-limits.ts";
import type { AuthorContext, CallerContext } from "../../platform/auth/caller.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import { isSame, merge } from "../../platform/db/statements.ts";
import type { OrderUpdate } from "./admin-schemas.ts";
import {
  applyOrderChange,
  cancelUnpaid,
  completeOrder,
  expireEarly,
  markPaid,
  type OrderStep,
  type PlannedChange,
} from "./change.ts";
import { planRefund } from "./refunds/refund.ts";
import type { OrderRow } from "./schemas.ts";
import { planShipment } from "./shipments/plan.ts";
import { hasLeft, moveRefused, type OpenMove, type OrderStatus, openMoves, paidStatus, SENT } from "./transitions.ts";

/** A requested change of an order, and the note for its history. */
export type AskedChange = OrderStep & { change: OrderUpdate };

/**
 * Plans the status change that a request asks for. Returns undefined if there is none, or if the order already has that
 * status.
 */
export function planMove(ctx: AuthorContext, asked: AskedChange): PlannedChange | undefined {
  const { order, change } = asked;
  // Beside a status, the payment that the order has is only sent back. Alone, it asks to record another one.
  const pays = change.payment_status !== undefined && (change.status === undefined || order.paymentStatus !== "paid");
  const wanted = pays ? onceMarkedPaid(order, change) : change.status;
  if (pays && isPaidLater(order)) return markPaid(ctx, asked);
  if (wanted === undefined || isReached(order, wanted, change)) return undefined;
  const to = openMoves(order).find((open) => open === wanted);
  if (!to) throw moveRefused(order, wanted);
  return plans[to](ctx, asked);
}

/** Returns true if the order already has the requested status. A different carrier means another parcel. */
function isReached(order: OrderRow, asked: OrderStatus, { shipment }: OrderUpdate): boolean {
  if (asked !== order.status || asked !== SENT || !shipment) return asked === order.status;
  const latest = order.shipments.at(-1);
  const { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl } = shipment;
  return latest !== undefined && isSame(latest, merge(latest, { carrier, trackingNumber, trackingUrl }));
}

/** Returns the status of an order after it is marked paid. A status sent in the request must match. */
function onceMarkedPaid(order: OrderRow, { status = paidStatus(order) }: OrderUpdate): OrderStatus {
  if (order.paidAt !== null) {
    throw conflict(
      "already_paid",
      "The order is already paid",
      fieldError("payment_status", "already_paid", "is already paid"),
    );
  }
  requirePaidStatus(order, status);
  return status;
}

function requirePaidStatus(order: OrderRow, asked: OrderStatus): void {
  const paid = paidStatus(order);
  if (asked === paid) return;
  const something = paid === "processing" ? "something" : "nothing";
  const words = isPaidLater(order)
    ? `stays ${paid} when it is paid`
    : `becomes ${paid} when it is paid, because ${something} has to be shipped`;
  throw conflict(
    "move_not_allowed",
    `The order ${words}`,
    fieldError("status", "move_not_allowed", words, { allowed: [paid] }),
  );
}

type Decide = (ctx: AuthorContext, asked: AskedChange) => PlannedChange;

/** Plans by target status. */
const plans: Record<OpenMove, Decide> = {
  processing(ctx, { order, note }) {
    requirePaidStatus(order, "processing");
    return markPaid(ctx, { order, note });
  },
  completed(ctx, { order, note }) {
    if (order.paidAt !== null || isPaidLater(order)) return completeOrder(ctx, { order, note });
    requirePaidStatus(order, "completed");
    return markPaid(ctx, { order, note });
  },
  [SENT](ctx, { order, note, change: { shipment } }) {
    const { carrier, tracking_number = null, tracking_url = null } = shipment ?? {};
    if (carrier === undefined) throw badRequest(fieldError("shipment.carrier", "required", "is required to ship"));
    return planShipment(ctx, { order, note, sent: { carrier, tracking_number, tracking_url } });
  },
  expired: expireEarly,
  cancelled(ctx, { order, note, change: { restock } }) {
    if (restock !== undefined && !(order.paidAt === null && hasLeft(order))) {
      const words =
        "applies to shipped units of an unpaid order. All other units of a cancelled order return to the stock";
      throw badRequest(fieldError("restock", "not_applicable", words));
    }
    return planCancellation(ctx, { order, note, restock: restock ?? false });
  },
  refunded: (ctx, { order, note, change: { restock = false } }) =>
    planRefund(ctx, { order, note, what: "all", restock, ends: "refunded" }),
};

/** Bytes that a cancelled order occupies: its rows, and about as much again in indexes. */
const bytesOf = (order: OrderRow): number => 2 * jsonBytes(order);

/** Cancels one of the caller's own orders. */
export const cancelOrder = ({ db, caller, author }: CallerContext, id: number): Promise<OrderRow> =>
  applyOrderChange(
    { db, author },
    {
      which: { id, caller },
      audit: auditedKey(caller, author),
      decide(order) {
        if (hasLeft(order)) throw moveRefused(order, "cancelled");
        const plan = planCancellation({ db, author }, { order, note: null, restock: true });
        return { ...plan, statements: [...plan.statements, ...countStoredBytes({ author }, bytesOf(order))] };
      },
    },
  );

/**
 * Plans a cancellation. A paid order is refunded in full. `restock` is about already shipped units of an unpaid order.
 */
function planCancellation(
  ctx: AuthorContext,
  { order, note, restock }: OrderStep & { restock: boolean },
): PlannedChange {
  if (!openMoves(order).includes("cancelled")) throw moveRefused(order, "cancelled");
  if (order.paidAt === null) return cancelUnpaid(ctx, { order, note, restock });
  return planRefund(ctx, { order, note, what: "all", restock: true, ends: "cancelled" });
}
