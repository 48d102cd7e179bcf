import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Author } from "../audit/entry.ts";
import { type Database, writeThenRead } from "../db/client.ts";
import { json } from "../db/json.ts";
import { idempotencyKeys } from "../db/schema.ts";
import { refusing } from "../db/violation.ts";
import { conflict } from "../errors.ts";
import { type Claim, fingerprintsOf, KEPT_MS } from "./claim.ts";
import { seal } from "./seal.ts";

const rowOf = ({ caller, key }: Claim): SQL => sql`caller = ${caller} AND key = ${key}`;

/**
 * The first statements of a batch that is claimed. A key that is taken violates the primary key of `idempotency_keys`, and
 * with it the whole batch: so a request is never seen under way. `secret` is what the answer shows and no table holds.
 */
export async function claimKey(claim: Claim, now: number, secret?: object): Promise<[SQL, SQL]> {
  const [fingerprint] = await fingerprintsOf(claim);
  const sealed = secret ? seal(claim, secret) : null;
  return [
    sql`DELETE FROM idempotency_keys WHERE ${rowOf(claim)} AND created_at <= ${now - KEPT_MS}`,
    sql`INSERT INTO idempotency_keys (caller, key, fingerprint, answer, sealed, created_at)
      VALUES (${claim.caller}, ${claim.key}, ${fingerprint}, '', ${sealed}, ${now})`,
  ];
}

/** The statement that keeps the answer, JSON by now, behind the writes that it tells of. */
export const keepAnswer = (claim: Claim, answer: SQL): SQL =>
  sql`UPDATE idempotency_keys SET answer = ${answer} WHERE ${rowOf(claim)}`;

/** For a batch that writes nothing where it refuses: what was refused is not remembered. */
export const forgetUnless = (claim: Claim, done: SQL): SQL =>
  sql`DELETE FROM idempotency_keys WHERE ${rowOf(claim)} AND NOT ${done}`;

/** Adds to a kept answer what a later step of its request came to. */
export const amendAnswer = (db: Database, claim: Claim, member: string, value: object) =>
  db.run(sql`UPDATE idempotency_keys SET answer = json_set(answer, ${`$.${member}`}, json(${JSON.stringify(value)}))
    WHERE ${rowOf(claim)}`);

/** The primary key of a claim, violated: the earlier request is answered again, or this one is told that it is another. */
export const keyTaken = {
  idempotency_keys: () =>
    conflict("idempotency_key_in_use", "This Idempotency-Key was used in the same instant: try again"),
};

/**
 * Runs the writes, then reads `answer`, a JSON object, as one batch: a single round trip, and all of it happens or nothing
 * does. Where the request came with an Idempotency-Key its answer is kept by the same batch. Null says that there is none.
 */
export async function writeOnce<Answer>(
  db: Database,
  { claim, now }: Pick<Author, "claim" | "now">,
  writes: readonly SQL[],
  answer: SQL,
  secret?: object,
): Promise<Answer | null> {
  const read = (value: SQL) => db.select({ answer: json<Answer>(value).as("answer") }).from(sql`(SELECT 1)`);
  if (!claim) return rowOfAnswer(await writeThenRead(db, writes, read(answer)));
  const all = [...(await claimKey(claim, now, secret)), ...writes, keepAnswer(claim, answer)];
  const kept = sql`(SELECT answer FROM idempotency_keys WHERE ${rowOf(claim)})`;
  return rowOfAnswer(await refusing(writeThenRead(db, all, read(kept)), keyTaken));
}

const rowOfAnswer = <Answer>([row]: { answer: Answer }[]): Answer | null => row?.answer ?? null;

export type Remembered = Pick<typeof idempotencyKeys.$inferSelect, "fingerprint" | "answer" | "sealed">;

/** What is remembered of a key that was used within a day. */
export const recall = (db: Database, { caller, key }: Claim, now: number): Promise<Remembered | undefined> =>
  db
    .select({
      fingerprint: idempotencyKeys.fingerprint,
      answer: idempotencyKeys.answer,
      sealed: idempotencyKeys.sealed,
    })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.caller, caller),
        eq(idempotencyKeys.key, key),
        gt(idempotencyKeys.createdAt, now - KEPT_MS),
      ),
    )
    .get();

/** For a request that is not to begin a second time: refuses it ahead of its batch when its key is taken. */
export async function requireUnclaimed(db: Database, { claim, now }: Pick<Author, "claim" | "now">): Promise<void> {
  if (claim && (await recall(db, claim, now))) throw keyTaken.idempotency_keys();
}

/** Forgets the keys that are older than a day: they stand ahead of all others, so no other is read. */
export const forgetOldKeys = (db: Database, now: number) =>
  db.run(sql`DELETE FROM idempotency_keys WHERE created_at <= ${now - KEPT_MS} AND rowid < coalesce(
    (SELECT rowid FROM idempotency_keys WHERE created_at > ${now - KEPT_MS} ORDER BY rowid LIMIT 1),
    ${Number.MAX_SAFE_INTEGER})`);
