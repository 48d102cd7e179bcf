import { newRow } from "../../administration/fields.ts";
import type { Entry } from "../../audit/entry.ts";
import { auditEntry, insertEntry } from "../../audit/queries.ts";
import type { Author } from "../../auth/author.ts";
import { loginSucceeded, takeLoginAttempt } from "../../auth/login-attempts/throttle.ts";
import { isStaff } from "../../auth/roles.ts";
import type { Database } from "../../db/client.ts";
import { unauthorized } from "../../errors.ts";
import type { Secrets } from "../../settings/settings.ts";
import { contactFields } from "../fields.ts";
import { findUserByEmail, insertUser, type SessionUser, type UserRow } from "../queries.ts";
import type { SessionClient } from "../sessions/client.ts";
import { type NewSession, newSession, openSession } from "../sessions/queries.ts";
import type { LoginContext } from "./login-context.ts";
import { hashPassword, NO_PASSWORD, verifyPassword } from "./passwords.ts";
import type { Login, Signup } from "./schemas.ts";

/** A user with the session that was just opened or continued. */
export type SignedIn = { user: SessionUser; session: NewSession };

/** An account and its first session. `audit` is whom the audit log names, null where people sign up for themselves. */
export async function signUp(
  db: Database,
  secrets: Secrets,
  { email, name, password, ...others }: Signup,
  author: Author,
  audit: Author | null,
  client: SessionClient,
): Promise<SignedIn> {
  const passwordHash = await hashPassword(password);
  const session = newSession(Date.now(), client);
  const contact = newRow(contactFields, others, {});
  const row = { email, name, ...contact, passwordHash, createdAt: session.now, updatedAt: session.now };
  return insertUser(db, secrets, row, session, author, audit);
}

/** Opens a session for the right password, unless too many attempts for this e-mail address failed lately. */
export async function logIn(env: Env, db: Database, login: Login, context: LoginContext): Promise<SignedIn> {
  await takeLoginAttempt(env, login.email, context.origin);
  const signedIn = await openVerified(db, login, context);
  await loginSucceeded(env, login.email, context.origin);
  return signedIn;
}

/**
 * An unknown address, a wrong password and an account that may not come in cost the same and are told the same. Whoever finds
 * the stored hash changed in the meantime is looked at once more: it may be the same password, hashed anew by another login.
 */
async function openVerified(db: Database, login: Login, context: LoginContext, tries = 2): Promise<SignedIn> {
  const { email, password } = login;
  const user = await findUserByEmail(db, email);
  const { ok, stale } = await verifyPassword(password, user?.passwordHash ?? NO_PASSWORD);
  if (!user || !ok || user.disabledAt !== null || !context.admits(user) || tries === 0) {
    if (user && isStaff(user.role)) {
      context.inBackground(
        "audit a failed sign-in",
        insertEntry(db, context.author, signInOf("sign_in_failed"), user.id),
      );
    }
    throw unauthorized("invalid_credentials", "The e-mail address or the password is wrong");
  }
  const session = newSession(Date.now(), context.client, context.lifetimeMs);
  const entry = isStaff(user.role) ? auditEntry(bySelf(context.author, user), signInOf("sign_in"), user.id) : null;
  const opened = await openSession(db, user, session, stale ? await hashPassword(password) : undefined, entry);
  return opened ? { user, session } : openVerified(db, login, context, tries - 1);
}

/** The sign-ins of staff are audited, the failed ones too. */
const signInOf = (action: "sign_in" | "sign_in_failed"): Entry => ({
  action,
  subject: "user",
  before: null,
  after: null,
});

const bySelf = (author: Author, { id }: UserRow): Author => ({ ...author, actor: `user:${id}` });
