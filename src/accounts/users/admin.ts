import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { refuseReservedDomain } from "../../domain/contact.ts";
import { badRequest, conflict, externalIdTaken, fieldError, requireFound } from "../../domain/errors.ts";
import { WALLET_LOCK_MS } from "../../domain/wallet-lock.ts";
import { auditedState, toColumns } from "../../platform/administration/fields.ts";
import { type AuditedTable, applyChange, changeWrites } from "../../platform/administration/write-queries.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import { forgetApiKey } from "../../platform/auth/api-keys/home.ts";
import {
  type ApiKeyCaller,
  type AuthorContext,
  accountScopeOf,
  requireCredentialsRight,
  requireFresh,
  type Target,
  type UserCaller,
  type WriteContext,
} from "../../platform/auth/caller.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/user-limiter.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow, truth } from "../../platform/db/json.ts";
import { apiKeys, users } from "../../platform/db/schema.ts";
import { foldedBySearch, searchedTexts } from "../../platform/db/search-words.ts";
import { isSame, updateRows, versionAfter } from "../../platform/db/statements.ts";
import { spellTags, writtenTags } from "../../platform/db/tags.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { emailTaken, endRequests, movedAddress, proposedChange } from "./email-address/email-address.ts";
import { requireMayExempt } from "./exemption.ts";
import { userFields } from "./fields.ts";
import { profileColumns } from "./list.ts";
import type { AccountRow, ProfileRow, UserUpdate } from "./schemas.ts";
import { endSessions } from "./sessions/sessions.ts";
import { hashPassword, NO_PASSWORD } from "./sign-in/passwords.ts";
import { findUserByEmail } from "./users.ts";

const twoFactorSince: SQL<number | null> = sql`(SELECT confirmed_at FROM totp_secrets WHERE user_id = users.id)`;

/** False until the owner of an added or imported account chooses a password. */
const hasPassword: SQL<boolean> = sql`users.password_hash <> ${sql.raw(`'${NO_PASSWORD}'`)}`;

const proposedEmail: SQL<string | null> = sql`(SELECT email FROM link_tokens
  WHERE user_id = users.id AND purpose = 'approve_email' AND expires_at > unixepoch() * 1000)`;

const accountColumns = { ...profileColumns, hasPassword: hasPassword.mapWith(Boolean), twoFactorSince, proposedEmail };

const selectAccount = (db: Database, { id, scope }: Target) =>
  db
    .select(accountColumns)
    .from(users)
    .where(and(eq(users.id, id), scope === "customers" ? eq(users.role, "customer") : undefined));

/** Returns the accounts with these ids that are customers. */
export const findCustomers = (db: Database, ids: number[]): Promise<AccountRow[]> =>
  db
    .select(accountColumns)
    .from(users)
    .where(and(sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, eq(users.role, "customer")));

const findAccount = (db: Database, target: Target): Promise<AccountRow | undefined> => selectAccount(db, target).get();

/** Errors of a change to an account whose erasure is scheduled or done. */
export const erasureRefusals = {
  account_erased: () => conflict("account_erased", "The account was erased"),
  staff_cannot_be_erased: () =>
    conflict(
      "staff_cannot_be_erased",
      "Staff accounts cannot be erased, and an account that will be erased cannot become staff",
    ),
};

export const auditedUsers: AuditedTable<AccountRow, ProfileRow> = {
  table: users,
  name: "users",
  subject: "user",
  json: jsonRow<AccountRow>(profileColumns, {
    hasPassword: truth(hasPassword),
    twoFactorSince,
    proposedEmail: sql`json_quote(${proposedEmail})`,
  }),
  audited: ({ disabledAt, ...user }) => auditedState(userFields, { ...user, disabled: disabledAt !== null }),
  folded: foldedBySearch(searchedTexts.users),
  refusals: {
    ...emailTaken,
    "users.external_id": externalIdTaken,
    ...erasureRefusals,
    last_administrator: () =>
      conflict("last_administrator", "This is the last active administrator. Make someone else an administrator first"),
  },
};

/** Statements that replace a customer's tags. */
export const customerTagWrites = (
  ctx: AuthorContext,
  { before, tags }: { before: AccountRow; tags: string[] },
): SQL[] =>
  changeWrites(ctx, {
    target: auditedUsers,
    action: "update",
    before,
    change: { columns: {}, ...writtenTags("users", tags) },
  });

const setPassword = (id: number, passwordHash: string): SQL => updateRows(users, { passwordHash }, eq(users.id, id));

type AdminContext = WriteContext<UserCaller | ApiKeyCaller>;

/** Nobody but the owner of an address may choose the first password of a member of staff. */
const staffAreInvited = () =>
  badRequest(fieldError("role", "not_applicable", "cannot make a customer staff. Send an invitation instead"));

/** Fields that could let somebody sign in as the account's owner, or with more rights than a customer. */
const credentials = ["role", "password", "email_change_reason", "revoke_api_keys"] as const;

