import { and, eq, getTableColumns, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { hashSecret, randomToken } from "../../auth/secrets.ts";
import { ACCESS_TOKEN_MS } from "../../auth/tokens.ts";
import { type Database, statement } from "../../db/client.ts";
import { refreshTokens, sessions, users } from "../../db/schema.ts";
import { violates } from "../../db/violation.ts";
import { REFRESH_TOKEN_MS, SESSION_MS } from "./rotation.ts";

/** A session to be opened, with the refresh token that only its user will know. */
export type NewSession = { id: string; refreshToken: string; now: number; endsAt: number };

export const newSession = (now: number): NewSession => ({
  id: crypto.randomUUID(),
  refreshToken: randomToken("sfr_"),
  now,
  endsAt: now + SESSION_MS,
});

/** The statements that open a session, for a batch. */
export const sessionInserts = (db: Database, userId: number | SQL, session: NewSession) =>
  [
    db.insert(sessions).values({ id: session.id, userId: sql`${userId}`, createdAt: session.now }),
    insertRefreshToken(db, session),
  ] as const;

/**
 * Opens a session for a password that was just verified, and stores its new hash where the old one has aged. False says
 * that the stored hash is another by now, or the account disabled: the session was not opened. `entry` is for the audit log.
 */
export async function openSession(
  db: Database,
  user: { id: number; passwordHash: string },
  session: NewSession,
  newHash: string | undefined,
  entry: SQL | null,
): Promise<boolean> {
  const verified = sql`id = ${user.id} AND password_hash = ${user.passwordHash} AND disabled_at IS NULL`;
  try {
    await db.batch([
      statement(
        db,
        sql`INSERT INTO sessions (id, user_id, created_at) SELECT ${session.id}, id, ${session.now} FROM users WHERE ${verified}`,
      ),
      insertRefreshToken(db, session),
      ...(newHash === undefined ? [] : [db.update(users).set({ passwordHash: newHash }).where(verified)]),
      ...(entry ? [statement(db, entry)] : []),
    ]);
    return true;
  } catch (error) {
    // Without a session the refresh token has nothing to belong to.
    if (violates(error, "FOREIGN KEY")) return false;
    throw error;
  }
}

/** A refresh token with its session and its user. */
export const findRefreshToken = (db: Database, token: string) =>
  db
    .select({
      sessionId: refreshTokens.sessionId,
      expiresAt: refreshTokens.expiresAt,
      spentAt: refreshTokens.spentAt,
      endedAt: sessions.endedAt,
      endsAt: sql<number>`${sessions.createdAt} + ${SESSION_MS}`,
      user: getTableColumns(users),
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(refreshTokens.hash, hashSecret(token)))
    .get();

/**
 * Spends a token and stores the one that takes its place, instead of any that did before. "replaced" says that the token is
 * itself one that was replaced meanwhile, "reuse" that the one in its place was exchanged already.
 */
export async function rotateRefreshToken(
  db: Database,
  spent: string,
  session: NewSession,
): Promise<"rotated" | "replaced" | "reuse"> {
  const hash = hashSecret(spent);
  try {
    await db.batch([
      db
        .update(refreshTokens)
        .set({ spentAt: session.now })
        .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.spentAt))),
      db.delete(refreshTokens).where(and(eq(refreshTokens.parentHash, hash), isNull(refreshTokens.spentAt))),
      insertRefreshToken(db, session, hash),
    ]);
    return "rotated";
  } catch (error) {
    if (violates(error, "FOREIGN KEY")) return "replaced";
    if (violates(error, "refresh_tokens.parent_hash")) return "reuse";
    throw error;
  }
}

export const endSession = (db: Database, id: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)));

/** All sessions of the user. */
export const endSessions = (userId: number | SQL, now: number): SQL =>
  sql`UPDATE sessions SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL`;

/** All sessions of the user but the one that asks. */
export const endOtherSessions = (db: Database, userId: number, keep: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keep), isNull(sessions.endedAt)));

/** Deletes refresh tokens that have expired, and sessions an hour after they ended. */
export const deleteExpiredSessions = (db: Database, now: number) =>
  db.batch([
    statement(
      db,
      sql`UPDATE sessions SET ended_at = ${now} WHERE ended_at IS NULL
        AND id IN (SELECT session_id FROM refresh_tokens WHERE expires_at <= ${now})
        AND id NOT IN (SELECT session_id FROM refresh_tokens WHERE session_id = sessions.id AND expires_at > ${now})`,
    ),
    db.delete(refreshTokens).where(lte(refreshTokens.expiresAt, now)),
    db.delete(sessions).where(lte(sessions.endedAt, now - ACCESS_TOKEN_MS)),
  ]);

const insertRefreshToken = (db: Database, { id, refreshToken, now, endsAt }: NewSession, parentHash?: string) =>
  db.insert(refreshTokens).values({
    hash: hashSecret(refreshToken),
    sessionId: id,
    expiresAt: Math.min(now + REFRESH_TOKEN_MS, endsAt),
    createdAt: now,
    parentHash,
  });
