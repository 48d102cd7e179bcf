import { desc, eq } from "drizzle-orm";
import { selectTransactions } from "../../checkout/transactions/transactions.ts";
import { selectPackages } from "../../downloads/packages/public.ts";
import type { Database } from "../../platform/db/client.ts";
import { addresses, packages, transactions } from "../../platform/db/schema.ts";

/** Addresses, packages and transactions shown on a customer's page. */
const MOST_SHOWN = 10;

/** Reads a customer's addresses, packages and transactions in one round trip. */
export async function readStanding(db: Database, userId: number) {
  const [book, held, movements] = await db.batch([
    db
      .select()
      .from(addresses)
      .where(eq(addresses.userId, userId))
      .orderBy(desc(addresses.isDefault), desc(addresses.id))
      .limit(MOST_SHOWN),
    selectPackages(db).where(eq(packages.userId, userId)).orderBy(desc(packages.id)).limit(MOST_SHOWN),
    selectTransactions(db).where(eq(transactions.userId, userId)).orderBy(desc(transactions.id)).limit(MOST_SHOWN),
  ]);
  return { addresses: book, packages: held, transactions: movements };
}
export type Standing = Awaited<ReturnType<typeof readStanding>>;
