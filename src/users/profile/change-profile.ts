import { toColumns } from "../../administration/fields.ts";
import type { Entry } from "../../audit/entry.ts";
import { insertEntry } from "../../audit/queries.ts";
import type { Author } from "../../auth/author.ts";
import type { UserCaller } from "../../auth/caller.ts";
import { loginSucceeded, takeLoginAttempt } from "../../auth/login-attempts/throttle.ts";
import { isStaff } from "../../auth/roles.ts";
import { forgetUser } from "../../auth/users/limiter.ts";
import type { Database } from "../../db/client.ts";
import { queueEmail } from "../../email/queries.ts";
import { badRequest, fieldError, notFound } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import { profileFields } from "../fields.ts";
import { findUser, type UserRow } from "../queries.ts";
import type { SessionClient } from "../sessions/client.ts";
import { hashPassword, verifyPassword } from "../sign-in/passwords.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./schemas.ts";

/** Who changes their profile, and from where. `origin` is whose login attempts it counts with. */
type Changing = {
  env: Env;
  db: Database;
  settings: Settings;
  caller: UserCaller;
  author: Author;
  client: SessionClient;
  origin: string | null;
};

export async function changeProfile(changing: Changing, sent: ProfileChange): Promise<UserRow> {
  const { env, db, settings, caller, author, client } = changing;
  const { password, current_password, ...fields } = sent;
  const verified = current_password === undefined ? undefined : await confirmPassword(changing, current_password);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const change = { ...toColumns(profileFields, fields), passwordHash };
  const notice = { template: "password_changed", params: { at: author.now, ...client }, userId: caller.id } as const;
  const notices = password === undefined ? [] : [queueEmail(settings.linkSecrets, notice, author.now)];
  const user = await updateProfile(db, caller, change, verified, notices, isStaff(caller.role) ? author : null);
  if (!user) throw notFound("The account");
  if (password !== undefined) await forgetUser(env, caller.id);
  return user;
}

const passwordRefused: Entry = { action: "password_refused", subject: "user", before: null, after: null };

/**
 * The account whose password was shown. Guesses count as those of a login do, and those of staff are audited like failed
 * sign-ins: a token alone may be stolen.
 */
async function confirmPassword({ env, db, caller, author, origin }: Changing, password: string): Promise<UserRow> {
  const { id, role } = caller;
  const user = await findUser(db, id);
  if (!user) throw notFound("The account");
  await takeLoginAttempt(env, user.email, origin);
  const { ok } = await verifyPassword(password, user.passwordHash);
  if (!ok && isStaff(role)) await insertEntry(db, author, passwordRefused, id);
  if (!ok) throw badRequest(fieldError("current_password", "wrong_password", "is wrong"));
  await loginSucceeded(env, user.email, origin);
  return user;
}
