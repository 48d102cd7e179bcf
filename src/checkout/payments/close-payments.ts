import { and, eq, sql } from "drizzle-orm";
import { ApiError } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { paymentsToClose } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { providers } from "./providers.ts";

/** How long closing is retried. Pages expire at the provider after half an hour. */
const OPEN_MS = 60 * 60 * 1000;

/**
 * Closes the payment pages of orders that no longer await payment. If the provider is unreachable, a later run retries. If it
 * refuses, the page was paid or has expired, and any money received is refunded.
 */
export const closePayments = (db: Database, settings: Settings, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "close_payments",
    find: () => findPaymentsToClose(db, now),
    idOf: itemOf,
    run: (payment) => closePayment(db, settings, payment, now),
  });

async function closePayment(db: Database, settings: Settings, payment: PaymentToClose, now: number): Promise<void> {
  const { provider, reference, createdAt } = payment;
  try {
    await providers(settings)[provider]?.close(reference);
  } catch (error) {
    const isOutOfReach = error instanceof ApiError;
    if (isOutOfReach && createdAt > now - OPEN_MS) throw error;
    logFault("a payment was not closed", error, { payment: reference });
  }
  await deletePaymentToClose(db, payment);
}

type PaymentToClose = typeof paymentsToClose.$inferSelect;

/** Maximum number of pages that one run closes. */
const CLOSED_AT_ONCE = 20;

const item = sql`${paymentsToClose.provider} || ' ' || ${paymentsToClose.reference}`;
const itemOf = ({ provider, reference }: PaymentToClose): string => `${provider} ${reference}`;

const findPaymentsToClose = (db: Database, now: number) =>
  db
    .select()
    .from(paymentsToClose)
    .where(isFree("close_payments", item, now))
    .orderBy(paymentsToClose.createdAt)
    .limit(CLOSED_AT_ONCE);

const deletePaymentToClose = (db: Database, { provider, reference }: PaymentToClose) =>
  db
    .delete(paymentsToClose)
    .where(and(eq(paymentsToClose.provider, provider), eq(paymentsToClose.reference, reference)));
