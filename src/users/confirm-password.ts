import type { Entry } from "../audit/entry.ts";
import { insertEntry } from "../audit/queries.ts";
import { loginSucceeded, takeLoginAttempt } from "../auth/login-attempts/throttle.ts";
import { isStaff } from "../auth/roles.ts";
import { badRequest, fieldError, notFound } from "../errors.ts";
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
