import { and, desc, eq, getTableColumns, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Timestamp } from "../../../domain/fields.ts";
import { toRecord } from "../../../domain/record.ts";
import type { Author, UserCaller, UserContext, WriteContext } from "../../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../../platform/auth/secrets.ts";
import { ACCESS_TOKEN_MS } from "../../../platform/auth/tokens.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { apps, refreshTokens, sessions, users } from "../../../platform/db/schema.ts";
import { insertSelected, updateRows, violates } from "../../../platform/db/statements.ts";
import type { PageQuery } from "../../../platform/http/pagination.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";
import { SESSION_MS, type SessionClient } from "../account-context.ts";

/** A new session, with a refresh token known only to its user. */
export type NewSession = {
  id: string;
  refreshToken: string;
  client: SessionClient;
  now: number;
  endsAt: number;
  /** When the user last entered a password or code. */
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

/** Statements that open a session, for a batch. */
export const sessionInserts = (
  ctx: Pick<WriteContext, "db">,
  { userId, session }: { userId: number | SQL; session: NewSession },
) =>
  [
    ctx.db.insert(sessions).values({
      id: session.id,
      userId: sql`${userId}`,
      createdAt: session.now,
      lastUsedAt: session.now,
      ...session.client,
    }),
    insertRefreshToken(ctx, { session }),
  ] as const;

/**
 * A session to open for a password, statements before and after it, and whether a second factor was entered.
 */
type SessionOpening = {
  user: { id: number; passwordHash: string };
  session: NewSession;
  twoFactor: boolean;
  ahead: SQL[];
  after: SQL[];
};

/** Database rules that refuse to open a session, because its password, second factor, code or challenge has changed. */
const REFUSALS = ["FOREIGN KEY", "two_factor_required", "code_used", "row_changed"];

/**
 * Opens a session for a password that was just verified. Returns false without opening it if, in the meantime, the password
 * changed, the account was disabled, the second factor was enabled, or its code was used.
 */
export async function openSession(
  ctx: Pick<WriteContext, "db">,
  { user, session, twoFactor, ahead, after }: SessionOpening,
): Promise<boolean> {
  const { id, now, client } = session;
  const opened = { id, userId: users.id, createdAt: now, lastUsedAt: now, ...client, twoFactor };
  const insert = insertSelected(
    sessions,
    opened,
    sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${users.passwordHash} = ${user.passwordHash}
      AND ${users.disabledAt} IS NULL`,
  );
  // If the session is not inserted, its refresh token violates the foreign key.
  const writes = [...ahead, insert, insertRefreshToken(ctx, { session }).getSQL(), ...after];
  try {
    await runAll(ctx.db, writes);
    return true;
  } catch (error) {
    if (REFUSALS.some((rule) => violates(error, rule))) return false;
    throw error;
  }
}

/** Records that the session's user entered a password or code. */
export const markAuthenticated = ({ caller, author }: Pick<WriteContext<UserCaller>, "caller" | "author">): SQL =>
  updateRows(sessions, { authenticatedAt: author.now }, eq(sessions.id, caller.sessionId));

/** Records when, from where and with what client a session is used. */
export const touchSession = (
  { db }: Pick<WriteContext, "db">,
  { id, now, client }: Pick<NewSession, "id" | "now" | "client">,
) =>
  db
    .update(sessions)
    .set({ lastUsedAt: now, ...client })
    .where(eq(sessions.id, id));

/** Sessions of a user that have not ended. */
export const live = (userId: number) => and(eq(sessions.userId, userId), isNull(sessions.endedAt));

/** A session, with the name of the app that uses it. */
export type SessionRow = typeof sessions.$inferSelect & { appName: string | null };

/** Returns a page of the user's sessions, most recently used first, and the total. */
export function listSessions(db: Database, userId: number, query: PageQuery): Promise<PageOf<SessionRow>> {
  const rows = db
    .select({ ...getTableColumns(sessions), appName: apps.name })
    .from(sessions)
    .leftJoin(apps, eq(apps.id, sessions.appId))
    .where(live(userId))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id));
  return readPage(db, query, rows, sessions, live(userId));
}

/** Deletes expired refresh tokens, and sessions an hour after they ended. */
export const deleteExpiredSessions = (db: Database, now: number) =>
  workOffInBulk(
    db,
    now,
    {
      queue: "end_sessions",
      id: sessions.id,
      where: sql`ended_at IS NULL AND id IN (SELECT session_id FROM refresh_tokens WHERE expires_at <= ${now})
        AND id NOT IN (SELECT session_id FROM refresh_tokens WHERE session_id = sessions.id AND expires_at > ${now})`,
      write: (ids) => sql`${updateRows(sessions, { endedAt: now }, sql`${sessions.id} IN (${ids})`)} RETURNING 1`,
    },
    {
      queue: "delete_refresh_tokens",
      id: refreshTokens.hash,
      where: sql`expires_at <= ${now} AND session_id NOT IN (
        SELECT id FROM sessions WHERE id = session_id AND ended_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM refresh_tokens AS live WHERE live.session_id = sessions.id AND live.expires_at > ${now}))`,
    },
    { queue: "delete_sessions", id: sessions.id, where: lte(sessions.endedAt, now - ACCESS_TOKEN_MS) },
  );

export const insertRefreshToken = (
  { db }: Pick<WriteContext, "db">,
  { session: { id, refreshToken, now, endsAt }, parentHash }: { session: NewSession; parentHash?: string },
) =>
  db.insert(refreshTokens).values({
    hash: hashSecret(refreshToken),
    sessionId: id,
    expiresAt: Math.min(now + REFRESH_TOKEN_MS, endsAt),
    createdAt: now,
    parentHash,
  });

/** Lifetime of a refresh token that is not exchanged. */
const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;

/** A token used this recently may be sent again: its response was probably lost, not its token stolen. */
const GRACE_MS = 10_000;

/** A stored refresh token, with the current state of its session and account. */
export type RefreshState = {
  expiresAt: number;
  spentAt: number | null;
  endedAt: number | null;
  /** When the session ends for good. */
  endsAt: number;
  user: { disabledAt: number | null };
};

/** "reuse" means that somebody holds a copy of an exchanged token, so the whole session must end. */
export function checkRefreshToken(token: RefreshState, now: number): "rotate" | "reuse" | "refuse" {
  if (token.endedAt !== null || token.user.disabledAt !== null) return "refuse";
  if (Math.min(token.expiresAt, token.endsAt) <= now) return "refuse";
  if (token.spentAt !== null && token.spentAt + GRACE_MS <= now) return "reuse";
  return "rotate";
}

export const endSessions = ({ author }: { author: Pick<Author, "now"> }, userId: number | SQL): SQL =>
  updateRows(sessions, { endedAt: author.now }, sql`${sessions.userId} = ${userId} AND ${sessions.endedAt} IS NULL`);

/** Ends all of the caller's sessions except the current one. */
export const endOtherSessions = ({ db, caller, author }: UserContext) =>
  db
    .update(sessions)
    .set({ endedAt: author.now })
    .where(and(live(caller.id), ne(sessions.id, caller.sessionId)));

export const SessionParam = z.object({ id: z.uuid() });

export const AccountSession = z
  .object({
    id: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.describe("Time at which the session was last opened or refreshed"),
    address: z.string().nullable().describe("IP address of the last use"),
    user_agent: z
      .string()
      .nullable()
      .describe("`User-Agent` of the last use. Null if a server signed in with an API key and did not forward it"),
    app: z
      .string()
      .nullable()
      .describe("Name of the connected app that uses the session. Null for a session of your own"),
    current: z.boolean().describe("True for the session that made this request"),
  })
  .meta({ id: "AccountSession" });

export const toAccountSession = (row: SessionRow, current: string): z.output<typeof AccountSession> =>
  toRecord(AccountSession, row, {
    app: row.appName,
    current: row.id === current,
  });
