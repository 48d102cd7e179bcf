import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditedState } from "../../platform/administration/fields.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../platform/db/search-words.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import type { Secrets } from "../../platform/settings/settings.ts";
import { emailTaken, verification } from "./email-address/email-address.ts";
import { profileFields } from "./fields.ts";

import { type NewSession, sessionInserts } from "./sessions/sessions.ts";

export type UserRow = typeof users.$inferSelect;

/** The user of a session, as the session's response shows it. */
export type SessionUser = Pick<UserRow, "id" | "email" | "name" | "role">;

export const findUser = (db: Database, id: number): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.id, id)).get();

export const findUserByEmail = (db: Database, email: string): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.email, email)).get();

const hasTwoFactor =
  sql`EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${users.id} AND confirmed_at IS NOT NULL)`.mapWith(Boolean);

/** Finds the account that logs in, and whether it has a second factor. */
export const findLogin = (db: Database, email: string): Promise<(UserRow & { hasTwoFactor: boolean }) | undefined> =>
  db
    .select({ ...getTableColumns(users), hasTwoFactor: hasTwoFactor.as("has_two_factor") })
    .from(users)
    .where(eq(users.email, email))
    .get();

/** Replaces a password's hash, unless the password was changed since. */
export const replaceHash = ({ id, passwordHash }: Pick<UserRow, "id" | "passwordHash">, newHash: string): SQL =>
  sql`UPDATE users SET password_hash = ${newHash} WHERE id = ${id} AND password_hash = ${passwordHash}`;

type NewUser = Omit<
  UserRow,
  | "id"
  | "foldedWords"
  | "role"
  | "walletBalance"
  | "disabledAt"
  | "emailVerifiedAt"
  | "formerlyVerifiedAt"
  | "walletLockedUntil"
  | "pendingEmail"
  | "taxExemptReason"
  | "eraseAt"
  | "erasedAt"
>;

/**
 * Inserts an account, its first session and the link that verifies its address in one batch. `audit` is the author for the
 * audit log.
 */
export async function insertUser(
  db: Database,
  secrets: Secrets,
  user: NewUser,
  session: NewSession,
  author: Author,
  audit: Author | null,
): Promise<{ user: SessionUser; session: NewSession }> {
  const id = sql`(SELECT id FROM users WHERE email = ${user.email})`;
  const row = { ...user, role: "customer" as const };
  const after = { ...auditedState(profileFields, row), role: row.role };
  const entry = { action: "create", subject: "user", id, after } as const;
  const writes = [
    db
      .insert(users)
      .values({ ...row, foldedWords: foldedWords(searchedTexts.users(user)) })
      .getSQL(),
    ...sessionInserts(db, id, session).map((insert) => insert.getSQL()),
    ...verification(secrets, id, user.email, session.now),
    ...(audit ? [auditEntry({ author: audit }, entry)] : []),
  ];
  const answer = sql`(
    SELECT json_object('user', json_object('id', id, 'email', email, 'name', name, 'role', role), 'cart_merge', NULL)
    FROM users WHERE email = ${user.email})`;
  const written = writeOnce<{ user: SessionUser }>({ db, author }, { writes, answer, secret: { session } });
  return { ...requireRow(await translateViolations(written, emailTaken)), session };
}
