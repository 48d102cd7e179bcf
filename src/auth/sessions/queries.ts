import { and, eq, getTableColumns, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { refreshTokens, sessions, users } from "../../db/schema.ts";
import { hashSecret, randomToken } from "../secrets.ts";
import { REFRESH_TOKEN_MS } from "./rotation.ts";

/** A session to be opened, with the refresh token that only its user will know. */
export type NewSession = { id: string; refreshToken: string; now: number };

export const newSession = (now: number): NewSession => ({
  id: crypto.randomUUID(),
  refreshToken: randomToken("sfr_"),
  now,
});

/** The statements that open a session, for a batch. */
export const sessionInserts = (db: Database, userId: number | SQL, { id, refreshToken, now }: NewSession) =>
  [
    db.insert(sessions).values({ id, userId: sql`${userId}`, createdAt: now }),
    insertRefreshToken(db, id, refreshToken, now),
  ] as const;

/** Opens a session, and stores a password's new hash with it where the old one has aged. */
export async function insertSession(
  db: Database,
  userId: number,
  session: NewSession,
  passwordHash: string | undefined,
): Promise<void> {
  const rehash = passwordHash === undefined ? [] : [db.update(users).set({ passwordHash }).where(eq(users.id, userId))];
  await db.batch([...sessionInserts(db, userId, session), ...rehash]);
}

/** A refresh token with its session and its user. */
export const findRefreshToken = (db: Database, token: string) =>
  db
    .select({
      sessionId: refreshTokens.sessionId,
      expiresAt: refreshTokens.expiresAt,
      spentAt: refreshTokens.spentAt,
      endedAt: sessions.endedAt,
      user: getTableColumns(users),
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(refreshTokens.hash, hashSecret(token)))
    .get();

/** Spends a token and stores the one that takes its place. */
export const rotateRefreshToken = (db: Database, spent: string, { id, refreshToken, now }: NewSession) =>
  db.batch([
    db
      .update(refreshTokens)
      .set({ spentAt: now })
      .where(and(eq(refreshTokens.hash, hashSecret(spent)), isNull(refreshTokens.spentAt))),
    insertRefreshToken(db, id, refreshToken, now),
  ]);

export const endSession = (db: Database, id: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)));

/** All sessions of the user but the one that asks. */
export const endOtherSessions = (db: Database, userId: number, keep: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keep), isNull(sessions.endedAt)));

const insertRefreshToken = (db: Database, sessionId: string, token: string, now: number) =>
  db
    .insert(refreshTokens)
    .values({ hash: hashSecret(token), sessionId, expiresAt: now + REFRESH_TOKEN_MS, createdAt: now });
