import { createHmac } from "node:crypto";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { conflict } from "../../domain/errors.ts";
import { countStoredBytes, storageRefused } from "../auth/author-limits.ts";
import type { Author, AuthorClaim } from "../auth/caller.ts";
import { seal, unseal } from "../auth/seal.ts";
import { sameSecret } from "../auth/secrets.ts";
import { type Database, DELETED_AT_ONCE, writeThenRead } from "../db/client.ts";
import { json } from "../db/json.ts";
import { idempotencyKeys } from "../db/schema.ts";
import { translateViolations } from "../db/statements.ts";
import { workOffInBulk } from "../queues/work-off.ts";

/** Milliseconds for which an Idempotency-Key and its response are stored. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Keyed hashes of a request, newest secret first: the request may contain a password, which a plain hash would reveal to
 * guessing.
 */
async function fingerprintsOf({ caller, key, asked, secrets }: AuthorClaim): Promise<string[]> {
  const request = JSON.stringify(["idempotent request", caller, key, await asked()]);
  return secrets.map((secret) => createHmac("sha256", secret).update(request).digest("hex"));
}

/** True if the fingerprint stored with a key belongs to this request. Also tries secrets that were rotated since. */
export const isSameRequest = async (claim: AuthorClaim, fingerprint: string): Promise<boolean> =>
  (await fingerprintsOf(claim)).some((own) => sameSecret(own, fingerprint));

// Encrypts parts of a response that are stored nowhere else, such as a new key's value or tokens. Only the same caller with
// the same Idempotency-Key can decrypt them.

const purposeOf = ({ caller, key }: AuthorClaim) => ["idempotent answer", caller, key] as const;

const sealAnswer = (claim: AuthorClaim, secret: object): string => seal(claim.secrets, purposeOf(claim), secret);

export const unsealAnswer = (claim: AuthorClaim, sealed: string): object =>
  unseal(claim.secrets, purposeOf(claim), sealed);

/** The part of an Author needed to store a response under an Idempotency-Key. */
export type Writer = Pick<Author, "actor" | "claim" | "storage" | "now">;

const rowOf = ({ caller, key }: AuthorClaim): SQL => sql`caller = ${caller} AND key = ${key}`;

/**
 * First statements of a claimed batch. A used key violates the primary key of `idempotency_keys` and with it the whole batch,
 * so that a request is never seen in progress. `secret` holds the parts of the response that no table stores.
 */
export async function claimKey(claim: AuthorClaim, now: number, secret?: object): Promise<[SQL, SQL]> {
  const [fingerprint] = await fingerprintsOf(claim);
  const sealed = secret ? sealAnswer(claim, secret) : null;
  return [
    sql`DELETE FROM idempotency_keys WHERE ${rowOf(claim)} AND created_at <= ${now - KEY_LIFETIME_MS}`,
    sql`INSERT INTO idempotency_keys (caller, key, fingerprint, answer, sealed, created_at)
      VALUES (${claim.caller}, ${claim.key}, ${fingerprint}, '', ${sealed}, ${now})`,
  ];
}

/** The statement that stores the response as JSON, after the writes that it describes. */
export const storeResponse = (claim: AuthorClaim, answer: SQL): SQL =>
  sql`UPDATE idempotency_keys SET answer = ${answer} WHERE ${rowOf(claim)}`;

/** Counts the stored response towards its caller's storage limit. */
const countResponse = (author: Writer, claim: AuthorClaim): SQL[] =>
  countStoredBytes(
    { author },
    sql`coalesce((SELECT 200 + 2 * octet_length(caller || key) + octet_length(answer) + coalesce(octet_length(sealed), 0) FROM idempotency_keys WHERE ${rowOf(claim)}), 0)`,
  );

/** Deletes the key unless `done` holds, for a batch that may write nothing: refusals are not stored. */
export const deleteKeyUnless = (claim: AuthorClaim, done: SQL): SQL =>
  sql`DELETE FROM idempotency_keys WHERE ${rowOf(claim)} AND NOT ${done}`;

/** Adds a member to a stored response in a later step of its request. */
export const amendResponse = (db: Database, claim: AuthorClaim, member: string, value: object) =>
  db.run(sql`UPDATE idempotency_keys SET answer = json_set(answer, ${`$.${member}`}, json(${JSON.stringify(value)}))
    WHERE ${rowOf(claim)}`);

/** The error for a used key: the stored response is replayed, or the request refused as different. */
export const keyTaken = {
  "idempotency_keys.caller": () =>
    conflict("idempotency_key_in_use", "This Idempotency-Key was used at the same time. Try again"),
};

/**
 * Runs the writes and reads `answer`, a JSON object, in one batch and round trip: all or nothing. The batch also stores the
 * response of a request with an Idempotency-Key. Returns null if there is no answer.
 */
export async function writeOnce<Answer>(
  { db, author }: { db: Database; author: Writer },
  { writes, answer, secret }: { writes: readonly SQL[]; answer: SQL; secret?: object | undefined },
): Promise<Answer | null> {
  const { claim, now } = author;
  const read = (value: SQL) => db.select({ answer: json<Answer>(value).as("answer") }).from(sql`(SELECT 1)`);
  if (!claim)
    return rowOfAnswer(await translateViolations(writeThenRead(db, writes, read(answer)), storageRefused(now)));
  const all = [
    ...(await claimKey(claim, now, secret)),
    ...writes,
    storeResponse(claim, answer),
    ...countResponse(author, claim),
  ];
  const stored = sql`(SELECT answer FROM idempotency_keys WHERE ${rowOf(claim)})`;
  return rowOfAnswer(
    await translateViolations(writeThenRead(db, all, read(stored)), { ...storageRefused(now), ...keyTaken }),
  );
}

const rowOfAnswer = <Answer>([row]: { answer: Answer }[]): Answer | null => row?.answer ?? null;

export type StoredResponse = Pick<typeof idempotencyKeys.$inferSelect, "fingerprint" | "answer" | "sealed">;

/** The stored response of a key used within a day. */
export const findStoredResponse = (
  db: Database,
  { caller, key }: AuthorClaim,
  now: number,
): Promise<StoredResponse | undefined> =>
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
        gt(idempotencyKeys.createdAt, now - KEY_LIFETIME_MS),
      ),
    )
    .get();

/** Refuses a request with a used key before its batch, for actions that must not start twice. */
export async function requireUnusedKey({
  db,
  author: { claim, now },
}: {
  db: Database;
  author: Pick<Author, "claim" | "now">;
}): Promise<void> {
  if (claim && (await findStoredResponse(db, claim, now))) throw keyTaken["idempotency_keys.caller"]();
}

/** Deletes keys older than a day. They come first in the table, so that no other row is read. */
export const deleteOldKeys = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_idempotency_keys",
    id: sql`idempotency_keys.rowid`,
    atOnce: DELETED_AT_ONCE,
    due: (which) => sql`
      SELECT rowid FROM idempotency_keys WHERE created_at <= ${now - KEY_LIFETIME_MS} AND rowid < coalesce(
        (SELECT rowid FROM idempotency_keys WHERE created_at > ${now - KEY_LIFETIME_MS} ORDER BY rowid LIMIT 1),
        ${Number.MAX_SAFE_INTEGER}) AND ${which}
      ORDER BY rowid LIMIT ${DELETED_AT_ONCE}`,
    write: (ids) => sql`DELETE FROM idempotency_keys WHERE rowid IN (${ids}) RETURNING 1`,
  });
