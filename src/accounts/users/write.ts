import { fieldError, forbidden, notFound } from "../../domain/errors.ts";
import { toColumns } from "../../platform/administration/fields.ts";
import { applyChange, type WriteRequest } from "../../platform/administration/write-queries.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { readSettings } from "../../platform/settings/settings.ts";
import { auditedUsers, emailNotVerified, findAccount, setPassword } from "./admin-queries.ts";
import type { AccountRow, UserChange } from "./admin-schemas.ts";
import { endRequests, movedAddress } from "./email-address/queries.ts";
import { userFields } from "./fields.ts";
import { endEveryLink } from "./link-tokens/queries.ts";
import type { ProfileRow } from "./profile.ts";
import { endSessions } from "./sessions/end-queries.ts";
import { hashPassword, randomPassword } from "./sign-in/passwords.ts";
import { deleteFactor } from "./two-factor/queries.ts";

/** An account as it was changed; `newPassword` is shown this once. */
type ChangedUser = { user: AccountRow; newPassword: string | null };

/**
 * Changes an account. What takes rights from it holds from its very next request on. Whoever becomes staff gets a new
 * password, and every session, every link and the second factor end: the account may have been registered by anybody who
 * guessed that it would matter.
 */
export async function changeUser(
  env: Env,
  request: WriteRequest,
  target: Target,
  sent: UserChange,
): Promise<ChangedUser> {
  if (target.scope === "customers") refuseRights(sent);
  const before = await requireAccount(request.db, target);
  if (givesAccess(sent, before)) requireFresh(request.author);
  const { password: given, ...fields } = sent;
  const becomesStaff = sent.role !== undefined && isStaff(sent.role) && !isStaff(before.role);
  const newPassword = becomesStaff && given === undefined ? randomPassword() : null;
  const password = newPassword ?? given;
  const newEmail = sent.email === before.email ? undefined : sent.email;
  if (becomesStaff && newEmail !== undefined) throw emailNotVerified();
  const endsSessions = sent.disabled === true || password !== undefined;
  const user = await applyChange(request, auditedUsers, "update", before, async () => {
    const { disabled, ...columns } = toColumns(userFields, fields);
    const { now } = request.author;
    return {
      columns: { ...columns, disabledAt: disabledAt(before, disabled, now) },
      statements: [
        ...(password === undefined ? [] : [setPassword(before.id, await hashPassword(password))]),
        ...(becomesStaff ? endEveryLink(before.id) : password === undefined ? [] : endRequests(before.id)),
        ...(becomesStaff ? deleteFactor(before.id) : []),
        ...(endsSessions ? [endSessions(before.id, now)] : []),
        ...(newEmail === undefined
          ? []
          : movedAddress(readSettings(env).linkSecrets, before, newEmail, request.author)),
      ],
      ...(password !== undefined && { details: { password: "changed" } }),
    };
  });
  if (endsSessions || sent.role !== undefined || sent.disabled !== undefined) await forgetUser(env, before.id);
  return { user, newPassword };
}

/** Whether whoever sends the change could sign in afterwards as somebody who may do more than a customer. */
const givesAccess = ({ role, password, email }: UserChange, before: AccountRow): boolean =>
  role !== undefined || password !== undefined || (email !== undefined && isStaff(before.role));

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

/** Whoever could make administrators, or sign in as anybody, would be an administrator. */
function refuseRights({ role, password }: UserChange): void {
  const words = "is for administrators to change";
  const fields = [...(role ? ["role"] : []), ...(password ? ["password"] : [])];
  const [first] = fields;
  if (first === undefined) return;
  const errors = fields.map((field) => fieldError(field, "read_only", words));
  throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
}
