import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { sessions } from "../../../platform/db/schema.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { live } from "./queries.ts";

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
