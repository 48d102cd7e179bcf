import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { AuthorContext } from "../../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../../platform/auth/secrets.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { loginChallenges, totpSecrets, users } from "../../../platform/db/schema.ts";
import { insertSelected, precondition, violates } from "../../../platform/db/statements.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";
import { replaceHash } from "../users.ts";
import { hashRecoveryCode } from "./codes.ts";
import { type Factor, factorColumns } from "./two-factor.ts";

/** How long a login challenge waits for its code. */
const CHALLENGE_MS = 10 * 60_000;

/** A login whose password was right. A code completes it. */
export type LoginChallenge = { challenge: string; expiresAt: number };

/** Inserts a login challenge. `newHash` replaces a password hash with outdated parameters. */
export async function insertChallenge(
  { db, author }: AuthorContext,
  { user, newHash }: { user: { id: number; passwordHash: string }; newHash?: string | undefined },
): Promise<LoginChallenge> {
  const [challenge, expiresAt] = [randomToken("sfl_"), author.now + CHALLENGE_MS];
  const verified = and(eq(users.id, user.id), eq(users.passwordHash, newHash ?? user.passwordHash));
  const row = { hash: hashSecret(challenge), userId: users.id, expiresAt };
  const insert = insertSelected(loginChallenges, row, sql`FROM ${users} WHERE ${verified}`);
  await runAll(db, [...(newHash === undefined ? [] : [replaceHash(user, newHash)]), insert]);
  return { challenge, expiresAt };
}

/**
 * Counts an attempt at a challenge and reads the user's factor. Returns nothing if the challenge has expired or has no
 * attempts left.
 */
export async function takeChallengeAttempt(
  { db, author }: AuthorContext,
  { challenge, code }: { challenge: string; code: string },
): Promise<Factor | undefined> {
  const waiting = and(eq(loginChallenges.hash, hashSecret(challenge)), gt(loginChallenges.expiresAt, author.now));
  try {
    const [, [factor]] = await db.batch([
      db
        .update(loginChallenges)
        .set({ attempts: sql`${loginChallenges.attempts} + 1` })
        .where(waiting),
      db
        .select(factorColumns(hashRecoveryCode(code)))
        .from(loginChallenges)
        .innerJoin(totpSecrets, eq(totpSecrets.userId, loginChallenges.userId))
        .innerJoin(users, eq(users.id, loginChallenges.userId))
        .where(waiting),
    ]);
    return factor;
  } catch (error) {
    if (violates(error, "challenge_attempts_within_limit")) return undefined;
    throw error;
  }
}

/** Refuses the batch if the challenge was completed or the password changed in the meantime. */
export const challengeWaits = (challenge: string): SQL =>
  precondition(sql`EXISTS (SELECT 1 FROM ${loginChallenges} WHERE ${eq(loginChallenges.hash, hashSecret(challenge))})`);

export const deleteChallenge = (challenge: string): SQL =>
  sql`DELETE FROM ${loginChallenges} WHERE ${eq(loginChallenges.hash, hashSecret(challenge))}`;

export const deleteExpiredChallenges = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_login_challenges",
    id: loginChallenges.hash,
    where: lte(loginChallenges.expiresAt, now),
  });
