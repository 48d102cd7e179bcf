import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { paymentsToClose } from "../../platform/db/schema.ts";

type PaymentToClose = typeof paymentsToClose.$inferSelect;

/** How many pages one run closes. */
const CLOSED_AT_ONCE = 20;

export const findPaymentsToClose = (db: Database) =>
  db.select().from(paymentsToClose).orderBy(paymentsToClose.createdAt).limit(CLOSED_AT_ONCE);

export const deletePaymentToClose = (db: Database, { provider, reference }: PaymentToClose) =>
  db
    .delete(paymentsToClose)
    .where(and(eq(paymentsToClose.provider, provider), eq(paymentsToClose.reference, reference)));
