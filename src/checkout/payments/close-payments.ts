import { and, eq, lte, sql } from "drizzle-orm";
import { ApiError } from "../../domain/errors.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { orders, paymentsToClose } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { collectPayment, deletePaymentToClose } from "./authorizations.ts";
import { findProvider } from "./providers.ts";
import { isSubscription } from "./stripe-subscriptions.ts";

/** How long closing is retried. Pages expire at the provider after half an hour. */
const OPEN_MS = 60 * 60 * 1000;

/**
 * Closes the payment pages of orders that no longer await payment, and settles authorizations whose request ended early. If
 * the provider is unreachable, a later run retries. If it refuses, the page was paid or has expired, and any money received
 * is refunded.
 */
export const closePayments = (ctx: Pick<WriteContext, "db" | "settings">, now: number): Promise<void> =>
  workOff(ctx.db, now, {
    queue: "close_payments",
    find: () => findPaymentsToClose(ctx.db, now),
    idOf: itemOf,
    run: (payment) => closePayment(ctx, { payment, now }),
  });

async function closePayment(
  ctx: Pick<WriteContext, "db" | "settings">,
  { payment, now }: { payment: PaymentToClose; now: number },
): Promise<void> {
  const { provider, reference, createdAt } = payment;
  const order = await findAuthorizedOrder(ctx.db, payment);
  try {
    if (order) await collectPayment(ctx, order);
    else await (await findProvider(ctx, provider))?.close(reference);
  } catch (error) {
    const isOutOfReach = error instanceof ApiError;
    // Unlike a page, a subscription does not expire by itself, and would charge the buyer again.
    if (isOutOfReach && (isSubscription(reference) || createdAt > now - OPEN_MS)) throw error;
    logFault("payment not closed", error, { payment: reference });
  }
  await deletePaymentToClose(ctx.db, payment);
}

/** The order that was placed with an authorization and still waits for its money. */
const findAuthorizedOrder = (db: Database, { provider, reference }: PaymentToClose) =>
  db
    .select({
      reference: orders.reference,
      total: orders.total,
      currency: orders.currency,
      paymentMethod: orders.paymentMethod,
      paymentReference: orders.paymentReference,
    })
    .from(orders)
    .where(
      and(eq(orders.status, "pending"), eq(orders.paymentProvider, provider), eq(orders.paymentReference, reference)),
    )
    .get();

type PaymentToClose = typeof paymentsToClose.$inferSelect;

/** The version of a changed order, which its page is queued with, may be ahead of the clock. */
const AHEAD_MS = 1_000;

/** Maximum number of payments that one run closes. */
const CLOSED_AT_ONCE = 20;

const item = sql`${paymentsToClose.provider} || ' ' || ${paymentsToClose.reference}`;
const itemOf = ({ provider, reference }: PaymentToClose): string => `${provider} ${reference}`;

const findPaymentsToClose = (db: Database, now: number) =>
  db
    .select()
    .from(paymentsToClose)
    .where(and(lte(paymentsToClose.createdAt, now + AHEAD_MS), isFree("close_payments", item, now)))
    .orderBy(paymentsToClose.createdAt)
    .limit(CLOSED_AT_ONCE);
