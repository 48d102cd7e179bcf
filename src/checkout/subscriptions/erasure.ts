import { isNull, type SQL, sql } from "drizzle-orm";
import { orders, paymentsToClose, subscriptions } from "../../platform/db/schema.ts";

/** The statement that ends the subscriptions of an erased account at the provider. */
export const eraseSubscriptions = (userId: number, now: number): SQL => sql`
  INSERT INTO ${paymentsToClose} (provider, reference, created_at)
  SELECT 'stripe', ${subscriptions.reference}, ${now} FROM ${subscriptions}
  WHERE ${isNull(subscriptions.endedAt)} AND ${subscriptions.orderId} IN (
    SELECT ${orders.id} FROM ${orders} WHERE ${orders.userId} = ${userId})
  ON CONFLICT DO NOTHING`;
