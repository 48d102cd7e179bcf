import { desc, eq, sql } from "drizzle-orm";
import { selectTransactions } from "../../checkout/transactions/transactions.ts";
import { selectPackages } from "../../downloads/packages/public.ts";
import type { Database } from "../../platform/db/client.ts";
import { addresses, packages, transactions, userNotes } from "../../platform/db/schema.ts";

/** Addresses, packages and transactions shown on a customer's page. */
const MOST_SHOWN = 10;

/** Reads a customer's addresses, packages and transactions in one round trip. */
export async function readStanding(db: Database, userId: number) {
  const [book, held, movements, notes] = await db.batch([
    db
      .select()
      .from(addresses)
      .where(eq(addresses.userId, userId))
      .orderBy(desc(addresses.isDefault), desc(addresses.id))
      .limit(MOST_SHOWN),
    selectPackages(db).where(eq(packages.userId, userId)).orderBy(desc(packages.id)).limit(MOST_SHOWN),
    selectTransactions(db).where(eq(transactions.userId, userId)).orderBy(desc(transactions.id)).limit(MOST_SHOWN),
    db
      .select({ text: userNotes.text, createdAt: userNotes.createdAt, authorName })
      .from(userNotes)
      .where(eq(userNotes.userId, userId))
      .orderBy(desc(userNotes.id))
      .limit(MOST_SHOWN),
  ]);
  return { notes, addresses: book, packages: held, transactions: movements };
}

/** Name of a note's author, while the user or key exists. */
const authorName = sql<string | null>`CASE
  WHEN author LIKE 'user:%' THEN (SELECT name FROM users WHERE id = CAST(substr(author, 6) AS INTEGER))
  ELSE (SELECT name FROM api_keys WHERE id = CAST(substr(author, 9) AS INTEGER))
END`.as("author_name");

export type CustomerStanding = Awaited<ReturnType<typeof readStanding>>;
