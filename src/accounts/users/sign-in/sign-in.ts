import { unauthorized } from "../../../domain/errors.ts";
import { newRow } from "../../../platform/administration/fields.ts";
import { insertEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { contactFields } from "../fields.ts";
import { findLogin, insertUser, replaceHash, type SessionUser } from "../queries.ts";
import type { SessionClient } from "../sessions/client.ts";
import { type NewSession, newSession, openSession } from "../sessions/queries.ts";
import { insertChallenge, type LoginChallenge } from "../two-factor/challenge-queries.ts";
import { signInEntry, signInOf } from "./audit.ts";
import type { LoginContext } from "./login-context.ts";
import { newPlaceNotice } from "./new-place-queries.ts";
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

/**
 * Opens a session for the right password, or begins to wait for a code where the account has a second factor; unless too many
 * attempts for this e-mail address failed lately. A login that waits counts among them until it is completed: whoever knows
 * the password alone does not get to guess codes for ever.
 */
export async function logIn(
  env: Env,
  db: Database,
  login: Login,
  context: LoginContext,
): Promise<SignedIn | LoginChallenge> {
  const { isKnown } = await takeLoginAttempt(env, login.email, context.origin);
  const outcome = await openVerified(db, login, context, isKnown);
  if (!("session" in outcome)) return outcome;
  if (!isKnown) context.sendEmails();
  await loginSucceeded(env, login.email, context.origin);
  return outcome;
}

/**
 * An unknown address, a wrong password and an account that may not come in cost the same and are told the same. Whoever finds
 * the stored hash changed in the meantime is looked at once more: it may be the same password, hashed anew by another login.
 */
async function openVerified(
  db: Database,
  login: Login,
  context: LoginContext,
  isKnown: boolean,
  tries = 2,
): Promise<SignedIn | LoginChallenge> {
  const { email, password } = login;
  const user = await findLogin(db, email);
  const { ok, stale } = await verifyPassword(password, user?.passwordHash ?? NO_PASSWORD);
  if (!user || !ok || user.disabledAt !== null || !context.admits(user) || tries === 0) {
    if (user && isStaff(user.role)) {
      context.inBackground(
        "audit a failed sign-in",
        insertEntry(db, context.author, signInOf("sign_in_failed"), user.id),
      );
    }
    throw unauthorized("invalid_credentials", "The e-mail address or the password is not correct");
  }
  const now = Date.now();
  const newHash = stale ? await hashPassword(password) : undefined;
  if (user.hasTwoFactor) return insertChallenge(db, user, newHash, now);
  const session = newSession(now, context.client, context.lifetimeMs);
  const after = [
    ...(newHash === undefined ? [] : [replaceHash(user, newHash)]),
    ...signInEntry(context.author, user),
    ...(isKnown ? [] : [newPlaceNotice(context.secrets, user.id, session)]),
  ];
  const opened = await openSession(db, user, session, { twoFactor: false, ahead: [], after });
  return opened ? { user, session } : openVerified(db, login, context, isKnown, tries - 1);
}
