import { eq } from "drizzle-orm";
import type { UserCaller } from "../auth/caller.ts";
import { endOtherSessions } from "../auth/sessions/queries.ts";
import { emailTaken, type UserRow } from "../auth/users/queries.ts";
import type { Database } from "../db/client.ts";
import { versionAfter } from "../db/precondition.ts";
import { users } from "../db/schema.ts";
import { refusing } from "../db/violation.ts";

/** Writes what changed. With a new password every session but the one that asks ends, in the same batch. */
export async function updateProfile(
  db: Database,
  { id, sessionId }: UserCaller,
  change: Partial<Pick<UserRow, "name" | "email" | "passwordHash">>,
): Promise<UserRow | undefined> {
  const now = Date.now();
  const update = db
    .update(users)
    .set({ ...change, updatedAt: versionAfter(now) })
    .where(eq(users.id, id))
    .returning();
  const ended = change.passwordHash === undefined ? [] : [endOtherSessions(db, id, sessionId, now)];
  const [rows] = await refusing(db.batch([update, ...ended]), emailTaken);
  return rows[0];
}
