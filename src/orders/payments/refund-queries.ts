import { eq, isNull } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { orders, refunds } from "../../db/schema.ts";

/** How many refunds one run sends. */
const SENT_AT_ONCE = 20;

/** Refunds that no provider has accepted yet; those that wait longest for a try first, so that none blocks another. */
export const findRefundsToSend = (db: Database) =>
  db
    .select({
      id: refunds.id,
      orderNumber: orders.number,
      payment: refunds.payment,
      amount: refunds.amount,
      currency: orders.currency,
      method: orders.paymentMethod,
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(isNull(refunds.reference))
    .orderBy(refunds.triedAt, refunds.id)
    .limit(SENT_AT_ONCE);

export const markRefundSent = (db: Database, id: number, reference: string) =>
  db.update(refunds).set({ reference }).where(eq(refunds.id, id));

export const markRefundTried = (db: Database, id: number, now: number) =>
  db.update(refunds).set({ triedAt: now }).where(eq(refunds.id, id));
