import type { Author } from "../../../platform/auth/author.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import type { Database } from "../../../platform/db/client.ts";
import { endAndAudit, endOtherSessions, endSession } from "./sessions.ts";

// Ending a session takes effect immediately: the next request with one of its access tokens is refused.

/** Ends a session of the user. Returns false if the user has no session with this id. */
export async function closeSession(env: Env, db: Database, userId: number, sessionId: string): Promise<boolean> {
  const ended = await endSession(db, userId, sessionId, Date.now());
  await forgetUser(env, userId);
  return ended;
}

/** Ends every session of the user except `keep`, the current one. */
export async function closeOtherSessions(env: Env, db: Database, userId: number, keep: string): Promise<void> {
  await endOtherSessions(db, userId, keep, Date.now());
  await forgetUser(env, userId);
}

/** Ends a session of another account, or all of them if the id is null, with an audit log entry. */
export async function endAccountSessions(
  env: Env,
  db: Database,
  userId: number,
  sessionId: string | null,
  author: Author,
): Promise<void> {
  await endAndAudit(db, userId, sessionId, author);
  await forgetUser(env, userId);
}
