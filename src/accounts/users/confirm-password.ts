import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import type { Entry } from "../../platform/audit/entry.ts";
import { insertEntry } from "../../platform/audit/queries.ts";
import { loginSucceeded, takeLoginAttempt } from "../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import type { OwnRequest } from "./own-request.ts";
import { findUser, type UserRow } from "./queries.ts";
import { verifyPassword } from "./sign-in/passwords.ts";

const passwordRefused: Entry = { action: "password_refused", subject: "user", before: null, after: null };

/**
 * The account whose password was shown. Guesses count as those of a login do, and those of staff are audited like failed
 * sign-ins: a token alone may be stolen.
 */
export async function confirmPassword(
  { env, db, caller: { id, role }, author, origin }: OwnRequest,
  password: string,
): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw notFound("The account");
  await takeLoginAttempt(env, user.email, origin);
  const { ok } = await verifyPassword(password, user.passwordHash);
  if (!ok && isStaff(role)) await insertEntry(db, author, passwordRefused, id);
  if (!ok) throw badRequest(fieldError("current_password", "wrong_password", "is not your password"));
  await loginSucceeded(env, user.email, origin);
  return user;
}
