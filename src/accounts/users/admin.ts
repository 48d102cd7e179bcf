import { and, asc, desc, eq, getTableColumns, gte, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { hasSpan } from "../../domain/span.ts";
import { WALLET_LOCK_MS } from "../../domain/wallet-lock.ts";
import { auditedState, toColumns } from "../../platform/administration/fields.ts";
import { type AuditedTable, applyChange, changeWrites } from "../../platform/administration/write-queries.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import { forgetApiKey } from "../../platform/auth/api-keys/home.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import { requireCredentialsRight } from "../../platform/auth/credentials-right.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import type { Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow, truth } from "../../platform/db/json.ts";
import {
  allOf,
  type Conditions,
  idsFound,
  limitTo,
  MAX_FOUND,
  newestFound,
  type PageOf,
  readPage,
} from "../../platform/db/page.ts";
import { isSame, versionAfter } from "../../platform/db/precondition.ts";
import { apiKeys, users } from "../../platform/db/schema.ts";
import { foldedBySearch, searchedTexts } from "../../platform/db/search-words.ts";
import { idsOfSpan, isChosen, limitOf, unindexed, type Which, within } from "../../platform/db/span.ts";
import { updateRows } from "../../platform/db/statements.ts";
import { countCustomers, customersWithTags, hasCustomerTags, spellTags, writtenTags } from "../../platform/db/tags.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { refuseReservedDomain } from "../../platform/settings/reserved-domains.ts";
import { emailTaken, endRequests, movedAddress, proposedChange } from "./email-address/email-address.ts";
import { userFields } from "./fields.ts";
import type { AccountRow, ProfileRow, UserChange, UserFilters, UsersQuery } from "./schemas.ts";
import { endSessions } from "./sessions/sessions.ts";
import { hashPassword, NO_PASSWORD } from "./sign-in/passwords.ts";
import { findUserByEmail } from "./users.ts";

const { passwordHash: _, ...columns } = getTableColumns(users);

const twoFactorSince: SQL<number | null> = sql`(SELECT confirmed_at FROM totp_secrets WHERE user_id = users.id)`;

/** False until the owner of an added or imported account chooses a password. */
const hasPassword: SQL<boolean> = sql`users.password_hash <> ${sql.raw(`'${NO_PASSWORD}'`)}`;

const proposedEmail: SQL<string | null> = sql`(SELECT email FROM link_tokens
  WHERE user_id = users.id AND purpose = 'approve_email' AND expires_at > unixepoch() * 1000)`;

const isSortedBy = ({ sort }: UsersQuery, name: string): boolean => sort === name || sort === `-${name}`;

const between = (figure: SQLiteColumn, least: number | undefined, most: number | undefined): SQL | undefined =>
  and(least === undefined ? undefined : gte(figure, least), most === undefined ? undefined : lte(figure, most));

/**
 * Selects matches of one filter first, in its own index, and sorts those, instead of reading through the index of the order.
 * Of more than MAX_FOUND matches these are the newest, or those with the highest figure.
 */
function chosenFirst(query: UsersQuery): SQL | undefined {
  if (query.tag) return sql`${customersWithTags(query.tag)} ORDER BY user_id DESC ${limitTo(MAX_FOUND)}`;
  const chosen = (where: SQL | undefined, order: SQL) =>
    sql`SELECT id FROM users WHERE role = 'customer' AND ${where} ORDER BY ${order} LIMIT ${MAX_FOUND}`;
  const spent = between(users.spent, query.min_spent, query.max_spent);
  if (spent && !isSortedBy(query, "spent")) return chosen(spent, desc(users.spent));
  const orders = between(users.orderCount, query.min_orders, query.max_orders);
  if (orders && !spent && !isSortedBy(query, "orders")) return chosen(orders, desc(users.orderCount));
  if (query.sort === "newest" || query.sort === "oldest") return undefined;
  if (hasSpan(query)) return chosen(within(users.createdAt, query), desc(users.createdAt));
  return query.state === "disabled" ? chosen(isNotNull(users.disabledAt), desc(users.id)) : undefined;
}

const byName = sql`${users.name} COLLATE NOCASE`;

/** A time range is read in the order of its own index, without sorting. */
function inOrder(query: UsersQuery): SQL[] {
  const { sort } = query;
  const direction = sort === "newest" || sort.startsWith("-") ? desc : asc;
  if (isSortedBy(query, "name")) return [direction(byName), direction(users.id)];
  if (isSortedBy(query, "spent")) return [direction(users.spent), direction(users.id)];
  if (isSortedBy(query, "orders")) return [direction(users.orderCount), direction(users.id)];
  return [...(hasSpan(query) ? [direction(users.createdAt)] : []), direction(users.id)];
}

function conditions(
  query: UserFilters,
  found: SQL | undefined,
  moment: SQL | SQLiteColumn = users.createdAt,
): SQL | undefined {
  const { state } = query;
  return and(
    // The indexes of sort orders begin with the role: those of chosen matches must not be read instead.
    eq(found ? unindexed(users.role) : sql`${users.role}`, "customer"),
    found,
    allOf({
      state: state && (state === "active" ? isNull : isNotNull)(users.disabledAt),
      min_spent: between(users.spent, query.min_spent, undefined),
      max_spent: between(users.spent, undefined, query.max_spent),
      min_orders: between(users.orderCount, query.min_orders, undefined),
      max_orders: between(users.orderCount, undefined, query.max_orders),
      tag: query.tag && hasCustomerTags(query.tag, sql`users.id`),
    } satisfies Conditions<UserFilters, "search" | "sort">),
    within(moment, query),
  );
}

/** Returns the id bounds of a walk through the users of a time range. */
export const idsOfUsers = (db: Database, query: UserFilters) => idsOfSpan(db, users, users.createdAt, query);

/** Reads up to `limit` ids of accounts that match a search, or have tags, after an id. Null if neither narrows the list. */
export function idsOfFoundUsers({ search, tag }: UserFilters) {
  if (search) {
    return (db: Database, after: number, limit: number) =>
      idsFound(db, { table: sql`users_search`, search }, after, limit);
  }
  if (!tag) return null;
  return async (db: Database, after: number, limit: number) => {
    const rows = await db.all<{ id: number }>(
      sql`${customersWithTags(tag)} AND user_id > ${after} ORDER BY user_id ${limitTo(limit)}`,
    );
    return rows.map(({ id }) => id);
  };
}

/** Returns customers in id order: those after a cursor, or those with given ids. */
export function walkUsers(db: Database, query: UserFilters, which: Which): Promise<ProfileRow[]> {
  const where = conditions(query, isChosen(users.id, which), unindexed(users.createdAt));
  return db.select(columns).from(users).where(where).orderBy(asc(users.id)).limit(limitOf(which)).all();
}

/** The query of a list, with what is read first of it. */
function narrowed(query: UsersQuery) {
  if (query.search) {
    const found = newestFound(sql`users_search`, query.search);
    return { found, where: conditions(query, sql`${users.id} IN (${found})`) };
  }
  const found = chosenFirst(query);
  // All that are chosen have the tags.
  return { found, where: conditions({ ...query, tag: undefined }, found && sql`${users.id} IN (${found})`) };
}

/** Returns up to `most` ids of customers, in the order of the list. */
export async function readUserIds(db: Database, query: UsersQuery, most: number): Promise<number[]> {
  const { where } = narrowed(query);
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(where)
    .orderBy(...inOrder(query))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** The only tag of a list that nothing else narrows or sorts. Its customers are counted and in the order of their ids. */
function onlyTag({ tag, sort, page: _, per_page: __, ...others }: UsersQuery): string | undefined {
  const isPlain = Object.values(others).every((value) => value === undefined || value === "");
  return isPlain && tag?.length === 1 && (sort === "newest" || sort === "oldest") ? tag[0] : undefined;
}

/** Returns a page of the customers with a tag, of whom no others are read, and their exact number. */
async function listTagged(db: Database, tag: string, query: UsersQuery): Promise<PageOf<ProfileRow>> {
  const { limit, offset } = limitAndOffset(query);
  const order = sql.raw(query.sort === "newest" ? "DESC" : "ASC");
  const ids = sql`${customersWithTags([tag])} ORDER BY user_id ${order} ${limitTo(limit, offset)}`;
  const [rows, [found]] = await db.batch([
    db.select(columns).from(users).where(sql`${users.id} IN (${ids})`).orderBy(sql`${users.id} ${order}`),
    countCustomers(db, tag),
  ]);
  return { rows, totalItems: found?.customers ?? 0, totalIsExact: true };
}

/** Returns a page of customers and the total, in one round trip. */
export function listUsers(db: Database, query: UsersQuery): Promise<PageOf<ProfileRow>> {
  const tag = onlyTag(query);
  if (tag !== undefined) return listTagged(db, tag, query);
  const { found, where } = narrowed(query);
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select(columns)
    .from(users)
    .where(where)
    .orderBy(...inOrder(query))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, users, where, found);
}

const accountColumns = { ...columns, hasPassword: hasPassword.mapWith(Boolean), twoFactorSince, proposedEmail };

const selectAccount = (db: Database, { id, scope }: Target) =>
  db
    .select(accountColumns)
    .from(users)
    .where(and(eq(users.id, id), scope === "customers" ? eq(users.role, "customer") : undefined));

/** Returns the customers among some ids. */
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
  json: jsonRow<AccountRow>(columns, {
    hasPassword: truth(hasPassword),
    twoFactorSince,
    proposedEmail: sql`json_quote(${proposedEmail})`,
  }),
  audited: ({ disabledAt, ...user }) => auditedState(userFields, { ...user, disabled: disabledAt !== null }),
  folded: foldedBySearch(searchedTexts.users),
  refusals: {
    ...emailTaken,
    ...erasureRefusals,
    last_administrator: () =>
      conflict("last_administrator", "This is the last active administrator. Make someone else an administrator first"),
  },
};

/** Statements that give a customer other tags. */
export const customerTagWrites = (
  ctx: Pick<WriteContext, "db" | "author">,
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
  { id, change, ifMatch }: { id: number; change: UserChange; ifMatch: IfMatch },
): Promise<AccountRow> {
  const { env, db, caller, author } = ctx;
  const target = { id, scope: accountScopeOf(caller) };
  const asked = credentials.filter((name) => change[name] !== undefined);
  requireCredentialsRight(author, target.scope, asked);
  const before = await requireAccount(db, target);
  if (change.email !== undefined && isStaff(before.role)) requireFresh(author);
  const { password, email, email_change_reason: reason, revoke_api_keys: revokesKeys, ...fields } = change;
  if (change.role !== undefined && isStaff(change.role) && !isStaff(before.role)) throw staffAreInvited();
  const newEmail = email === before.email ? undefined : email;
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

export async function requireAccount(db: Database, target: Target): Promise<AccountRow> {
  const user = await findAccount(db, target);
  if (!user) throw notFound(`User ${target.id}`);
  return user;
}

/** Returns when the account was disabled. An account that is already disabled keeps its original time. */
function disabledAt(before: ProfileRow, disabled: boolean | undefined, now: number): number | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (before.disabledAt ?? now) : null;
}
