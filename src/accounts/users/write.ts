import type { SQL } from "drizzle-orm";
import { notFound } from "../../domain/errors.ts";
import { WALLET_LOCK_MS } from "../../domain/wallet-lock.ts";
import { toColumns } from "../../platform/administration/fields.ts";
import { applyChange, type WriteRequest } from "../../platform/administration/write-queries.ts";
import { requireCredentialsRight } from "../../platform/auth/credentials-right.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { refuseReservedDomain } from "../../platform/settings/reserved-domains.ts";
import { readSettings } from "../../platform/settings/settings.ts";
import { auditedUsers, emailNotVerified, findAccount, setPassword } from "./admin-queries.ts";
import type { AccountRow, UserChange } from "./admin-schemas.ts";
import { endRequests, movedAddress, proposedChange } from "./email-address/queries.ts";
import { emailTaken } from "./email-taken.ts";
import { userFields } from "./fields.ts";
import { endEveryLink } from "./link-tokens/queries.ts";
import type { ProfileRow } from "./profile.ts";
import { findUserByEmail } from "./queries.ts";
import { endSessions } from "./sessions/end-queries.ts";
import { hashPassword, randomPassword } from "./sign-in/passwords.ts";
import { deleteFactor } from "./two-factor/queries.ts";

/** An account as it was changed; `newPassword` is shown this once. */
type ChangedUser = { user: AccountRow; newPassword: string | null };

/** The fields of a change by which somebody could sign in as the account's owner, or as more than a customer. */
const credentials = ["role", "password", "email_change_reason"] as const;

/**
 * Changes an account. What takes rights from it holds from its very next request on. A new e-mail address is proposed to the
 * present one, unless an administrator says why it changes at once. Whoever becomes staff gets a new password, and every
 * session, every link and the second factor end: the account may have been registered by anybody who guessed that it would
 * matter.
 */
export async function changeUser(
  env: Env,
  request: WriteRequest,
  target: Target,
  sent: UserChange,
): Promise<ChangedUser> {
  const { db, author } = request;
  const asked = credentials.filter((name) => sent[name] !== undefined);
  requireCredentialsRight(author, target.scope, asked);
  const before = await requireAccount(db, target);
  if (sent.email !== undefined && isStaff(before.role)) requireFresh(author);
  const { password: given, email, email_change_reason: reason, ...fields } = sent;
  const becomesStaff = sent.role !== undefined && isStaff(sent.role) && !isStaff(before.role);
  const newPassword = becomesStaff && given === undefined ? randomPassword() : null;
  const password = newPassword ?? given;
  const newEmail = email === before.email ? undefined : email;
  if (becomesStaff && newEmail !== undefined) throw emailNotVerified();
  const move = newEmail === undefined ? noMove : await planMove(env, request, before, newEmail, reason);
  const endsSessions = sent.disabled === true || password !== undefined;
  const user = await applyChange(request, auditedUsers, "update", before, async () => {
    const { disabled, ...columns } = toColumns(userFields, fields);
    const { now } = author;
    return {
      columns: { ...columns, ...move.columns, disabledAt: disabledAt(before, disabled, now) },
      statements: [
        ...(password === undefined ? [] : [setPassword(before.id, await hashPassword(password))]),
        ...(becomesStaff ? endEveryLink(before.id) : password === undefined ? [] : endRequests(before.id)),
        ...(becomesStaff ? deleteFactor(before.id) : []),
        ...(endsSessions ? [endSessions(before.id, now)] : []),
        ...move.statements,
      ],
      details: { ...(password !== undefined && { password: "changed" }), ...move.details },
    };
  });
  if (endsSessions || sent.role !== undefined || sent.disabled !== undefined) await forgetUser(env, before.id);
  return { user, newPassword };
}

type AddressMove = {
  columns: { email?: string; walletLockedUntil?: number };
  statements: SQL[];
  details: Record<string, string>;
};

const noMove: AddressMove = { columns: {}, statements: [], details: {} };

/** Proposes a new address to the present one, or with a reason changes it at once and locks the wallet. */
async function planMove(
  env: Env,
  { db, author: { now, address } }: WriteRequest,
  account: AccountRow,
  email: string,
  reason: string | undefined,
): Promise<AddressMove> {
  const settings = readSettings(env);
  refuseReservedDomain(settings, email);
  const { linkSecrets } = settings;
  if (reason !== undefined) {
    return {
      columns: { email, walletLockedUntil: now + WALLET_LOCK_MS },
      statements: movedAddress(linkSecrets, account, email, { address, userAgent: null }, now),
      details: { email_change_reason: reason },
    };
  }
  await limitAccount({ env }, "recovery", `user:${account.id}`);
  if (await findUserByEmail(db, email)) throw emailTaken["users.email"]();
  return {
    columns: {},
    statements: proposedChange(linkSecrets, account.id, email, now),
    details: { proposed_email: email },
  };
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
