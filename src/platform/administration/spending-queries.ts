import { type SQL, sql } from "drizzle-orm";
import { conflict, fieldError, reauthenticationRequired } from "../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireRow } from "../db/client.ts";

/** What decides how much money an author may move. */
export type Spender = Pick<Author, "actor" | "session" | "spendingLimit" | "reauthenticateAbove" | "now">;

/**
 * The statements that count `amount`, minor units, against what the author may move in 24 hours, and what their session may
 * move before it has to show a password or code again; the database refuses more.
 */
export const countSpending = (spender: Spender, amount: number): SQL[] => {
  const { actor, session, spendingLimit, reauthenticateAbove, now } = spender;
  if (session === undefined && spendingLimit === undefined) return [];
  return [
    sql`INSERT INTO staff_spending (actor, amount, day_limit, session_id, authenticated_at, session_limit, created_at)
      VALUES (${actor}, ${Math.abs(amount)}, ${spendingLimit ?? null}, ${session?.id ?? null},
        ${session?.authenticatedAt ?? null}, ${reauthenticateAbove ?? null}, ${now})`,
  ];
};

/** Asks for a password or code where the session would move more than it may without, before it is counted in the batch. */
export async function requireFreshToMove(db: Database, author: Spender, amount: number): Promise<void> {
  const { session, reauthenticateAbove } = author;
  if (session === undefined || reauthenticateAbove === undefined || amount === 0) return;
  const moved = requireRow(
    await db.get<{ sum: number }>(sql`SELECT coalesce(sum(amount), 0) AS sum FROM staff_spending
      WHERE session_id = ${session.id} AND created_at >= ${session.authenticatedAt}`),
  );
  if (moved.sum + amount > reauthenticateAbove) throw reauthenticationRequired();
}

/** The refusals of a batch with such statements. */
export const spendingRefused = ({ spendingLimit = 0 }: Author) => ({
  session_needs_reauthentication: reauthenticationRequired,
  staff_spending_limit() {
    const words = `is more than you may still move: ${formatAmount(spendingLimit)} in any 24 hours`;
    const message = `This ${words}. An administrator can do it`;
    return conflict(
      "spending_limit",
      message,
      fieldError("amount", "spending_limit", words, { limit: toDecimal(spendingLimit) }),
    );
  },
});
