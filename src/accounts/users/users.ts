import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditedState } from "../../platform/administration/fields.ts";
import { auditEntry, auditedKey } from "../../platform/audit/audit.ts";
import { countStoredBytes, jsonBytes } from "../../platform/auth/author-limits.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../platform/db/search-words.ts";
import { translateViolations, updateRows } from "../../platform/db/statements.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
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
  updateRows(users, { passwordHash: newHash }, sql`${users.id} = ${id} AND ${users.passwordHash} = ${passwordHash}`);

type NewUser = Omit<
  UserRow,
  | "id"
  | "externalId"
  | "foldedWords"
  | "sortName"
  | "role"
  | "walletBalance"
  | "disabledAt"
  | "emailVerifiedAt"
  | "formerlyVerifiedAt"
  | "walletLockedUntil"
  | "pendingEmail"
  | "taxExemptReason"
  | "tags"
  | "eraseAt"
  | "erasedAt"
  | "lastSeenAt"
  | "orderCount"
  | "spent"
>;

/** Bytes of a new account besides its fields: its session, its link, its event, and the index entries of all of them. */
const ACCOUNT_BYTES = 4_000;

/** Inserts an account, its first session and the link that verifies its address in one batch. */
export async function insertUser(
  ctx: Pick<WriteContext, "db" | "caller" | "settings" | "author">,
  { user, session }: { user: NewUser; session: NewSession },
): Promise<{ user: SessionUser; session: NewSession }> {
  const { db, caller, author } = ctx;
  const audit = auditedKey(caller, author);
  const id = sql`(SELECT id FROM users WHERE email = ${user.email})`;
  const row = { ...user, role: "customer" as const };
  const after = { ...auditedState(profileFields, row), role: row.role };
  const entry = { action: "create", subject: "user", id, after } as const;
  const writes = [
    db
      .insert(users)
      .values({ ...row, foldedWords: foldedWords(searchedTexts.users(user)) })
      .getSQL(),
    ...sessionInserts(ctx, { userId: id, session }).map((insert) => insert.getSQL()),
    ...verification(ctx, { userId: id, email: user.email }),
    ...(audit ? [auditEntry({ author: audit }, entry)] : []),
    ...countStoredBytes(ctx, ACCOUNT_BYTES + 4 * jsonBytes(row)),
  ];
  const answer = sql`(
    SELECT json_object('user', json_object('id', id, 'email', email, 'name', name, 'role', role), 'cart_merge', NULL)
    FROM users WHERE email = ${user.email})`;
  const written = writeOnce<{ user: SessionUser }>(ctx, { writes, answer, secret: { session } });
  return { ...requireRow(await translateViolations(written, emailTaken)), session };
}
