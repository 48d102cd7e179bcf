import { badRequest, fieldError, notFound } from "../../../domain/errors.ts";
import { insertEntry } from "../../../platform/audit/audit.ts";
import type { UserCaller } from "../../../platform/auth/caller.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { AccountContext } from "../account-context.ts";
import { findUser, type UserRow } from "../users.ts";
import { verifyPassword } from "./passwords.ts";

/**
 * Returns the account if the password matches. Guesses count as login attempts, and those of staff are audited as failed
 * sign-ins, because a token may be stolen.
 */
export async function confirmPassword(ctx: AccountContext<UserCaller>, password: string): Promise<UserRow> {
  const user = await findUser(ctx.db, ctx.caller.id);
  if (!user) throw notFound("The account");
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
