import { type SQL, sql } from "drizzle-orm";
import { conflict, fieldError, reauthenticationRequired, storageUsedUp } from "../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, DELETED_AT_ONCE, requireRow } from "../db/client.ts";
import type { Author } from "./caller.ts";

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/**
 * Counts the bytes that an author stores, in the batch that stores them. The batch is refused if it exceeds a daily limit.
 */
export const countStoredBytes = (
  { author: { storage = [], now } }: { author: Pick<Author, "storage" | "now"> },
  bytes: SQL | number,
): SQL[] =>
  storage.map(
    ({ owner, limit }) =>
      sql`INSERT INTO stored_bytes (owner, day, bytes, day_limit) VALUES (${owner}, ${dayOf(now)}, ${bytes}, ${limit})
        ON CONFLICT (owner, day) DO UPDATE SET bytes = bytes + excluded.bytes, day_limit = excluded.day_limit`,
  );

/** Bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The error for a batch that exceeds the daily limit. */
export const storageRefused = (now: number) => ({
  stored_bytes_within_limit: () => storageUsedUp(Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000)),
});

/** Deletes the counts of days before yesterday. */
export const deleteOldCounts = (db: Database, now: number) =>
  db.run(sql`DELETE FROM stored_bytes WHERE rowid IN (
    SELECT rowid FROM stored_bytes WHERE day < ${dayOf(now) - 1} LIMIT ${DELETED_AT_ONCE})`);

/** The limits on the money that an author may move. */
export type Spender = Pick<Author, "actor" | "session" | "spendingLimit" | "reauthenticateAbove" | "now">;

/** An amount that counts towards the limits of its author, in minor units. */
export type Spend = { author: Spender; amount: number };

/**
 * Statements that count an amount against the author's limit for 24 hours and the session's limit before reauthentication. The
 * database refuses more.
 */
export const countSpending = ({ author, amount }: Spend): SQL[] => {
  const { actor, session, spendingLimit, reauthenticateAbove, now } = author;
  if (amount === 0 || (session === undefined && spendingLimit === undefined)) return [];
  return [
    sql`INSERT INTO staff_spending (actor, amount, day_limit, session_id, authenticated_at, session_limit, created_at)
      VALUES (${actor}, ${Math.abs(amount)}, ${spendingLimit ?? null}, ${session?.id ?? null},
        ${session?.authenticatedAt ?? null}, ${reauthenticateAbove ?? null}, ${now})`,
  ];
};

/** Requires a password or code if the session would exceed its limit, before it is counted in the batch. */
export async function requireFreshToMove({
  db,
  author: { session, reauthenticateAbove },
  amount,
}: Spend & { db: Database }): Promise<void> {
  if (session === undefined || reauthenticateAbove === undefined || amount === 0) return;
  const moved = requireRow(
    await db.get<{ sum: number }>(sql`SELECT coalesce(sum(amount), 0) AS sum FROM staff_spending
      WHERE session_id = ${session.id} AND created_at >= ${session.authenticatedAt}`),
  );
  if (moved.sum + amount > reauthenticateAbove) throw reauthenticationRequired();
}

/** Errors of a batch with such statements. */
export const spendingRefused = ({ db, author, amount }: Spend & { db: Database }) => ({
  session_needs_reauthentication: reauthenticationRequired,
  async staff_spending_limit() {
    const { actor, spendingLimit = 0, now } = author;
    const spent = requireRow(
      await db.get<{ sum: number }>(sql`SELECT coalesce(sum(amount), 0) AS sum FROM staff_spending
        WHERE actor = ${actor} AND created_at > ${now - DAY_MS}`),
    );
    const left = Math.max(0, spendingLimit - spent.sum);
    const words = `counts ${formatAmount(Math.abs(amount))} towards your limit of ${formatAmount(spendingLimit)} in 24 hours, of which ${formatAmount(left)} is left`;
    return conflict(
      "spending_limit",
      `This ${words}. An administrator can do it`,
      fieldError("amount", "spending_limit", words, { limit: toDecimal(spendingLimit), available: toDecimal(left) }),
    );
  },
});
