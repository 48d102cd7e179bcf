import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { paymentsToClose } from "../../db/schema.ts";

/** How many pages one run closes. */
const CLOSED_AT_ONCE = 20;

export const findPaymentsToClose = (db: Database) =>
  db.select().from(paymentsToClose).orderBy(paymentsToClose.id).limit(CLOSED_AT_ONCE);

export const forgetPaymentToClose = (db: Database, id: number) =>
  db.delete(paymentsToClose).where(eq(paymentsToClose.id, id));
