import { and, eq } from "drizzle-orm";
import type { WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { type orders, paymentsToClose } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { handlePaymentEvent } from "./handle-event.ts";
import type { OpenedPayment, PayableOrder, PaymentProvider } from "./provider.ts";
import { findProvider, providerFor } from "./providers.ts";

// Payments without a person: the money is reserved by a token that the buyer's agent was given, and collected once the
// order is written.

type AuthorizedPayment = Pick<typeof paymentsToClose.$inferSelect, "provider" | "reference">;

/** Time before the schedule settles an authorization. Longer than the requests that place an order. */
const SETTLED_AFTER_MS = 5 * 60_000;

/**
 * Reserves an order's total. The payment is queued before it reserves anything, so that the schedule releases it if the
 * order is never written.
 */
export async function authorizePayment(
  ctx: Pick<WriteContext, "db" | "settings">,
  { name, charges }: PaymentProvider,
  { order, token }: { order: PayableOrder; token: string },
): Promise<OpenedPayment> {
  if (!charges) throw new Error(`${name} takes no tokens of agents`);
  const reference = await charges.prepare(order);
  const payment = { provider: name, reference };
  const queued = { ...payment, createdAt: Date.now() + SETTLED_AFTER_MS };
  await ctx.db.insert(paymentsToClose).values(queued).onConflictDoNothing();
  try {
    await charges.authorize(reference, token);
  } catch (error) {
    await releasePayment(ctx, payment);
    throw error;
  }
  return { ...payment, url: null };
}

/** Releases reserved money that no order needs. If the provider does not answer, the schedule releases it. */
export async function releasePayment(
  ctx: Pick<WriteContext, "db" | "settings">,
  payment: AuthorizedPayment,
): Promise<void> {
  try {
    await (await findProvider(ctx, payment.provider))?.close(payment.reference);
    await deletePaymentToClose(ctx.db, payment);
  } catch (error) {
    logFault("authorization not released", error, { payment: payment.reference });
  }
}

/** An order, with the payment that was authorized for it. */
type AuthorizedOrder = Pick<
  typeof orders.$inferSelect,
  "reference" | "total" | "currency" | "paymentMethod" | "paymentReference"
>;

/** Collects the money of an order. Repeated calls collect it once. */
export async function collectPayment(
  ctx: Pick<WriteContext, "db" | "settings">,
  order: AuthorizedOrder,
): Promise<void> {
  const { paymentMethod: method, paymentReference: reference } = order;
  const provider = await providerFor(ctx, method);
  if (!provider?.charges || reference === null) throw new Error(`the provider of ${method} is disabled`);
  const money = await provider.charges.capture(reference);
  const payment = { provider: provider.name, reference };
  const author = { actor: provider.name, address: null, requestId: "capture", now: Date.now() };
  await handlePaymentEvent(
    { db: ctx.db, author },
    { id: reference, kind: "paid", order, isTest: provider.isTest, ...payment, ...money },
  );
  await deletePaymentToClose(ctx.db, payment);
}

export const deletePaymentToClose = (db: Database, { provider, reference }: AuthorizedPayment) =>
  db
    .delete(paymentsToClose)
    .where(and(eq(paymentsToClose.provider, provider), eq(paymentsToClose.reference, reference)));
