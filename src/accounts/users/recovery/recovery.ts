import { sql } from "drizzle-orm";
import * as z from "zod";
import { Email } from "../../../domain/email.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { loginSucceeded, resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { versionAfter } from "../../../platform/db/precondition.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { Secrets, Settings } from "../../../platform/settings/settings.ts";
import { endRequests } from "../email-address/email-address.ts";
import { endUnproven, isUnproven } from "../email-address/links.ts";
import {
  addressIsStill,
  type Link,
  LinkToken,
  linkEnded,
  linkInserts,
  newLink,
  requireLink,
  usedMeanwhile,
  useLink,
} from "../link-tokens.ts";
import { endSessions, type NewSession, newSession, sessionInserts } from "../sessions/sessions.ts";
import type { LoginContext } from "../sign-in/login-context.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { NewPassword } from "../sign-in/schemas.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";
import { insertChallenge, type LoginChallenge } from "../two-factor/challenge.ts";
import { findStatus } from "../two-factor/two-factor.ts";
import { findUser } from "../users.ts";

/**
 * Inserts a password reset link and its e-mail. For an address without an account, equivalent rows are inserted for nobody,
 * so that neither the response nor its timing reveals whether an account exists.
 */
export async function insertResetLink(db: Database, secrets: Secrets, email: string, now: number): Promise<void> {
  const link = newLink("reset_password", now);
  const userId = sql`(SELECT id FROM users WHERE email = ${email} AND disabled_at IS NULL)`;
  const writes = [
    ...linkInserts(link, { userId, email: sql`(SELECT email FROM users WHERE id = ${userId})` }, now),
    queueEmail(secrets, { template: "password_reset", params: {}, userId, link }, now),
  ];
  await runAll(db, writes);
}

/**
 * The use of a password reset link. It opens no session if the account has a second factor. `audited` is the author named in
 * the audit log.
 */
type Reset = { passwordHash: string; session: NewSession; opens: boolean; audited: Author | null };

/** Uses the link: sets the password, ends every session, opens a new one if allowed, and notifies the account. */
async function writeNewPassword(
  db: Database,
  secrets: Secrets,
  link: Link,
  { passwordHash, session, opens, audited }: Reset,
): Promise<void> {
  const { id } = link.user;
  const { now, client } = session;
  const notice = { template: "password_changed", params: { at: now, ...client }, userId: id } as const;
  const entry = { action: "reset_password", subject: "user", id, after: { password: "changed" } } as const;
  const writes = [
    ...useLink(link, now),
    addressIsStill(link),
    ...(isUnproven(link.user) ? endUnproven(link.user, now) : endRequests(id)),
    // Reading the e-mail proves that the address is theirs.
    sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = ${versionAfter(now)},
      email_verified_at = coalesce(email_verified_at, ${now}) WHERE id = ${id}`,
    endSessions(id, now),
    ...(opens ? sessionInserts(db, id, session).map((insert) => insert.getSQL()) : []),
    queueEmail(secrets, notice, now),
    ...(audited ? [auditEntry({ author: audited }, entry)] : []),
  ];
  await translateViolations(runAll(db, writes), usedMeanwhile);
}

type Resetting = { env: Env; db: Database; settings: Settings };

/** Sets a new password with an e-mailed link and signs the owner in, or asks for a second-factor code. */
export async function resetPassword(
  { env, db, settings }: Resetting,
  { token, password }: ResetPassword,
  { origin, author, client, admits }: LoginContext,
): Promise<SignedIn | LoginChallenge> {
  const link = await requireLink(db, token, ["reset_password"], author.now);
  const { user } = link;
  if (!admits(user)) throw linkEnded();
  const passwordHash = await hashPassword(password);
  const session = newSession(author.now, client);
  const audited: Author | null = isStaff(user.role) ? { ...author, actor: `user:${user.id}` } : null;
  const { enabledAt } = await findStatus(db, user.id);
  const opens = enabledAt === null || isUnproven(user);
  await writeNewPassword(db, settings.linkSecrets, link, { passwordHash, session, opens, audited });
  await forgetUser(env, user.id);
  if (!opens) return insertChallenge(db, { id: user.id, passwordHash }, undefined, author.now);
  await (isUnproven(user) ? resetLogins : loginSucceeded)(env, user.email, origin);
  return { user: (await findUser(db, user.id)) ?? user, session };
}

export const ForgotPassword = z.strictObject({ email: Email }).meta({ id: "ForgotPassword" });

export const ResetPassword = z.strictObject({ token: LinkToken, password: NewPassword }).meta({ id: "ResetPassword" });
export type ResetPassword = z.output<typeof ResetPassword>;
