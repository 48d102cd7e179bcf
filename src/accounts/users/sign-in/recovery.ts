import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Email } from "../../../domain/contact.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { loginSucceeded, resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { forgetUser } from "../../../platform/auth/user-limiter.ts";
import { runAll } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema.ts";
import { translateViolations, updateRows, versionAfter } from "../../../platform/db/statements.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { AccountContext, LoginContext } from "../account-context.ts";
import { endRequests } from "../email-address/email-address.ts";
import {
  type AccountLink,
  addressIsStill,
  LinkToken,
  linkEnded,
  linkInserts,
  newAccountLink,
  requireLink,
  usedMeanwhile,
  useLink,
} from "../email-address/link-tokens.ts";
import { endUnproven, isUnproven } from "../email-address/links.ts";
import { endSessions, type NewSession, newSession, sessionInserts } from "../sessions/sessions.ts";
import { insertChallenge, type LoginChallenge } from "../two-factor/challenge.ts";
import { findStatus } from "../two-factor/two-factor.ts";
import { findUser } from "../users.ts";
import { hashPassword } from "./passwords.ts";
import { NewPassword } from "./schemas.ts";
import type { SignedIn } from "./sign-in.ts";

/**
 * Inserts a password reset link and its e-mail. For an address without an account, equivalent rows are inserted for nobody,
 * so that neither the response nor its timing reveals whether an account exists.
 */
export async function insertResetLink(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  email: string,
): Promise<void> {
  const link = newAccountLink("reset_password", ctx.author.now);
  const userId = sql`(SELECT ${users.id} FROM ${users} WHERE ${users.email} = ${email} AND ${users.disabledAt} IS NULL)`;
  const address = sql`(SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${userId})`;
  const writes = [
    ...linkInserts(ctx, { link, userId, email: address }),
    queueEmail(ctx, { template: "password_reset", params: {}, userId, link }),
  ];
  await runAll(ctx.db, writes);
}

/** The use of a password reset link. It opens no session if the account has a second factor. */
type Reset = { link: AccountLink; passwordHash: string; session: NewSession; opens: boolean };

/** Uses the link: sets the password, ends every session, opens a new one if allowed, and notifies the account. */
async function writeNewPassword(ctx: AccountContext, { link, passwordHash, session, opens }: Reset): Promise<void> {
  const { db, author, client } = ctx;
  const { now } = author;
  const { id, role } = link.user;
  const notice = { template: "password_changed", params: { at: now, ...client }, userId: id } as const;
  const entry = { action: "reset_password", subject: "user", id, after: { password: "changed" } } as const;
  const byOwner = { author: { ...author, actor: `user:${id}` } };
  // Reading the e-mail proves that the address is theirs.
  const proven = sql`coalesce(${users.emailVerifiedAt}, ${now})`;
  const writes = [
    ...useLink(ctx, link),
    addressIsStill(link),
    ...(isUnproven(link.user) ? endUnproven(ctx, link.user) : endRequests(id)),
    updateRows(users, { passwordHash, updatedAt: versionAfter(now), emailVerifiedAt: proven }, eq(users.id, id)),
    endSessions(ctx, id),
    ...(opens ? sessionInserts(ctx, { userId: id, session }).map((insert) => insert.getSQL()) : []),
    queueEmail(ctx, notice),
    ...(isStaff(role) ? [auditEntry(byOwner, entry)] : []),
  ];
  await translateViolations(runAll(db, writes), usedMeanwhile);
}

/** Sets a new password with an e-mailed link, or the first one with an invitation, and signs the owner in, or asks for a second-factor code. */
export async function resetPassword(
  ctx: LoginContext,
  { token, password }: ResetPassword,
): Promise<SignedIn | (LoginChallenge & Pick<AccountLink, "user">)> {
  const { env, db, author, client, origin, admits } = ctx;
  const link = await requireLink(db, token, ["reset_password", "invite_customer"], author.now);
  const { user } = link;
  if (!admits(user)) throw linkEnded();
  const passwordHash = await hashPassword(password);
  const session = newSession(author.now, client);
  const { enabledAt } = await findStatus(db, user.id);
  const opens = enabledAt === null || isUnproven(user);
  await writeNewPassword(ctx, { link, passwordHash, session, opens });
  await forgetUser(env, user.id);
  if (!opens) return { user, ...(await insertChallenge(ctx, { user: { id: user.id, passwordHash } })) };
  await (isUnproven(user) ? resetLogins : loginSucceeded)(env, user.email, origin);
  return { user: (await findUser(db, user.id)) ?? user, session };
}

export const ForgotPassword = z.strictObject({ email: Email }).meta({ id: "ForgotPasswordRequest" });

export const ResetPassword = z
  .strictObject({ token: LinkToken, password: NewPassword })
  .meta({ id: "ResetPasswordRequest" });
export type ResetPassword = z.output<typeof ResetPassword>;
