import { eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { nextVersion, versionAfter } from "../../platform/db/precondition.ts";
import { orders } from "../../platform/db/schema.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";
import { payOrder } from "../payments/public.ts";
import type { OrderRow } from "./schemas.ts";
import { type Move, paidStatus, SENT } from "./transitions.ts";
import type { PlannedChange } from "./write-queries.ts";

/** Plans a change that only sets columns of the order. */
function planChange(
  db: Database,
  order: OrderRow,
  action: PlannedChange["action"],
  becomes: PlannedChange["becomes"],
  move: Move,
): PlannedChange {
  const { actor, now, note } = move;
  const update = db
    .update(orders)
    .set({ ...becomes, updatedAt: nextVersion(order, now), updatedBy: actor, note })
    .where(eq(orders.id, order.id));
  return { action, statements: [update.getSQL()], becomes, moves: null, note };
}

/** Ends an order that was not paid. One that was paid meanwhile violates `order_keeps_no_money_when_it_ends`. */
export const cancelUnpaid = (db: Database, order: OrderRow, move: Move) =>
  planChange(
    db,
    order,
    "cancel",
    { status: "cancelled", paymentStatus: "unpaid", paymentUrl: null, expiresAt: null },
    move,
  );

/** Marks an order as sent, or a part of it. */
export const sendOrder = (db: Database, order: OrderRow, isWhole: boolean, move: Move) =>
  planChange(
    db,
    order,
    "ship",
    isWhole ? { status: SENT, fulfillmentStatus: "fulfilled" } : { fulfillmentStatus: "partially_fulfilled" },
    move,
  );

/** Completes an order: what was not shipped was handed over. */
export const completeOrder = (db: Database, order: OrderRow, move: Move) =>
  planChange(db, order, "complete", { status: "completed", fulfillmentStatus: "fulfilled" }, move);

/** Corrects an order's addresses and leaves its status as it is. */
export const editOrder = (
  db: Database,
  order: OrderRow,
  becomes: Partial<Pick<OrderRow, "shippingAddress" | "billingAddress">>,
  move: Move,
) => planChange(db, order, "update", becomes, move);

/** Marks an order as paid by hand. The wallet pays at once, so no order that waits would charge it. */
export const markPaid = (order: OrderRow, move: Move): PlannedChange => ({
  action: "mark_paid",
  statements: [payOrder(order.number, { ...move, reference: null })],
  becomes: { status: paidStatus(order), paymentStatus: "paid" },
  moves: order.total,
  note: move.note,
});

/** How many orders one statement ends. */
const EXPIRED_AT_ONCE = 500;

/** Ends the orders that were not paid in time; each releases its own stock. */
export const expireOrders = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "expire_orders",
    id: sql`orders.id`,
    atOnce: EXPIRED_AT_ONCE,
    due: (which) => sql`
      SELECT id FROM orders WHERE status = 'pending' AND expires_at <= ${now} AND ${which} LIMIT ${EXPIRED_AT_ONCE}`,
    write: (ids) => sql`
      UPDATE orders SET status = 'expired', payment_status = 'unpaid', payment_url = NULL, updated_at = ${versionAfter(now)},
        updated_by = 'system', note = 'Not paid in time'
      WHERE id IN (${ids}) RETURNING 1`,
  });
