import { eq, type SQL, sql } from "drizzle-orm";
import { auditStates } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { UserCaller } from "../../../platform/auth/caller.ts";
import { type Database, writeThenRead } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { versionAfter } from "../../../platform/db/precondition.ts";
import { users } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { editedMeanwhile } from "../../../platform/http/version.ts";
import { emailTaken } from "../email-taken.ts";
import { profileFields } from "../fields.ts";
import type { UserRow } from "../queries.ts";
import { endOtherSessions } from "../sessions/end-queries.ts";

const editable = Object.values(profileFields).map(({ column }) => column);

type ProfileColumns = { [Name in (typeof editable)[number] | "passwordHash"]?: UserRow[Name] | undefined };

/**
 * Writes what changed, if the password that was `verified` for it is still the account's. With a new password every session
 * but the one that asks ends, in the same batch. `notices` are the e-mails about it, `audited` is whom the audit log names.
 */
export async function updateProfile(
  db: Database,
  { id, sessionId }: UserCaller,
  change: ProfileColumns,
  verified: UserRow | undefined,
  notices: readonly SQL[],
  audited: Author | null,
): Promise<UserRow | undefined> {
  const now = Date.now();
  const words = change.name !== undefined && { foldedWords: foldedWords(searchedTexts.users({ name: change.name })) };
  const update = db
    .update(users)
    .set({ ...change, ...words, updatedAt: versionAfter(now) })
    .where(eq(users.id, id));
  const writes = [
    ...(verified ? [passwordIsStill(verified)] : []),
    ...(audited ? [profileEntry(audited, id, change)] : []),
    update.getSQL(),
    ...(change.passwordHash === undefined ? [] : [endOtherSessions(db, id, sessionId, now).getSQL()]),
    ...notices,
  ];
  const read = db.select().from(users).where(eq(users.id, id));
  const [row] = await translateViolations(writeThenRead(db, writes, read), { ...emailTaken, ...editedMeanwhile });
  return row;
}

const passwordIsStill = ({ id, passwordHash }: UserRow): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND password_hash = ${passwordHash})`;

/** What changes, as the log keeps it; the database knows what was, and stands before the change. */
const profileEntry = (author: Author, id: number, change: ProfileColumns): SQL => {
  const names = editable.filter((name) => change[name] !== undefined);
  const columns = Object.fromEntries(names.map((name) => [users[name].name, users[name]]));
  const after = Object.fromEntries(names.map((name) => [users[name].name, change[name]]));
  return auditStates(author, { subject: "user", action: "update" }, id, {
    before: sql`(SELECT ${jsonRow(columns)} FROM users WHERE id = ${id})`,
    after: sql`${JSON.stringify({ ...after, ...(change.passwordHash !== undefined && { password: "changed" }) })}`,
  });
};
