import { toColumns } from "../../administration/fields.ts";
import type { Entry } from "../../audit/entry.ts";
import { insertEntry } from "../../audit/queries.ts";
import type { Author } from "../../auth/author.ts";
import type { UserCaller } from "../../auth/caller.ts";
import { loginSucceeded, takeLoginAttempt } from "../../auth/login-attempts/throttle.ts";
import { forgetUser } from "../../auth/users/limiter.ts";
import type { Database } from "../../db/client.ts";
import { badRequest, fieldError, notFound } from "../../errors.ts";
import { profileFields } from "../fields.ts";
import { findUser, type UserRow } from "../queries.ts";
import { hashPassword, verifyPassword } from "../sign-in/passwords.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./schemas.ts";

export async function changeProfile(
  env: Env,
  db: Database,
  caller: UserCaller,
  sent: ProfileChange,
  origin: string | null,
  author: Author,
): Promise<UserRow> {
  const { password, current_password, ...fields } = sent;
  const verified =
    current_password === undefined
      ? undefined
      : await confirmPassword(env, db, caller, current_password, origin, author);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const change = { ...toColumns(profileFields, fields), passwordHash };
  const user = await updateProfile(db, caller, change, verified, caller.role === "admin" ? author : null);
  if (!user) throw notFound("The account");
  if (password !== undefined) await forgetUser(env, caller.id);
  return user;
}

const passwordRefused: Entry = { action: "password_refused", subject: "user", before: null, after: null };

/**
 * The account whose password was shown. Guesses count as those of a login do, and administrators' are audited like failed
 * sign-ins: a token alone may be stolen.
 */
async function confirmPassword(
  env: Env,
  db: Database,
  { id, role }: UserCaller,
  password: string,
  origin: string | null,
  author: Author,
): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw notFound("The account");
  await takeLoginAttempt(env, user.email, origin);
  const { ok } = await verifyPassword(password, user.passwordHash);
  if (!ok && role === "admin") await insertEntry(db, author, passwordRefused, id);
  if (!ok) throw badRequest(fieldError("current_password", "wrong_password", "is wrong"));
  await loginSucceeded(env, user.email, origin);
  return user;
}
