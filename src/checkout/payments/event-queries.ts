import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ProviderName } from "../../domain/payment-methods.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { versionAfter } from "../../platform/db/precondition.ts";
import { orders, paymentEvents } from "../../platform/db/schema.ts";
import { isViolation, violates } from "../../platform/db/violation.ts";
import { payOrder } from "./pay-queries.ts";
import { type DueOrder, type Payment, type PaymentEvent, recordedIdOf } from "./provider.ts";

/** What came, together with who sent it, by which request and when. */
export type Received<Event extends PaymentEvent> = Event & { provider: ProviderName; requestId: string; now: number };

export type ReceivedEvent = Received<PaymentEvent>;

/** "done", or why not: the event came before, or the order can no longer be paid. */
type WriteOutcome = "done" | "known" | "refused";

export const findDueOrder = (db: Database, number: string): Promise<DueOrder | undefined> =>
  db
    .select({ number: orders.number, total: orders.total, currency: orders.currency })
    .from(orders)
    .where(eq(orders.number, number))
    .get();

/** Whether an event was handled, by the id that it is recorded under. */
export const isHandled = async (db: Database, provider: ProviderName, id: string): Promise<boolean> =>
  (await db.$count(paymentEvents, and(eq(paymentEvents.provider, provider), eq(paymentEvents.eventId, id)))) > 0;

/** Records a payment or a failure: each is handled once. */
const recordEvent = (payment: Received<Payment>): SQL => sql`
  INSERT INTO payment_events (provider, event_id, order_id, created_at)
  VALUES (${payment.provider}, ${recordedIdOf(payment)}, (SELECT id FROM orders WHERE number = ${payment.order.number}), ${payment.now})`;

async function writeEvent(db: Database, payment: Received<Payment>, writes: SQL[]): Promise<WriteOutcome> {
  try {
    await db.batch([statement(db, recordEvent(payment)), ...writes.map((write) => statement(db, write))]);
    return "done";
  } catch (error) {
    if (violates(error, "payment_events.")) return "known";
    if (isViolation(error)) return "refused";
    throw error;
  }
}

/** Pays the order with the money that came. */
export const acceptPayment = (db: Database, payment: Received<Payment>) =>
  writeEvent(db, payment, [
    payOrder(payment.order.number, {
      actor: payment.provider,
      now: payment.now,
      note: null,
      reference: payment.reference,
    }),
  ]);

/** Notes that a payment did not go through; the buyer may try again until the order expires. */
export const noteFailure = (db: Database, payment: Received<Payment>) =>
  writeEvent(db, payment, [
    sql`UPDATE orders SET payment_status = 'failed', updated_at = ${versionAfter(payment.now)}, updated_by = ${payment.provider}
      WHERE number = ${payment.order.number} AND status = 'pending'`,
  ]);

/** Sends money back that the order does not keep: it is charged and refunded in one go, and the order stays as it is. */
export const returnPayment = (db: Database, payment: Received<Payment>, why: string) => {
  const { order, amount, reference, provider, now } = payment;
  const currency = payment.currency === order.currency ? null : payment.currency;
  const ofOrder = sql`FROM orders WHERE number = ${order.number}`;
  const entry = (kind: "charge" | "refund", value: number) => sql`
    INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, currency, note, created_at)
    SELECT user_id, api_key_id, id, ${kind}, payment_method, ${value}, ${currency}, ${why}, ${now} ${ofOrder}`;
  return writeEvent(db, payment, [
    entry("charge", -amount),
    entry("refund", amount),
    sql`INSERT INTO refunds (order_id, payment, amount, currency, created_at)
      SELECT id, ${reference}, ${amount}, ${currency}, ${now} ${ofOrder}`,
    sql`INSERT INTO order_history (order_id, at, kind, "from", "to", amount, currency, actor, note)
      SELECT id, ${now}, 'payment_returned', status, status, ${amount}, ${currency}, ${provider}, ${why} ${ofOrder}`,
  ]);
};
