import type { SQL } from "drizzle-orm";
import { badRequest, fieldError, requireFound, unauthorized } from "../../../domain/errors.ts";
import { newRow } from "../../../platform/administration/fields.ts";
import { auditEntry, insertEntry } from "../../../platform/audit/audit.ts";
import type { UserCaller, WriteContext } from "../../../platform/auth/caller.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { type AccessClaims, signAccessToken } from "../../../platform/auth/tokens.ts";
import { runAll } from "../../../platform/db/client.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { AccountContext, LoginContext } from "../account-context.ts";
import { contactFields } from "../fields.ts";
import { markAuthenticated, type NewSession, newSession, openSession } from "../sessions/sessions.ts";
import {
  challengeWaits,
  deleteChallenge,
  insertChallenge,
  type LoginChallenge,
  takeChallengeAttempt,
} from "../two-factor/challenge.ts";
import { proveFactor, spendCode } from "../two-factor/prove.ts";
import { isStill, writeWithCode, wrongCode } from "../two-factor/two-factor.ts";
import { findLogin, findUser, insertUser, replaceHash, type SessionUser, type UserRow } from "../users.ts";
import { hashPassword, NO_PASSWORD, verifyPassword } from "./passwords.ts";
import {
  type LoginCompletion,
  type LoginRequest,
  type Reauthentication,
  type Session,
  type SignupRequest,
  toLogin,
} from "./schemas.ts";

/** A user with the session that was just opened or continued. */
export type SignedIn = { user: SessionUser; session: NewSession };

/** Creates an account and its first session. */
export async function signUp(
  ctx: Omit<AccountContext, "origin">,
  { email, name, password, ...others }: SignupRequest,
): Promise<SignedIn> {
  const passwordHash = await hashPassword(password);
  const session = newSession(ctx.author.now, ctx.client);
  const contact = newRow(contactFields, others, {});
  const { language = null } = ctx.author;
  const user = { email, name, language, ...contact, passwordHash, createdAt: session.now, updatedAt: session.now };
  return insertUser(ctx, { user, session });
}

/**
 * Opens a session for the right password, or a challenge if the account has a second factor. Refuses after too many recent
 * failures for the e-mail address. An uncompleted challenge counts as a failure, so that knowing the password alone does not
 * allow guessing codes forever.
 */
export async function logIn(ctx: LoginContext, login: LoginRequest): Promise<SignedIn | LoginChallenge> {
  const { isKnown } = await takeLoginAttempt(ctx.env, login.email, ctx.origin);
  const outcome = await openVerified(ctx, { login, isKnown });
  if (!("session" in outcome)) return outcome;
  if (!isKnown) ctx.sendEmails();
  await loginSucceeded(ctx.env, login.email, ctx.origin);
  return outcome;
}

/**
 * An unknown address, a wrong password and an account that is not admitted take the same time and get the same answer. If the
 * stored hash changed in the meantime, the password is checked once more: another login may have rehashed it.
 */
async function openVerified(
  ctx: LoginContext,
  { login, isKnown, tries = 2 }: { login: LoginRequest; isKnown: boolean; tries?: number },
): Promise<SignedIn | LoginChallenge> {
  const { db, author } = ctx;
  const { email, password } = login;
  const user = await findLogin(db, email);
  const { ok, stale } = await verifyPassword(password, user?.passwordHash ?? NO_PASSWORD);
  if (!user || !ok || user.disabledAt !== null || !ctx.admits(user) || tries === 0) {
    if (user && isStaff(user.role)) {
      const entry = insertEntry(ctx, { action: "sign_in_failed", subject: "user", id: user.id });
      ctx.inBackground("audit a failed sign-in", entry);
    }
    throw unauthorized("invalid_credentials", "The e-mail address or the password is not correct");
  }
  const newHash = stale ? await hashPassword(password) : undefined;
  if (user.hasTwoFactor) return insertChallenge(ctx, { user, newHash });
  const session = newSession(author.now, ctx.client, ctx.lifetimeMs);
  const after = [
    ...(newHash === undefined ? [] : [replaceHash(user, newHash)]),
    ...signInEntry(ctx, user),
    ...(isKnown ? [] : [newPlaceNotice(ctx, user.id)]),
  ];
  const opened = await openSession(ctx, { user, session, twoFactor: false, ahead: [], after });
  return opened ? { user, session } : openVerified(ctx, { login, isKnown, tries: tries - 1 });
}

