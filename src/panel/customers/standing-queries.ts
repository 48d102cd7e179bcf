import { desc, eq, type SQL, sql } from "drizzle-orm";
import { selectTransactions } from "../../checkout/transactions/transactions.ts";
import { selectPackages } from "../../downloads/packages/public.ts";
import type { Database } from "../../platform/db/client.ts";
import { addresses, packages, transactions } from "../../platform/db/schema.ts";

/** Maximum number of newest orders in a customer's totals. */
export const MOST_ORDERS = 1_000;

/** Addresses, packages and transactions shown on a customer's page. */
const MOST_SHOWN = 10;

/** Reads a customer's lifetime value, addresses, packages and transactions in one round trip. */
export async function readStanding(db: Database, userId: number) {
  const [values, book, held, movements] = await db.batch([
    db
      .select({
        currency: sql<string>`currency`.as("currency"),
        orders: sql<number>`count(*)`.as("orders"),
        paidOrders: sql<number>`sum(paid_at IS NOT NULL)`.as("paid_orders"),
        paid: sql<number>`sum(iif(paid_at IS NULL, 0, total))`.as("paid"),
        refunded: sql<number>`sum(refunded_total)`.as("refunded"),
      })
      .from(newestOrders(userId))
      .groupBy(sql`currency`)
      .orderBy(sql`currency`),
    db
      .select()
      .from(addresses)
      .where(eq(addresses.userId, userId))
      .orderBy(desc(addresses.isDefault), desc(addresses.id))
      .limit(MOST_SHOWN),
    selectPackages(db).where(eq(packages.userId, userId)).orderBy(desc(packages.id)).limit(MOST_SHOWN),
    selectTransactions(db).where(eq(transactions.userId, userId)).orderBy(desc(transactions.id)).limit(MOST_SHOWN),
  ]);
  return { values, addresses: book, packages: held, transactions: movements };
}
export type Standing = Awaited<ReturnType<typeof readStanding>>;

const newestOrders = (userId: number): SQL => sql`(
  SELECT currency, total, refunded_total, paid_at FROM orders WHERE user_id = ${userId} ORDER BY id DESC LIMIT ${MOST_ORDERS})`;
