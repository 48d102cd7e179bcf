import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { idempotencyKeys } from "../db/schema.ts";
import { type Claim, KEPT_MS, type Remembered } from "./claim.ts";

/**
 * The last statements of the batch that does what is claimed: they keep the answer's row, as JSON. A key that is taken
 * violates the primary key of `idempotency_keys`, and with it the whole batch: so a request is never seen under way.
 */
export const keepAnswer = ({ caller, key, fingerprint }: Claim, answer: SQL, now: number): [SQL, SQL] => [
  sql`DELETE FROM idempotency_keys WHERE caller = ${caller} AND key = ${key} AND created_at <= ${now - KEPT_MS}`,
  sql`INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at)
    VALUES (${caller}, ${key}, ${fingerprint}, ${answer}, ${now})`,
];

/** What is remembered of a key that was used within a day: a query, for a batch. */
export const selectRemembered = (db: Database, { caller, key }: Claim, now: number) =>
  db
    .select({ fingerprint: idempotencyKeys.fingerprint, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.caller, caller),
        eq(idempotencyKeys.key, key),
        gt(idempotencyKeys.createdAt, now - KEPT_MS),
      ),
    );

export const recall = (db: Database, claim: Claim, now: number): Promise<Remembered | undefined> =>
  selectRemembered(db, claim, now).get();

/** Forgets the keys that are older than a day. */
export const forgetOldKeys = (db: Database, now: number) =>
  db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, now - KEPT_MS));
