import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { paymentsToClose } from "../../platform/db/schema.ts";
import { isFree } from "../../platform/queues/failed-item-queries.ts";

export type PaymentToClose = typeof paymentsToClose.$inferSelect;

/** How many pages one run closes. */
const CLOSED_AT_ONCE = 20;

const item = sql`${paymentsToClose.provider} || ' ' || ${paymentsToClose.reference}`;
export const itemOf = ({ provider, reference }: PaymentToClose): string => `${provider} ${reference}`;

export const findPaymentsToClose = (db: Database, now: number) =>
  db
    .select()
    .from(paymentsToClose)
    .where(isFree("close_payments", item, now))
    .orderBy(paymentsToClose.createdAt)
    .limit(CLOSED_AT_ONCE);

export const deletePaymentToClose = (db: Database, { provider, reference }: PaymentToClose) =>
  db
    .delete(paymentsToClose)
    .where(and(eq(paymentsToClose.provider, provider), eq(paymentsToClose.reference, reference)));
