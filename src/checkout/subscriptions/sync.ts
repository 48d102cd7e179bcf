import { and, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { PAID_IN_TEST_MODE } from "../../domain/payment-methods.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import {
  orders,
  paymentEvents,
  paymentsToClose,
  subscriptionPeriods,
  subscriptions,
} from "../../platform/db/schema.ts";
import { versionAfter, violates } from "../../platform/db/statements.ts";
import { log } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { placeRenewal } from "../orders/public.ts";
import {
  findDueOrder,
  findProvider,
  handlePaymentEvent,
  type PaidInvoice,
  type PaymentProvider,
  type ProviderSubscription,
} from "../payments/public.ts";

type SyncContext = Pick<WriteContext, "env" | "db" | "settings"> & { requestId: string };

/** Time after the end of a period at which its renewal is surely invoiced: Stripe takes an hour. */
const INVOICED_AFTER_MS = 2 * HOUR_MS;

/** Time after which a subscription whose renewal is late is read again. */
const LATE_MS = DAY_MS / 4;

/**
 * Time before a renewal at which its buyer is reminded, for longer periods than this. France requires one to three months
 * (Code de la consommation, article L215-1), California 15 to 45 days for a year (Business and Professions Code § 17602).
 */
const REMIND_MS = 40 * DAY_MS;

/**
 * Brings a subscription to its state at the provider: each paid invoice has its order, the first one the order that began
 * it. Events only say when to look, so that they may come late, twice, out of order or never.
 */
export async function syncSubscription(ctx: SyncContext, reference: string): Promise<void> {
  const { db } = ctx;
  const provider = await findProvider(ctx, "stripe");
  const readAt = Date.now();
  const state = await provider?.subscriptions?.find(reference);
  if (!provider || !state) return noteMissing(db, reference, readAt);
  const author = { actor: provider.name, address: null, requestId: ctx.requestId, now: readAt };
  const writing = { ...ctx, author, provider };
  const known = new Set((await findPeriods(db, reference)).map(({ invoice }) => invoice));
  for (const invoice of state.invoices.filter(({ id }) => !known.has(id))) {
    await recordInvoice(writing, { state, invoice });
  }
  if (await findSubscription(db, reference)) await updateState(writing, state);
  else if (state.endedAt === null && state.invoices.length > 0) await endSubscription(db, reference, readAt);
}

type InvoiceContext = SyncContext & Pick<WriteContext, "author"> & { provider: PaymentProvider };
type SubscriptionInvoice = { state: ProviderSubscription; invoice: PaidInvoice };

/** Pays the first order with the first invoice, and places an order for each other one. Money that fits neither is returned. */
async function recordInvoice(ctx: InvoiceContext, { state, invoice }: SubscriptionInvoice): Promise<void> {
  const { db, author, provider } = ctx;
  const { id, payment, amount, currency } = invoice;
  const subscription = await findSubscription(db, state.reference);
  const order = await findDueOrder(db, provider.name, state.orderReference);
  if (!order) return log("error", { message: "a subscription names no order", subscription: state.reference });
  const event = { id, kind: "paid" as const, order, reference: payment ?? id, amount, currency };
  if (!subscription || currency !== order.currency) {
    if (amount === 0) return;
    const writes = [beginSubscription(ctx, state), recordPeriod(ctx, invoice, state.reference, order.reference)];
    await handlePaymentEvent({ db, author }, { ...event, provider: provider.name, isTest: provider.isTest }, writes);
    return;
  }
  const renewal = {
    firstOrderId: subscription.orderId,
    payment,
    amount,
    currency,
    note: provider.isTest ? PAID_IN_TEST_MODE : undefined,
    alongside: (reference: string) => [
      recordPeriod(ctx, invoice, state.reference, reference),
      ...(payment === null ? [] : [recordPayment(ctx, payment, reference)]),
    ],
  };
  try {
    await placeRenewal(ctx, renewal);
  } catch (error) {
    // Another event at the same time placed it.
    if (!violates(error, "subscription_periods.invoice")) throw error;
  }
}

const idOfOrder = (reference: string): SQL =>
  sql`(SELECT ${orders.id} FROM ${orders} WHERE ${orders.reference} = ${reference})`;

