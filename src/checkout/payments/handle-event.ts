import { and, eq, type SQL, sql } from "drizzle-orm";
import { formatAmount } from "../../domain/money.ts";
import type { ProviderName } from "../../domain/payment-methods.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { insertSelected } from "../../platform/db/insert-selected.ts";
import { versionAfter } from "../../platform/db/precondition.ts";
import { orderHistory, orders, paymentEvents, refunds, transactions } from "../../platform/db/schema.ts";
import { isViolation, violates } from "../../platform/db/violation.ts";
import { log } from "../../platform/http/log.ts";
import { returnRefund } from "./notify-provider.ts";
import { payOrder } from "./pay.ts";
import { type DueOrder, type Payment, type PaymentEvent, recordedIdOf } from "./provider.ts";

/** "returned" means the money is refunded, because the order cannot be paid, is already paid, or costs a different amount. */
type EventOutcome = "settled" | "returned" | "ignored";

/**
 * Handles a verified payment event once, however often it is delivered. Money is refunded if the order was cancelled, its
 * stock is gone, or the amount is wrong.
 */
export async function handlePaymentEvent(db: Database, event: ReceivedEvent): Promise<EventOutcome> {
  if (event.kind === "refund_failed") {
    const author = { actor: event.provider, address: null, requestId: event.requestId, now: event.now };
    await returnRefund(db, author, event, event.reason);
    return "settled";
  }
  if (event.kind === "failed") {
    await noteFailure(db, event);
    return "settled";
  }
  return handlePayment(db, event);
}

async function handlePayment(db: Database, payment: Received<Payment>): Promise<EventOutcome> {
  const mismatch = mismatchOf(payment);
  if (mismatch) {
    log("error", { message: "a payment is not what was due", provider: payment.provider, event: payment.id });
  } else if ((await acceptPayment(db, payment)) !== "refused") return "settled";
  const why = mismatch ?? "It came too late, or twice";
  return (await returnPayment(db, payment, why)) === "done" ? "returned" : "ignored";
}

function mismatchOf({ order, amount, currency }: Payment): string | undefined {
  if (amount === order.total && currency === order.currency) return undefined;
  const due = `${formatAmount(order.total, order.currency)} ${order.currency}`;
  return `${formatAmount(amount, currency)} ${currency} came, and ${due} was due`;
}

/** A received event, with its provider, request id and time. */
type Received<Event extends PaymentEvent> = Event & { provider: ProviderName; requestId: string; now: number };

type ReceivedEvent = Received<PaymentEvent>;

/** "known" if the event was handled before, "refused" if the order can no longer be paid. */
type WriteOutcome = "done" | "known" | "refused";

export const findDueOrder = (db: Database, number: string): Promise<DueOrder | undefined> =>
  db
    .select({ number: orders.number, total: orders.total, currency: orders.currency })
    .from(orders)
    .where(eq(orders.number, number))
    .get();

/** Returns true if the event with this recorded id was handled. */
export const isHandled = async (db: Database, provider: ProviderName, id: string): Promise<boolean> =>
  (await db.$count(paymentEvents, and(eq(paymentEvents.provider, provider), eq(paymentEvents.eventId, id)))) > 0;

/** Records a payment or a failure, so that each is handled once. */
const recordEvent = (db: Database, payment: Received<Payment>) =>
  db.insert(paymentEvents).values({
    provider: payment.provider,
    eventId: recordedIdOf(payment),
    orderId: sql`(SELECT ${orders.id} FROM ${orders} WHERE ${orders.number} = ${payment.order.number})`,
    createdAt: payment.now,
  });

async function writeEvent(db: Database, payment: Received<Payment>, writes: SQL[]): Promise<WriteOutcome> {
  try {
    await db.batch([recordEvent(db, payment), ...writes.map((write) => statement(db, write))]);
    return "done";
  } catch (error) {
    if (violates(error, "payment_events.")) return "known";
    if (isViolation(error)) return "refused";
    throw error;
  }
}

/** Marks the order as paid with the received money. */
const acceptPayment = (db: Database, payment: Received<Payment>) =>
  writeEvent(db, payment, [
    payOrder(payment.order.number, {
      actor: payment.provider,
      now: payment.now,
      note: null,
      reference: payment.reference,
    }),
  ]);

/** Records a failed payment. The buyer may retry until the order expires. */
const noteFailure = (db: Database, payment: Received<Payment>) =>
  writeEvent(db, payment, [
    db
      .update(orders)
      .set({ paymentStatus: "failed", updatedAt: versionAfter(payment.now), updatedBy: payment.provider })
      .where(and(eq(orders.number, payment.order.number), eq(orders.status, "pending")))
      .getSQL(),
  ]);

/**
 * Returns money that the order does not keep. The charge and its refund are recorded together, and the order does not change.
 */
const returnPayment = (db: Database, payment: Received<Payment>, why: string) => {
  const { order, amount, reference, provider, now } = payment;
  const currency = payment.currency === order.currency ? null : payment.currency;
  const { id, userId, apiKeyId, status, paymentMethod: method } = orders;
  const ofOrder = sql`FROM ${orders} WHERE ${orders.number} = ${order.number}`;
  const moved = { orderId: id, currency, note: why };
  const transaction = { ...moved, userId, apiKeyId, method, createdAt: now };
  const step = {
    ...moved,
    at: now,
    kind: "payment_returned",
    from: status,
    to: status,
    amount,
    actor: provider,
  } as const;
  return writeEvent(db, payment, [
    insertSelected(transactions, { ...transaction, kind: "charge", amount: -amount }, ofOrder),
    insertSelected(transactions, { ...transaction, kind: "refund", amount }, ofOrder),
    insertSelected(refunds, { orderId: id, payment: reference, amount, currency, createdAt: now }, ofOrder),
    insertSelected(orderHistory, step, ofOrder),
  ]);
};
