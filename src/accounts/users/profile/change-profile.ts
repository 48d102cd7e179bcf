import { notFound } from "../../../domain/errors.ts";
import { toColumns } from "../../../platform/administration/fields.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import { isSame, merge } from "../../../platform/db/merge.ts";
import { queueEmail } from "../../../platform/email/queries.ts";
import { refuseReservedDomain } from "../../../platform/settings/reserved-domains.ts";
import { confirmPassword } from "../confirm-password.ts";
import { endRequests, requestedChange } from "../email-address/queries.ts";
import { emailTaken } from "../email-taken.ts";
import { profileFields } from "../fields.ts";
import type { OwnRequest } from "../own-request.ts";
import { findUser, findUserByEmail, type UserRow } from "../queries.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./schemas.ts";

export async function changeProfile(changing: OwnRequest, sent: ProfileChange): Promise<UserRow> {
  const { env, db, settings, caller, author, client } = changing;
  const { password, current_password, email, ...fields } = sent;
  const verified = current_password === undefined ? undefined : await confirmPassword(changing, current_password);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const isNewEmail = email !== undefined && email !== verified?.email;
  if (isNewEmail) await requireFree(changing, email);
  const change = { ...toColumns(profileFields, fields), passwordHash };
  const notice = { template: "password_changed", params: { at: author.now, ...client }, userId: caller.id } as const;
  const notices = [
    ...(password === undefined
      ? []
      : [...endRequests(caller.id), queueEmail(settings.linkSecrets, notice, author.now)]),
    ...(isNewEmail ? requestedChange(settings.linkSecrets, caller.id, email, author.now) : []),
  ];
  if (notices.length === 0) {
    const before = verified ?? (await findUser(db, caller.id));
    if (before && isSame(before, merge<UserRow>(before, change))) return before;
  }
  const user = await updateProfile(db, caller, change, verified, notices, isStaff(caller.role) ? author : null);
  if (!user) throw notFound("The account");
  if (password !== undefined) await forgetUser(env, caller.id);
  return user;
}

/** It is written to, and may be a stranger's: as seldom as a link for a new password, whoever and how many ask. */
async function requireFree({ env, db, settings, caller }: OwnRequest, email: string): Promise<void> {
  refuseReservedDomain(settings, email);
  await limitAccount({ env }, "recovery", `user:${caller.id}`);
  await limitAccount({ env }, "recovery", email);
  if (await findUserByEmail(db, email)) throw emailTaken["users.email"]();
}
