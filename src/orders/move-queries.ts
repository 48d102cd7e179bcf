import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { orders, packages, type Shipment } from "../db/schema.ts";
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

/** Whether something of the order was downloaded: then its buyer cannot cancel it any more. */
export const hasUsedDownloads = async (db: Database, id: number): Promise<boolean> =>
  (await db.$count(packages, and(eq(packages.orderId, id), gt(packages.downloadsUsed, 0)))) > 0;

/** What one statement may change, and how often a run repeats it: the next run takes the rest. */
const EXPIRED_AT_ONCE = 500;
const ROUNDS = 20;

/** Ends the orders that were not paid in time; each releases its own stock. */
export async function expireOrders(db: Database, now: number): Promise<void> {
  const due = sql`SELECT id FROM orders WHERE status = 'pending' AND expires_at <= ${now} LIMIT ${EXPIRED_AT_ONCE}`;
  for (let round = 0; round < ROUNDS; round++) {
    const expired = await db
      .update(orders)
      .set({ status: "expired", paymentUrl: null, updatedAt: now, updatedBy: "system", note: "Not paid in time" })
      .where(sql`${orders.id} IN (${due})`)
      .returning({ id: orders.id });
    if (expired.length < EXPIRED_AT_ONCE) return;
  }
}
