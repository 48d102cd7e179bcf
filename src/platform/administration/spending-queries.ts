import { type SQL, sql } from "drizzle-orm";
import { conflict, fieldError, reauthenticationRequired } from "../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireRow } from "../db/client.ts";

/** The limits on the money that an author may move. */
export type Spender = Pick<Author, "actor" | "session" | "spendingLimit" | "reauthenticateAbove" | "now">;

/**
 * Statements that count `amount`, in minor units, against the author's limit for 24 hours and the session's limit before
 * reauthentication. The database refuses more.
 */
export const countSpending = ({ author }: { author: Spender }, amount: number): SQL[] => {
  const { actor, session, spendingLimit, reauthenticateAbove, now } = author;
  if (session === undefined && spendingLimit === undefined) return [];
  return [
    sql`INSERT INTO staff_spending (actor, amount, day_limit, session_id, authenticated_at, session_limit, created_at)
      VALUES (${actor}, ${Math.abs(amount)}, ${spendingLimit ?? null}, ${session?.id ?? null},
        ${session?.authenticatedAt ?? null}, ${reauthenticateAbove ?? null}, ${now})`,
  ];
};

/** Requires a password or code if the session would exceed its limit, before it is counted in the batch. */
export async function requireFreshToMove(
  { db, author: { session, reauthenticateAbove } }: { db: Database; author: Spender },
  amount: number,
): Promise<void> {
  if (session === undefined || reauthenticateAbove === undefined || amount === 0) return;
  const moved = requireRow(
    await db.get<{ sum: number }>(sql`SELECT coalesce(sum(amount), 0) AS sum FROM staff_spending
      WHERE session_id = ${session.id} AND created_at >= ${session.authenticatedAt}`),
  );
  if (moved.sum + amount > reauthenticateAbove) throw reauthenticationRequired();
}

/** Errors of a batch with such statements. */
export const spendingRefused = ({ spendingLimit = 0 }: Author) => ({
  session_needs_reauthentication: reauthenticationRequired,
  staff_spending_limit() {
    const words = `exceeds your limit of ${formatAmount(spendingLimit)} in 24 hours`;
    const message = `This ${words}. An administrator can do it`;
    return conflict(
      "spending_limit",
      message,
      fieldError("amount", "spending_limit", words, { limit: toDecimal(spendingLimit) }),
    );
  },
});
