import { eq, type SQL, sql } from "drizzle-orm";
import type { UserCaller } from "../auth/caller.ts";
import { endOtherSessions } from "../auth/sessions/queries.ts";
import { emailTaken, type UserRow } from "../auth/users/queries.ts";
import { type Database, writeThenRead } from "../db/client.ts";
import { versionAfter } from "../db/precondition.ts";
import { users } from "../db/schema.ts";
import { refusing } from "../db/violation.ts";
import { editedMeanwhile } from "../http/version.ts";

/**
 * Writes what changed, if the password that was `verified` for it is still the account's. With a new password every session
 * but the one that asks ends, in the same batch.
 */
export async function updateProfile(
  db: Database,
  { id, sessionId }: UserCaller,
  change: Partial<Pick<UserRow, "name" | "email" | "passwordHash">>,
  verified: UserRow | undefined,
): Promise<UserRow | undefined> {
  const now = Date.now();
  const update = db
    .update(users)
    .set({ ...change, updatedAt: versionAfter(now) })
    .where(eq(users.id, id));
  const writes = [
    ...(verified ? [passwordIsStill(verified)] : []),
    update.getSQL(),
    ...(change.passwordHash === undefined ? [] : [endOtherSessions(db, id, sessionId, now).getSQL()]),
  ];
  const read = db.select().from(users).where(eq(users.id, id));
  const [row] = await refusing(writeThenRead(db, writes, read), { ...emailTaken, ...editedMeanwhile });
  return row;
}

const passwordIsStill = ({ id, passwordHash }: UserRow): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND password_hash = ${passwordHash})`;
