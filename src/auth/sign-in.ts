import type { Author } from "../audit/entry.ts";
import type { Database } from "../db/client.ts";
import { unauthorized } from "../errors.ts";
import { hashPassword, NO_PASSWORD, verifyPassword } from "./passwords.ts";
import type { Login, Signup } from "./schemas.ts";
import { type NewSession, newSession, openSession } from "./sessions/queries.ts";
import { findUserByEmail, insertUser, type SessionUser } from "./users/queries.ts";

/** Says not which of the two is wrong, nor that the account is disabled or may not come in here. */
export const wrongCredentials = () =>
  unauthorized("invalid_credentials", "The e-mail address or the password is wrong");

/** A user with the session that was just opened or continued. */
export type SignedIn = { user: SessionUser; session: NewSession };

/** An account and its first session. `audit` is whom the audit log names, null where people sign up for themselves. */
export async function signUp(
  db: Database,
  { email, name, password }: Signup,
  author: Author,
  audit: Author | null,
): Promise<SignedIn> {
  const passwordHash = await hashPassword(password);
  const session = newSession(Date.now());
  const row = { email, name, passwordHash, createdAt: session.now, updatedAt: session.now };
  return insertUser(db, row, session, author, audit);
}

/**
 * An unknown address, a wrong password and a disabled account cost the same and are told the same. Whoever finds the
 * stored hash changed in the meantime is looked at once more: it may be the same password, hashed anew by another login.
 */
export async function logIn(db: Database, login: Login, tries = 2): Promise<SignedIn> {
  const { email, password } = login;
  const user = await findUserByEmail(db, email);
  const { ok, stale } = await verifyPassword(password, user?.passwordHash ?? NO_PASSWORD);
  if (!user || !ok || user.disabledAt !== null || tries === 0) {
    throw wrongCredentials();
  }
  const session = newSession(Date.now());
  const opened = await openSession(db, user, session, stale ? await hashPassword(password) : undefined);
  return opened ? { user, session } : logIn(db, login, tries - 1);
}
