import { eq, sql } from "drizzle-orm";
import { auditedState } from "../administration/fields.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireRow } from "../db/client.ts";
import { users } from "../db/schema.ts";
import { translateViolations } from "../db/violation.ts";
import { badRequest, fieldError } from "../errors.ts";
import { writeOnce } from "../idempotency/queries.ts";
import { profileFields } from "./fields.ts";

import { type NewSession, sessionInserts } from "./sessions/queries.ts";

export type UserRow = typeof users.$inferSelect;

/** The user of a session, as the session's response shows it. */
export type SessionUser = Pick<UserRow, "id" | "email" | "name" | "role">;

export const findUser = (db: Database, id: number): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.id, id)).get();

export const findUserByEmail = (db: Database, email: string): Promise<UserRow | undefined> =>
  db.select().from(users).where(eq(users.email, email)).get();

export const emailTaken = {
  "users.email": () => badRequest(fieldError("email", "email_taken", "is already registered")),
};

type NewUser = Omit<UserRow, "id" | "role" | "walletBalance" | "disabledAt" | "eraseAt" | "erasedAt">;

/** Inserts an account and its first session in one batch, with an entry in the audit log if `audit` names an author. */
export async function insertUser(
  db: Database,
  user: NewUser,
  session: NewSession,
  author: Author,
  audit: Author | null,
): Promise<{ user: SessionUser; session: NewSession }> {
  const id = sql`(SELECT id FROM users WHERE email = ${user.email})`;
  const row = { ...user, role: "customer" as const };
  const after = { ...auditedState(profileFields, row), role: row.role };
  const entry = { action: "create", subject: "user", before: null, after } as const;
  const writes = [
    db.insert(users).values(row).getSQL(),
    ...sessionInserts(db, id, session).map((insert) => insert.getSQL()),
    ...(audit ? [auditEntry(audit, entry, id)] : []),
  ];
  const answer = sql`(
    SELECT json_object('user', json_object('id', id, 'email', email, 'name', name, 'role', role), 'cart_merge', NULL)
    FROM users WHERE email = ${user.email})`;
  const written = writeOnce<{ user: SessionUser }>(db, author, writes, answer, { session });
  return { ...requireRow(await translateViolations(written, emailTaken)), session };
}
