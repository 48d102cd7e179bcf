import { and, desc, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import { hashSecret, randomToken } from "../../auth/secrets.ts";
import { ACCESS_TOKEN_MS } from "../../auth/tokens.ts";
import { type Database, statement } from "../../db/client.ts";
import { type PageOf, readPage } from "../../db/page.ts";
import { refreshTokens, sessions, users } from "../../db/schema.ts";
import { violates } from "../../db/violation.ts";
import { limitAndOffset, type PageQuery } from "../../http/pagination.ts";
import type { SessionClient } from "./client.ts";
import { REFRESH_TOKEN_MS, SESSION_MS } from "./rotation.ts";

/** A session to be opened, with the refresh token that only its user will know. */
export type NewSession = { id: string; refreshToken: string; client: SessionClient; now: number; endsAt: number };

export const newSession = (now: number, client: SessionClient, lifetimeMs = SESSION_MS): NewSession => ({
  id: crypto.randomUUID(),
  refreshToken: randomToken("sfr_"),
  client,
  now,
  endsAt: now + lifetimeMs,
});

/** The statements that open a session, for a batch. */
export const sessionInserts = (db: Database, userId: number | SQL, session: NewSession) =>
  [
    db.insert(sessions).values({
      id: session.id,
      userId: sql`${userId}`,
      createdAt: session.now,
      lastUsedAt: session.now,
      ...session.client,
    }),
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
  const { address, userAgent } = session.client;
  try {
    await db.batch([
      statement(
        db,
        sql`INSERT INTO sessions (id, user_id, created_at, last_used_at, address, user_agent)
          SELECT ${session.id}, id, ${session.now}, ${session.now}, ${address}, ${userAgent} FROM users WHERE ${verified}`,
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

/** Writes when, from where and by what a session is used. */
export const touchSession = (db: Database, { id, now, client }: Pick<NewSession, "id" | "now" | "client">) =>
  db
    .update(sessions)
    .set({ lastUsedAt: now, ...client })
    .where(eq(sessions.id, id));

/** The sessions of a user that have not ended. */
export const live = (userId: number) => and(eq(sessions.userId, userId), isNull(sessions.endedAt));

export type SessionRow = typeof sessions.$inferSelect;

/** A page of the user's sessions, those that were used last first, and how many there are. */
export function listSessions(db: Database, userId: number, query: PageQuery): Promise<PageOf<SessionRow>> {
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select()
    .from(sessions)
    .where(live(userId))
    .orderBy(desc(sessions.lastUsedAt), sessions.id)
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, sessions, live(userId));
}

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

/** The statement that stores a session's refresh token. */
export const insertRefreshToken = (db: Database, { id, refreshToken, now, endsAt }: NewSession, parentHash?: string) =>
  db.insert(refreshTokens).values({
    hash: hashSecret(refreshToken),
    sessionId: id,
    expiresAt: Math.min(now + REFRESH_TOKEN_MS, endsAt),
    createdAt: now,
    parentHash,
  });
