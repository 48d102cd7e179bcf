import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { formatAmount } from "../../domain/money.ts";
import { PAID_IN_TEST_MODE, type ProviderName, paymentMethods, paymentTerms } from "../../domain/payment-methods.ts";
import type { AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import { type Database, runAll, statement } from "../../platform/db/client.ts";
import { orderHistory, orders, paymentEvents, refunds, transactions } from "../../platform/db/schema.ts";
import { insertSelected, isViolation, precondition, versionAfter, violates } from "../../platform/db/statements.ts";
import { log, logFault } from "../../platform/http/log.ts";
import { issueInvoice } from "../invoices/public.ts";
import { payOrder } from "./pay.ts";
import {
  type Dispute,
  type DueOrder,
  type EventReading,
  type Payment,
  type PaymentEvent,
  type PaymentProvider,
  recordedIdOf,
} from "./provider.ts";
import { returnRefund } from "./send-refunds.ts";

/**
 * "returned" means that the money is refunded, because the order cannot be paid, is already paid, or costs a different amount.
 * "nothing" means that the event is not about an order's payment.
 */
export type EventOutcome = "settled" | "returned" | "ignored" | "nothing";

type EventToReceive = Pick<EventReading, "limitForged"> & {
  provider: PaymentProvider;
  request: Request;
  /** Undefined for a provider without subscriptions. */
  syncSubscription?: (reference: string) => Promise<void>;
  /** Undefined for a provider without disputes. */
  recordDispute?: (dispute: Dispute) => Promise<void>;
};

/** Verifies a provider's webhook and handles its event. */
export async function receiveEvent(
  { db, requestId }: Pick<WriteContext, "db"> & { requestId: string },
  { provider, request, limitForged, syncSubscription, recordDispute }: EventToReceive,
): Promise<EventOutcome> {
  const { name, isTest } = provider;
  const author = { actor: name, address: null, requestId, now: Date.now() };
  const event = await provider.readEvent(request, {
    findOrder: (reference) => findDueOrder(db, name, reference),
    isHandled: (id) => isHandled(db, name, id),
    isPayable: (order, money) => isPayable({ db, author }, order, money),
    limitForged,
  });
  if (!event) return "nothing";
  if (event.kind === "subscription") {
    await syncSubscription?.(event.subscription);
    return "settled";
  }
  if (event.kind === "dispute") {
    await recordDispute?.(event);
    return "settled";
  }
  return handlePaymentEvent({ db, author }, { ...event, provider: name, isTest });
}

/**
 * Handles a verified payment event once, however often it is delivered. Money is refunded if the order was cancelled, its
 * stock is gone, or the amount is wrong. `alongside` is written with a payment that is kept.
 */
export async function handlePaymentEvent(
  ctx: AuthorContext,
  event: ReceivedEvent,
  alongside: SQL[] = [],
): Promise<EventOutcome> {
  if (event.kind === "refund_failed") {
    await returnRefund(ctx, event);
    return "settled";
  }
  if (event.kind === "failed") {
    await noteFailure(ctx, event);
    return "settled";
  }
  return handlePayment(ctx, event, alongside);
}

/** The provider is the author of changes caused by an event. */
async function handlePayment(
  ctx: AuthorContext,
  payment: FromProvider<Payment>,
  alongside: SQL[],
): Promise<EventOutcome> {
  const mismatch = mismatchOf(payment);
  if (mismatch) {
    log("error", { message: "a payment is not what was due", provider: payment.provider, event: payment.id });
  } else if ((await acceptPayment(ctx, payment, alongside)) !== "refused") return "settled";
  const why = mismatch ?? "The payment came too late or twice";
  return (await returnPayment(ctx, { payment, why })) === "done" ? "returned" : "ignored";
}

function mismatchOf({ order, amount, currency }: Payment): string | undefined {
  if (amount === order.total && currency === order.currency) return undefined;
  const due = `${formatAmount(order.total, order.currency)} ${order.currency}`;
  return `${formatAmount(amount, currency)} ${currency} was received, but ${due} was due`;
}

type FromProvider<Event extends PaymentEvent> = Event & { provider: ProviderName; isTest?: boolean | undefined };

type ReceivedEvent = FromProvider<PaymentEvent>;

/** "known" if the event was handled before, "refused" if the order can no longer be paid. */
type WriteOutcome = "done" | "known" | "refused";

/** Finds an order of the provider's methods. Another provider's order would be refunded there, where nothing was paid. */
export function findDueOrder(db: Database, provider: ProviderName, reference: string): Promise<DueOrder | undefined> {
  const methods = paymentMethods.filter((method) => paymentTerms[method].provider === provider);
  return db
    .select({ reference: orders.reference, total: orders.total, currency: orders.currency })
    .from(orders)
    .where(and(eq(orders.reference, reference), inArray(orders.paymentMethod, methods)))
    .get();
}

/** Returns true if the event with this recorded id was handled. */
const isHandled = async (db: Database, provider: ProviderName, id: string): Promise<boolean> =>
  (await db.$count(paymentEvents, and(eq(paymentEvents.provider, provider), eq(paymentEvents.eventId, id)))) > 0;

/** Records a payment or a failure, so that each is handled once. */
const recordEvent = ({ db, author }: AuthorContext, payment: FromProvider<Payment>) =>
  db.insert(paymentEvents).values({
    provider: payment.provider,
    eventId: recordedIdOf(payment),
    orderId: sql`(SELECT ${orders.id} FROM ${orders} WHERE ${orders.reference} = ${payment.order.reference})`,
    createdAt: author.now,
  });

/** Rules that refuse the payment of an order which was paid or edited, has ended, or whose stock or discount is used up. */
const rules = [
  "row_changed",
  "order_paid_already",
  "order_move_not_allowed",
  "stock_not_negative",
  "discount_used_up",
  "discount_used_by_customer",
];

/** True if the database refused a write. Money is returned whatever the rule is, but a rule that is not expected is a fault. */
function isRefused(error: unknown): boolean {
  if (!isViolation(error)) return false;
  if (!rules.some((rule) => violates(error, rule)))
    logFault("payment rejected by a rule that has no error code", error);
  return true;
}

async function writeEvent(
  ctx: AuthorContext,
  { payment, writes }: { payment: FromProvider<Payment>; writes: SQL[] },
): Promise<WriteOutcome> {
  const { db } = ctx;
  try {
    await db.batch([recordEvent(ctx, payment), ...writes.map((write) => statement(db, write))]);
    return "done";
  } catch (error) {
    if (violates(error, "payment_events.")) return "known";
    if (isRefused(error)) return "refused";
    throw error;
  }
}

/** Marks the order as paid with the received money, unless it was edited meanwhile and costs another amount. */
const acceptPayment = (ctx: AuthorContext, payment: FromProvider<Payment>, alongside: SQL[]) => {
  const { order, amount, reference: paymentReference, isTest } = payment;
  const note = isTest ? PAID_IN_TEST_MODE : null;
  const stillCosts = and(eq(orders.reference, order.reference), eq(orders.total, amount));
  return writeEvent(ctx, {
    payment,
    writes: [
      precondition(sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${stillCosts})`),
      payOrder(ctx, { reference: order.reference, note, paymentReference }),
      issueInvoice(order.reference, "payment"),
      ...alongside,
    ],
  });
};

/** Pays the order and rolls the payment back, so that the guards of the database decide, as they will for the payment. */
async function isPayable(
  ctx: AuthorContext,
  { reference, total, currency }: DueOrder,
  money: { minor: number; currency: string },
): Promise<boolean> {
  if (money.minor !== total || money.currency !== currency) return false;
  try {
    await runAll(ctx.db, [payOrder(ctx, { reference, note: null, paymentReference: "" }), precondition(sql`FALSE`)]);
  } catch (error) {
    if (isRefused(error)) return violates(error, "row_changed");
    throw error;
  }
  return false;
}

/** Records a failed payment. The buyer may retry until the order expires. */
const noteFailure = (ctx: AuthorContext, payment: FromProvider<Payment>) => {
  const { actor, now } = ctx.author;
  const update = ctx.db
    .update(orders)
    .set({ paymentStatus: "failed", updatedAt: versionAfter(now), updatedBy: actor })
    .where(and(eq(orders.reference, payment.order.reference), eq(orders.status, "pending")));
  return writeEvent(ctx, { payment, writes: [update.getSQL()] });
};

/**
 * Returns money that the order does not keep. The charge and its refund are recorded together, and the order does not change.
 */
const returnPayment = (ctx: AuthorContext, { payment, why }: { payment: FromProvider<Payment>; why: string }) => {
  const { order, amount, reference } = payment;
  const { actor, now } = ctx.author;
  const currency = payment.currency === order.currency ? null : payment.currency;
  const { id, userId, apiKeyId, status, paymentMethod: method } = orders;
  const ofOrder = sql`FROM ${orders} WHERE ${orders.reference} = ${order.reference}`;
  const moved = { orderId: id, currency, note: why };
  const transaction = { ...moved, userId, apiKeyId, method, createdAt: now };
  const step = {
    ...moved,
    at: now,
    kind: "payment_returned",
    from: status,
    to: status,
    amount,
    actor,
  } as const;
  const writes = [
    insertSelected(transactions, { ...transaction, kind: "charge", amount: -amount }, ofOrder),
    insertSelected(transactions, { ...transaction, kind: "refund", amount }, ofOrder),
    insertSelected(refunds, { orderId: id, payment: reference, amount, currency, createdAt: now }, ofOrder),
    insertSelected(orderHistory, step, ofOrder),
  ];
  return writeEvent(ctx, { payment, writes });
};
