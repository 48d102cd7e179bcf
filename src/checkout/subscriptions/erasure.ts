import { isNull, type SQL, sql } from "drizzle-orm";
import { licenseKeys, orders, packages, paymentsToClose, subscriptions } from "../../platform/db/schema.ts";

/**
 * The statement that ends the subscriptions of an erased account at the provider, and those of a guest whose downloads or keys the
 * account has: they end with it.
 */
export const eraseSubscriptions = (userId: number, now: number): SQL => sql`
  INSERT INTO ${paymentsToClose} (provider, reference, created_at)
  SELECT 'stripe', ${subscriptions.reference}, ${now} FROM ${subscriptions}
  WHERE ${isNull(subscriptions.endedAt)} AND ${subscriptions.orderId} IN (
    SELECT ${orders.id} FROM ${orders} WHERE ${orders.userId} = ${userId}
    UNION ALL SELECT ${packages.orderId} FROM ${packages} WHERE ${packages.userId} = ${userId}
    UNION ALL SELECT ${licenseKeys.orderId} FROM ${licenseKeys} WHERE ${licenseKeys.userId} = ${userId})
  ON CONFLICT DO NOTHING`;
