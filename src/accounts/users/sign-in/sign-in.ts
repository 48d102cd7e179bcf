import type { SQL } from "drizzle-orm";
import { unauthorized } from "../../../domain/errors.ts";
import { newRow } from "../../../platform/administration/fields.ts";
import { auditEntry, insertEntry } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { type AccessClaims, signAccessToken } from "../../../platform/auth/tokens.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { Secrets, Settings } from "../../../platform/settings/settings.ts";
import { confirmPassword } from "../confirm-password.ts";
import { contactFields } from "../fields.ts";
import type { OwnRequest } from "../own-request.ts";
import {
  markAuthenticated,
  type NewSession,
  newSession,
  openSession,
  type SessionClient,
} from "../sessions/sessions.ts";
import {
  challengeWaits,
  deleteChallenge,
  insertChallenge,
  type LoginChallenge,
  takeChallengeAttempt,
} from "../two-factor/challenge.ts";
import { proveFactor, spendCode } from "../two-factor/prove.ts";
import { isStill, writeWithCode, wrongCode } from "../two-factor/two-factor.ts";
import { findLogin, insertUser, replaceHash, type SessionUser } from "../users.ts";
import type { LoginContext } from "./login-context.ts";
import { hashPassword, NO_PASSWORD, verifyPassword } from "./passwords.ts";
import {
  type CompletedLogin,
  type Login,
  type Reauthentication,
  type Session,
  type Signup,
  toLogin,
} from "./schemas.ts";

/** A user with the session that was just opened or continued. */
export type SignedIn = { user: SessionUser; session: NewSession };

/**
 * Creates an account and its first session. `audit` is the author for the audit log, null when people sign up for themselves.
 */
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
 * Opens a session for the right password, or a challenge if the account has a second factor. Refuses after too many recent
 * failures for the e-mail address. An uncompleted challenge counts as a failure, so that knowing the password alone does not
 * allow guessing codes forever.
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
 * An unknown address, a wrong password and an account that is not admitted take the same time and get the same answer. If the
 * stored hash changed in the meantime, the password is checked once more: another login may have rehashed it.
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
        insertEntry({ db, author: context.author }, { action: "sign_in_failed", subject: "user", id: user.id }),
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

/** Returns the audit entry for a session that a member of staff opens. Customers' sign-ins are not audited. */
const signInEntry = (author: Author, { id, role }: Pick<SessionUser, "id" | "role">) =>
  isStaff(role)
    ? [auditEntry({ author: { ...author, actor: `user:${id}` } }, { action: "sign_in", subject: "user", id })]
    : [];

/** The e-mail about a session that is opened from a new place. */
const newPlaceNotice = (secrets: Secrets, userId: number, { now, client }: NewSession): SQL =>
  queueEmail(secrets, { template: "new_sign_in", params: { at: now, ...client }, userId }, now);

const invalidCode = () => unauthorized("invalid_code", "The code is wrong, or was used before");

/** Opens the session of a login whose password was right, for a second-factor code. */
export async function completeLogin(
  env: Env,
  db: Database,
  { challenge, code }: Pick<CompletedLogin, "challenge" | "code">,
  context: LoginContext,
): Promise<SignedIn> {
  const now = Date.now();
  const factor = await takeChallengeAttempt(db, challenge, code, now);
  if (!factor || factor.user.disabledAt !== null || !context.admits(factor.user)) {
    throw unauthorized("invalid_challenge", "The login took too long or had too many wrong codes: begin it again");
  }
  const { user } = factor;
  const { isKnown } = await takeLoginAttempt(env, user.email, context.origin);
  const spend = await proveFactor(context.secrets, factor, code, now);
  if (!spend) {
    if (isStaff(user.role))
      await insertEntry({ db, author: context.author }, { action: "code_refused", subject: "user", id: user.id });
    throw invalidCode();
  }
  const session = newSession(now, context.client, context.lifetimeMs);
  const opened = await openSession(db, user, session, {
    twoFactor: true,
    ahead: [challengeWaits(challenge), isStill(factor), spend],
    after: [
      deleteChallenge(challenge),
      ...signInEntry(context.author, user),
      ...(isKnown ? [] : [newPlaceNotice(context.secrets, user.id, session)]),
    ],
  });
  if (!opened) throw invalidCode();
  if (!isKnown) context.sendEmails();
  await loginSucceeded(env, user.email, context.origin);
  return { user, session };
}

/** Returns the response for a session, with its first access token. */
export async function answerOf(settings: Settings, { user, session }: SignedIn): Promise<Session> {
  const claims = { userId: user.id, sessionId: session.id, authenticatedAt: session.authenticatedAt };
  const access = await signAccessToken(settings, claims, session.now, session.endsAt);
  return toLogin(user, access, session.refreshToken);
}

/** Checks the password or a code within a session and records it, for the session's later tokens. */
export async function reauthenticate(
  request: OwnRequest,
  { current_password, code }: Reauthentication,
): Promise<AccessClaims> {
  const { db, caller, author } = request;
  const mark = markAuthenticated(caller.sessionId, author.now);
  if (code !== undefined) await writeWithCode(db, [...(await spendCode(request, code)), mark], wrongCode);
  else {
    await confirmPassword(request, current_password ?? "");
    await runAll(db, [mark]);
  }
  return { userId: caller.id, sessionId: caller.sessionId, authenticatedAt: author.now };
}