/**
 * Changes an account. Lost permissions take effect with the account's next request. A new e-mail address must be approved by
 * the current one, unless an administrator gives a reason to change it immediately. Roles change among staff, or back to
 * customer: a customer becomes staff by accepting an invitation.
 */
export async function changeUser(
  ctx: AdminContext,
  { id, change, ifMatch }: { id: number; change: UserUpdate; ifMatch: IfMatch },
): Promise<AccountRow> {
  const { env, db, caller, author } = ctx;
  const target = { id, scope: accountScopeOf(caller) };
  const before = await requireAccount(db, target);
  const asked = credentials.filter(
    (name) => change[name] !== undefined && (name !== "role" || change.role !== before.role),
  );
  requireCredentialsRight(author, target.scope, asked);
  requireMayExempt(author, { before: before.taxExemptReason, after: change.tax_exempt_reason });
  const { password, email, email_change_reason: reason, revoke_api_keys: revokesKeys, ...fields } = change;
  if (change.role !== undefined && isStaff(change.role) && !isStaff(before.role)) throw staffAreInvited();
  const newEmail = email === before.email ? undefined : email;
  if (newEmail !== undefined && isStaff(before.role)) requireFresh(author);
  const move = newEmail === undefined ? noMove : await planMove(ctx, { account: before, email: newEmail, reason });
  const endsSessions = change.disabled === true || password !== undefined;
  const tags = change.tags && (await spellTags(db, change.tags));
  const decide = async () => {
    const { disabled, tags: _, ...columns } = toColumns(userFields, fields);
    const { now } = author;
    return {
      ...(tags && !isSame(tags, before.tags) && writtenTags("users", tags)),
      columns: { ...columns, ...move.columns, disabledAt: disabledAt(before, disabled, now) },
      statements: [
        ...(password === undefined ? [] : [setPassword(before.id, await hashPassword(password))]),
        ...(password === undefined ? [] : endRequests(before.id)),
        ...(endsSessions ? [endSessions(ctx, before.id)] : []),
        ...(revokesKeys ? revokeKeysOf(ctx, before.id) : []),
        ...move.statements,
      ],
      details: { ...(password !== undefined && { password: "changed" }), ...move.details },
    };
  };
  const keys = revokesKeys ? await db.select({ start: apiKeys.start }).from(apiKeys).where(keysOf(before.id)) : [];
  const user = await applyChange(ctx, { target: auditedUsers, action: "update", before, ifMatch, decide });
  await Promise.all(keys.map(({ start }) => forgetApiKey(env, start)));
  if (endsSessions || change.role !== undefined || change.disabled !== undefined) await forgetUser(env, before.id);
  return user;
}

const keysOf = (userId: number) => and(eq(apiKeys.createdBy, userId), isNull(apiKeys.revokedAt));

/** Statements that revoke the API keys that a person created. Keys belong to the shop, so others' keys stay. */
const revokeKeysOf = ({ author }: Pick<AdminContext, "author">, userId: number): SQL[] => [
  auditStates(
    { author },
    { subject: "api_key", action: "revoke", id: sql`id`, from: sql`FROM api_keys WHERE ${keysOf(userId)}` },
  ),
  sql`UPDATE api_keys SET revoked_at = ${author.now}, updated_at = ${versionAfter(author.now)} WHERE ${keysOf(userId)}`,
];

type AddressMove = {
  columns: { email?: string; walletLockedUntil?: number };
  statements: SQL[];
  details: Record<string, string>;
};

const noMove: AddressMove = { columns: {}, statements: [], details: {} };

/** Asks the current address to approve a new one. With a reason, changes it immediately and locks the wallet. */
async function planMove(
  ctx: AdminContext,
  { account, email, reason }: { account: AccountRow; email: string; reason: string | undefined },
): Promise<AddressMove> {
  const { env, db, settings, author } = ctx;
  refuseReservedDomain(settings, email);
  if (reason !== undefined) {
    return {
      columns: { email, walletLockedUntil: author.now + WALLET_LOCK_MS },
      statements: movedAddress(
        { ...ctx, client: { address: author.address, userAgent: null } },
        { user: account, newEmail: email },
      ),
      details: { email_change_reason: reason },
    };
  }
  await limitAccount({ env }, "recovery", `user:${account.id}`);
  if (await findUserByEmail(db, email)) throw emailTaken["users.email"]();
  return {
    columns: {},
    statements: proposedChange(ctx, { userId: account.id, newEmail: email }),
    details: { proposed_email: email },
  };
}

export const requireAccount = (db: Database, target: Target): Promise<AccountRow> =>
  requireFound(findAccount(db, target), `User ${target.id}`);

/** Returns when the account was disabled. An account that is already disabled keeps its original time. */
function disabledAt(before: ProfileRow, disabled: boolean | undefined, now: number): number | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (before.disabledAt ?? now) : null;
}