const beginSubscription = (
  { db, author: { now } }: Pick<InvoiceContext, "db" | "author">,
  { reference, customer, orderReference, currentPeriodEnd }: ProviderSubscription,
): SQL =>
  db
    .insert(subscriptions)
    .values({
      reference,
      customer,
      orderId: idOfOrder(orderReference),
      currentPeriodEnd,
      readAt: 0,
      checkAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .getSQL();

const recordPeriod = (
  { db, settings, author: { now } }: Pick<InvoiceContext, "db" | "settings" | "author">,
  { id, periodEnd }: PaidInvoice,
  reference: string,
  orderReference: string,
): SQL =>
  db
    .insert(subscriptionPeriods)
    .values({
      invoice: id,
      subscriptionId: sql`(SELECT ${subscriptions.id} FROM ${subscriptions} WHERE ${subscriptions.reference} = ${reference})`,
      orderId: idOfOrder(orderReference),
      accessUntil: periodEnd + settings.renewalGraceMs,
      createdAt: now,
    })
    .getSQL();

/** Records the payment of a renewal, by which a dispute finds its order. */
const recordPayment = (
  { db, author: { now } }: Pick<InvoiceContext, "db" | "author">,
  payment: string,
  reference: string,
) =>
  db
    .insert(paymentEvents)
    .values({ provider: "stripe", eventId: payment, orderId: idOfOrder(reference), createdAt: now })
    .onConflictDoNothing()
    .getSQL();

/** Writes the state, unless a newer one was written meanwhile. */
async function updateState(
  { db, author: { now } }: Pick<InvoiceContext, "db" | "author">,
  state: ProviderSubscription,
): Promise<void> {
  const { reference, pastDue, cancelsAt, cancelledAt, endedAt, currentPeriodStart, currentPeriodEnd } = state;
  const remindAt = currentPeriodEnd - REMIND_MS;
  const isLong = currentPeriodStart < remindAt;
  const isReminded = isLong && remindAt <= now && cancelsAt === null && endedAt === null;
  const next = isLong && remindAt > now ? remindAt : currentPeriodEnd + INVOICED_AFTER_MS;
  const due = Math.max(pastDue ? now : next, now + LATE_MS);
  await db
    .update(subscriptions)
    .set({
      pastDue,
      // A subscription that ends before its announced end was cancelled again.
      cancelsAt: endedAt === null ? cancelsAt : Math.min(endedAt, cancelsAt ?? endedAt),
      cancelledAt,
      endedAt,
      currentPeriodEnd,
      ...(isReminded && { remindedFor: currentPeriodEnd }),
      readAt: now,
      checkAt: endedAt === null ? due : null,
      updatedAt: versionAfter(now),
    })
    .where(and(eq(subscriptions.reference, reference), lte(subscriptions.readAt, now)));
}

/** A subscription that the provider no longer knows, as after a change of the account, renews no more. */
async function noteMissing(db: Database, reference: string, now: number): Promise<void> {
  await db
    .update(subscriptions)
    .set({ checkAt: now + DAY_MS })
    .where(eq(subscriptions.reference, reference));
}

/** Ends a subscription at the provider at once, from the schedule. */
const endSubscription = (db: Database, reference: string, now: number) =>
  db.insert(paymentsToClose).values({ provider: "stripe", reference, createdAt: now }).onConflictDoNothing();

const findSubscription = (db: Database, reference: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.reference, reference)).get();

const findPeriods = (db: Database, reference: string) =>
  db
    .select({ invoice: subscriptionPeriods.invoice })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionPeriods.subscriptionId))
    .where(eq(subscriptions.reference, reference));

/** Maximum number of subscriptions that one run reads. */
const READ_AT_ONCE = 20;

/** Reads subscriptions that are due, in case an event was lost. */
export const syncDueSubscriptions = (ctx: Pick<SyncContext, "env" | "db" | "settings">, now: number): Promise<void> =>
  workOff(ctx.db, now, {
    queue: "sync_subscriptions",
    find: () =>
      ctx.db
        .select({ id: subscriptions.id, reference: subscriptions.reference })
        .from(subscriptions)
        .where(
          and(
            isNotNull(subscriptions.checkAt),
            lte(subscriptions.checkAt, now),
            isFree("sync_subscriptions", subscriptions.id, now),
          ),
        )
        .orderBy(subscriptions.checkAt)
        .limit(READ_AT_ONCE),
    idOf: ({ id }) => id,
    run: ({ reference }) => syncSubscription({ ...ctx, requestId: "schedule" }, reference),
  });