/** Returns the audit entry for a session that a member of staff opens. Customers' sign-ins are not audited. */
const signInEntry = ({ author }: Pick<WriteContext, "author">, { id, role }: Pick<SessionUser, "id" | "role">) =>
  isStaff(role)
    ? [auditEntry({ author: { ...author, actor: `user:${id}` } }, { action: "sign_in", subject: "user", id })]
    : [];

/** The e-mail about a session that is opened from a new place. */
const newPlaceNotice = (ctx: LoginContext, userId: number): SQL =>
  queueEmail(ctx, { template: "new_sign_in", params: { at: ctx.author.now, ...ctx.client }, userId });

const invalidCode = () => unauthorized("invalid_code", "The code is wrong or was already used");

/** Opens the session of a login whose password was right, for a second-factor code. */
export async function completeLogin(
  ctx: LoginContext,
  { challenge, code }: Pick<LoginCompletion, "challenge" | "code">,
): Promise<SignedIn> {
  const factor = await takeChallengeAttempt(ctx, { challenge, code });
  if (!factor || factor.user.disabledAt !== null || !ctx.admits(factor.user)) {
    throw unauthorized("invalid_challenge", "The sign-in took too long or had too many wrong codes. Sign in again");
  }
  const { user } = factor;
  const { isKnown } = await takeLoginAttempt(ctx.env, user.email, ctx.origin);
  const spend = await proveFactor(ctx, { factor, code });
  if (!spend) {
    if (isStaff(user.role)) await insertEntry(ctx, { action: "code_refused", subject: "user", id: user.id });
    throw invalidCode();
  }
  const session = newSession(ctx.author.now, ctx.client, ctx.lifetimeMs);
  const opened = await openSession(ctx, {
    user,
    session,
    twoFactor: true,
    ahead: [challengeWaits(challenge), isStill(factor), spend],
    after: [deleteChallenge(challenge), ...signInEntry(ctx, user), ...(isKnown ? [] : [newPlaceNotice(ctx, user.id)])],
  });
  if (!opened) throw invalidCode();
  if (!isKnown) ctx.sendEmails();
  await loginSucceeded(ctx.env, user.email, ctx.origin);
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
  ctx: AccountContext<UserCaller>,
  { current_password, code }: Reauthentication,
): Promise<AccessClaims> {
  const { db, caller, author } = ctx;
  const mark = markAuthenticated(ctx);
  if (code !== undefined)
    await writeWithCode(ctx, { writes: [...(await spendCode(ctx, code)), mark], used: wrongCode });
  else {
    await confirmPassword(ctx, current_password ?? "");
    await runAll(db, [mark]);
  }
  return { userId: caller.id, sessionId: caller.sessionId, authenticatedAt: author.now };
}

/**
 * Returns the account if the password matches. Guesses count as login attempts, and those of staff are audited as failed
 * sign-ins, because a token may be stolen.
 */
export async function confirmPassword(ctx: AccountContext<UserCaller>, password: string): Promise<UserRow> {
  const user = await requireFound(findUser(ctx.db, ctx.caller.id), "The account");
  await requirePassword(ctx, { user, password, field: "current_password" });
  return user;
}

/** Throws if the password is wrong, with an error for the field it was sent in. */
export async function requirePassword(
  { env, db, author, origin }: Pick<AccountContext, "env" | "db" | "author" | "origin">,
  { user, password, field }: { user: UserRow; password: string; field: string },
): Promise<void> {
  const { id, email, role, passwordHash } = user;
  await takeLoginAttempt(env, email, origin);
  const { ok } = await verifyPassword(password, passwordHash);
  if (!ok && isStaff(role)) await insertEntry({ db, author }, { action: "password_refused", subject: "user", id });
  if (!ok) throw badRequest(fieldError(field, "wrong_password", "is not the password of the account"));
  await loginSucceeded(env, email, origin);
}
