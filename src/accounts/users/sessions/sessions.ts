import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { type AddressedRequest, clientAddress } from "../../../platform/auth/client-address.ts";
import { hashSecret, randomToken } from "../../../platform/auth/secrets.ts";
import { ACCESS_TOKEN_MS } from "../../../platform/auth/tokens.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { refreshTokens, sessions } from "../../../platform/db/schema.ts";
import { translateViolations, violates } from "../../../platform/db/violation.ts";
import { limitAndOffset, type PageQuery } from "../../../platform/http/pagination.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";

/** A session to be opened, with the refresh token that only its user will know. */
export type NewSession = {
  id: string;
  refreshToken: string;
  client: SessionClient;
  now: number;
  endsAt: number;
  /** When its user last showed a password or code. */
  authenticatedAt: number;
};

export const newSession = (now: number, client: SessionClient, lifetimeMs = SESSION_MS): NewSession => ({
  id: crypto.randomUUID(),
  refreshToken: randomToken("sfr_"),
  client,
  now,
  endsAt: now + lifetimeMs,
  authenticatedAt: now,
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

/** What opens a session beside the password: statements before it and after it, and whether a second factor is shown. */
type Opening = { twoFactor: boolean; ahead: SQL[]; after: SQL[] };

/** The rules of the database that refuse to open a session: its password, factor, code or challenge is another by now. */
const REFUSALS = ["FOREIGN KEY", "two_factor_required", "code_used", "row_changed"];

/**
 * Opens a session for a password that was just verified. False says that the stored hash is another by now, or the account
 * disabled, or that the second factor was enabled, or its code used, in the meantime: the session was not opened.
 */
export async function openSession(
  db: Database,
  user: { id: number; passwordHash: string },
  session: NewSession,
  { twoFactor, ahead, after }: Opening,
): Promise<boolean> {
  const verified = sql`id = ${user.id} AND password_hash = ${user.passwordHash} AND disabled_at IS NULL`;
  const { address, userAgent } = session.client;
  const insert = sql`INSERT INTO sessions (id, user_id, created_at, last_used_at, address, user_agent, two_factor)
    SELECT ${session.id}, id, ${session.now}, ${session.now}, ${address}, ${userAgent}, ${twoFactor} FROM users WHERE ${verified}`;
  // Without a session the refresh token has nothing to belong to.
  const writes = [...ahead, insert, insertRefreshToken(db, session).getSQL(), ...after];
  try {
    await runAll(db, writes);
    return true;
  } catch (error) {
    if (REFUSALS.some((rule) => violates(error, rule))) return false;
    throw error;
  }
}

/** Writes that the session's user showed a password or code. */
export const markAuthenticated = (id: string, now: number): SQL =>
  sql`UPDATE sessions SET authenticated_at = ${now} WHERE id = ${id}`;

/** Writes when, from where and by what a session is used. */
export const touchSession = (db: Database, { id, now, client }: Pick<NewSession, "id" | "now" | "client">) =>
  db
    .update(sessions)
    .set({ lastUsedAt: now, ...client })
    .where(eq(sessions.id, id));

/** The sessions of a user that have not ended. */
const live = (userId: number) => and(eq(sessions.userId, userId), isNull(sessions.endedAt));

export type SessionRow = typeof sessions.$inferSelect;

/** A page of the user's sessions, those that were used last first, and how many there are. */
export function listSessions(db: Database, userId: number, query: PageQuery): Promise<PageOf<SessionRow>> {
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select()
    .from(sessions)
    .where(live(userId))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, sessions, live(userId));
}

/** How many rows one statement ends or deletes. */
const ENDED_AT_ONCE = 1000;

/** Deletes refresh tokens that have expired, and sessions an hour after they ended. */
export const deleteExpiredSessions = (db: Database, now: number) =>
  workOffInBulk(
    db,
    now,
    {
      queue: "end_sessions",
      id: sql`sessions.id`,
      atOnce: ENDED_AT_ONCE,
      due: (which) => sql`
        SELECT id FROM sessions WHERE ended_at IS NULL AND ${which}
          AND id IN (SELECT session_id FROM refresh_tokens WHERE expires_at <= ${now})
          AND id NOT IN (SELECT session_id FROM refresh_tokens WHERE session_id = sessions.id AND expires_at > ${now})
        LIMIT ${ENDED_AT_ONCE}`,
      write: (ids) => sql`UPDATE sessions SET ended_at = ${now} WHERE id IN (${ids}) RETURNING 1`,
    },
    {
      queue: "delete_refresh_tokens",
      id: sql`refresh_tokens.hash`,
      atOnce: ENDED_AT_ONCE,
      due: (which) => sql`
        SELECT hash FROM refresh_tokens WHERE expires_at <= ${now} AND ${which} AND session_id NOT IN (
          SELECT id FROM sessions WHERE id = session_id AND ended_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM refresh_tokens AS live WHERE live.session_id = sessions.id AND live.expires_at > ${now}))
        LIMIT ${ENDED_AT_ONCE}`,
      write: (ids) => sql`DELETE FROM refresh_tokens WHERE hash IN (${ids}) RETURNING 1`,
    },
    {
      queue: "delete_sessions",
      id: sql`sessions.id`,
      atOnce: ENDED_AT_ONCE,
      due: (which) => sql`
        SELECT id FROM sessions WHERE ended_at <= ${now - ACCESS_TOKEN_MS} AND ${which} LIMIT ${ENDED_AT_ONCE}`,
      write: (ids) => sql`DELETE FROM sessions WHERE id IN (${ids}) RETURNING 1`,
    },
  );

/** The statement that stores a session's refresh token. */
export const insertRefreshToken = (db: Database, { id, refreshToken, now, endsAt }: NewSession, parentHash?: string) =>
  db.insert(refreshTokens).values({
    hash: hashSecret(refreshToken),
    sessionId: id,
    expiresAt: Math.min(now + REFRESH_TOKEN_MS, endsAt),
    createdAt: now,
    parentHash,
  });

/** The last refresh token of a session lives this long. */
const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;

/** However often it is refreshed, a session ends for good after this long. */
export const SESSION_MS = 90 * 24 * 60 * 60 * 1000;

/** A token that was used so recently may be sent again: its response was probably lost, and the token not stolen. */
const GRACE_MS = 10_000;

/** A refresh token as it is stored, with what its session and account are worth now. */
export type RefreshState = {
  expiresAt: number;
  spentAt: number | null;
  endedAt: number | null;
  /** When the session ends for good. */
  endsAt: number;
  user: { disabledAt: number | null };
};

/** "reuse": someone holds a copy of a token that was already exchanged, so the whole session has to end. */
export function checkRefreshToken(token: RefreshState, now: number): "rotate" | "reuse" | "refuse" {
  if (token.endedAt !== null || token.user.disabledAt !== null) return "refuse";
  if (Math.min(token.expiresAt, token.endsAt) <= now) return "refuse";
  if (token.spentAt !== null && token.spentAt + GRACE_MS <= now) return "reuse";
  return "rotate";
}

/** From where, and by what software, a session is used: so that its user recognizes it. */
export type SessionClient = { address: string | null; userAgent: string | null };

const LONGEST_AGENT = 300;

/** What a server says of itself tells nothing of the shopper for whom it asks. */
export const sessionClientOf = (c: AddressedRequest): SessionClient => ({
  address: clientAddress(c) ?? null,
  userAgent:
    c.var.identity?.kind === "api_key" ? null : (c.req.raw.headers.get("User-Agent")?.slice(0, LONGEST_AGENT) ?? null),
});

/** Ends a session of the user. False says that there is none with this id. */
export async function endSession(db: Database, userId: number, id: string, now: number): Promise<boolean> {
  const ended = await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(live(userId), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** All sessions of the user. */
export const endSessions = (userId: number | SQL, now: number): SQL =>
  sql`UPDATE sessions SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL`;

/** All sessions of the user but the one that asks. */
export const endOtherSessions = (db: Database, userId: number, keep: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(live(userId), ne(sessions.id, keep)));

/** Ends a session of the user, or with null all of them, with an entry in the audit log. */
export async function endAndAudit(db: Database, userId: number, id: string | null, author: Author): Promise<void> {
  const ended = sql`user_id = ${userId} AND ended_at IS NULL AND ${id === null ? sql`TRUE` : sql`id = ${id}`}`;
  const entry = { action: "end_sessions", subject: "user", before: null, after: null } as const;
  const written = runAll(db, [
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM sessions WHERE ${ended})`,
    auditEntry(author, entry, userId),
    sql`UPDATE sessions SET ended_at = ${author.now} WHERE ${ended}`,
  ]);
  await translateViolations(written, { row_changed: () => notFound("The session") });
}
