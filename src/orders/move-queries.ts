import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { orders, type Shipment } from "../db/schema.ts";
import type { Claim } from "../idempotency/claim.ts";
import { keepAnswer } from "../idempotency/queries.ts";
import { orderSnapshot } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";
import { writeOrder } from "./write-queries.ts";

/** Who moves an order, and when. */
export type Move = { actor: string; now: number };

/** Ends an order that was not paid. One that was paid meanwhile violates `order_keeps_no_money_when_it_ends`. */
export const cancelUnpaid = (db: Database, order: OrderRow, { actor, now }: Move, claim: Claim | undefined) =>
  writeOrder(db, order.number, [
    sql`UPDATE orders SET status = 'cancelled', payment_url = NULL, expires_at = NULL, updated_at = ${now},
      updated_by = ${actor}, note = NULL WHERE id = ${order.id}`,
    ...(claim ? keepAnswer(claim, orderSnapshot(order.number), now) : []),
  ]);

/** Sends an order off. */
export const shipOrder = (db: Database, order: OrderRow, { actor, now }: Move, shipment: Shipment) =>
  writeOrder(db, order.number, [
    sql`UPDATE orders SET status = 'shipped', fulfillment_status = 'fulfilled', shipment = ${JSON.stringify(shipment)},
      updated_at = ${now}, updated_by = ${actor}, note = NULL WHERE id = ${order.id}`,
  ]);

/** How many orders one run of the schedule ends: the next run takes the rest. */
const EXPIRED_AT_ONCE = 500;

/** Ends the orders that were not paid in time; each releases its own stock. Answers how many there were. */
export async function expireOrders(db: Database, now: number): Promise<number> {
  const due = sql`SELECT id FROM orders WHERE status = 'pending' AND expires_at <= ${now} LIMIT ${EXPIRED_AT_ONCE}`;
  const expired = await db
    .update(orders)
    .set({ status: "expired", paymentUrl: null, updatedAt: now, updatedBy: "system", note: "Not paid in time" })
    .where(sql`${orders.id} IN (${due})`)
    .returning({ id: orders.id });
  return expired.length;
}
