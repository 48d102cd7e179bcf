import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { insertEntry } from "../../platform/audit/audit.ts";
import { loginSucceeded, takeLoginAttempt } from "../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import type { OwnRequest } from "./own-request.ts";
import { verifyPassword } from "./sign-in/passwords.ts";
import { findUser, type UserRow } from "./users.ts";

/**
 * Returns the account if the password matches. Guesses count as login attempts, and those of staff are audited as failed
 * sign-ins, because a token may be stolen.
 */
export async function confirmPassword(request: OwnRequest, password: string): Promise<UserRow> {
  const {
    db,
    caller: { id },
  } = request;
  const user = await findUser(db, id);
  if (!user) throw notFound("The account");
  await requirePassword(request, user, password, "current_password");
  return user;
}

type Trying = Pick<OwnRequest, "env" | "db" | "author" | "origin">;

/** Throws if the password is wrong, with an error for the field it was sent in. */
export async function requirePassword(
  { env, db, author, origin }: Trying,
  { id, email, role, passwordHash }: UserRow,
  password: string,
  field: string,
): Promise<void> {
  await takeLoginAttempt(env, email, origin);
  const { ok } = await verifyPassword(password, passwordHash);
  if (!ok && isStaff(role)) await insertEntry({ db, author }, { action: "password_refused", subject: "user", id });
  if (!ok) throw badRequest(fieldError(field, "wrong_password", "is not the password of the account"));
  await loginSucceeded(env, email, origin);
}
