import { and, eq, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Author, UserCaller, WriteContext } from "../../../platform/auth/caller.ts";
import { forgetUser } from "../../../platform/auth/user-limiter.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { sessions } from "../../../platform/db/schema.ts";
import { precondition, translateViolations } from "../../../platform/db/statements.ts";
import { endOtherSessions, live } from "./sessions.ts";

// Apart from ./sessions.ts, which scripts load in plain Node: the limiter runs in the Worker alone.
// Ending a session takes effect immediately: the next request with one of its access tokens is refused.

type EndContext = Pick<WriteContext, "env" | "db" | "author">;

/** Ends a session of the user. Returns false if the user has no session with this id. */
export async function closeSession(
  { env, db, author }: { env: Env; db: Database; author: Pick<Author, "now"> },
  { userId, id }: { userId: number; id: string },
): Promise<boolean> {
  const ended = await db
    .update(sessions)
    .set({ endedAt: author.now })
    .where(and(live(userId), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  await forgetUser(env, userId);
  return ended.length > 0;
}

/** Ends every session of the caller except the current one. */
export async function closeOtherSessions(ctx: EndContext & Pick<WriteContext<UserCaller>, "caller">): Promise<void> {
  await endOtherSessions(ctx);
  await forgetUser(ctx.env, ctx.caller.id);
}

/** Ends a session of another account, or all of them if `id` is null, with an audit log entry. */
export async function endAccountSessions(
  ctx: EndContext,
  { userId, id }: { userId: number; id: string | null },
): Promise<void> {
  const { db, author } = ctx;
  const ended = and(live(userId), id === null ? undefined : eq(sessions.id, id));
  const written = runAll(db, [
    precondition(sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${ended})`),
    auditEntry(ctx, { action: "end_sessions", subject: "user", id: userId }),
    db.update(sessions).set({ endedAt: author.now }).where(ended).getSQL(),
  ]);
  await translateViolations(written, { row_changed: () => notFound("The session") });
  await forgetUser(ctx.env, userId);
}
