import { difference } from "../audit/entry.ts";
import type { Author } from "../auth/author.ts";
import { forgetUser } from "../auth/users/limiter.ts";
import type { Target } from "../db/account-scope.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { fieldError, forbidden, notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import { findAccount, updateUser } from "./admin-queries.ts";
import type { AccountRow, UserChange } from "./admin-schemas.ts";
import { toContact, toContactColumns } from "./contact.ts";
import type { ProfileRow } from "./profile.ts";
import { hashPassword, randomPassword } from "./sign-in/passwords.ts";

/** An account as it was changed; `newPassword` is shown this once. */
type ChangedUser = { user: AccountRow; newPassword: string | null };

/**
 * Changes an account. What takes rights from it holds from its very next request on. Whoever becomes an administrator gets a
 * new password, and every session ends: the account may have been registered by anybody who guessed that it would matter.
 */
export async function changeUser(
  env: Env,
  db: Database,
  target: Target,
  sent: UserChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<ChangedUser> {
  if (target.scope === "customers") refuseRights(sent);
  const before = await requireAccount(db, target);
  requireVersion(ifMatch, before.updatedAt);
  const { name, email, role, disabled } = sent;
  const isPromoted = role === "admin" && before.role !== "admin";
  const newPassword = isPromoted && sent.password === undefined ? randomPassword() : null;
  const password = newPassword ?? sent.password;
  const change = {
    name,
    email,
    role,
    disabledAt: disabledAt(before, disabled, author.now),
    ...toContactColumns(sent),
  };
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const states = difference(auditedState(before), {
    ...auditedState(merge<ProfileRow>(before, change)),
    ...(password !== undefined && { password: "changed" }),
  });
  const write = { columns: { ...change, passwordHash }, endsSessions: disabled === true || password !== undefined };
  const user = await updateUser(db, before, write, author, { action: "update", subject: "user", ...states });
  if (write.endsSessions || role !== undefined || disabled !== undefined) await forgetUser(env, before.id);
  return { user, newPassword };
}

export async function requireAccount(db: Database, target: Target): Promise<AccountRow> {
  const user = await findAccount(db, target);
  if (!user) throw notFound(`User ${target.id}`);
  return user;
}

/** An account that is disabled already keeps the moment since when it is. */
function disabledAt(before: ProfileRow, disabled: boolean | undefined, now: number): number | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (before.disabledAt ?? now) : null;
}

/** The fields of a user in the audit log, named as in requests. */
const auditedState = (user: ProfileRow): Record<string, unknown> => ({
  name: user.name,
  email: user.email,
  role: user.role,
  disabled: user.disabledAt !== null,
  ...toContact(user),
});

/** A key that could make administrators, or sign in as anybody, would be an administrator. */
function refuseRights({ role, password }: UserChange): void {
  const words = "is for administrators to change, not for API keys";
  const fields = [...(role ? ["role"] : []), ...(password ? ["password"] : [])];
  const [first] = fields;
  if (first === undefined) return;
  const errors = fields.map((field) => fieldError(field, "read_only", words));
  throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
}
