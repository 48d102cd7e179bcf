import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { conflict } from "../../domain/errors.ts";
import { hasSpan } from "../../domain/span.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable } from "../../platform/administration/write-queries.ts";
import type { AccountScope, Target } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { idsFound, MAX_FOUND, newestFound } from "../../platform/db/full-text.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { users } from "../../platform/db/schema.ts";
import { foldedBySearch, searchedTexts } from "../../platform/db/search-words.ts";
import { idsOfSpan, within } from "../../platform/db/span.ts";
import { isChosen, limitOf, unindexed, type Which } from "../../platform/db/walk.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { AccountRow, UserFilters, UsersQuery } from "./admin-schemas.ts";
import { emailTaken } from "./email-taken.ts";
import { erasureRefusals } from "./erasure-refusals.ts";
import { userFields } from "./fields.ts";
import type { ProfileRow } from "./profile.ts";

const { passwordHash: _, ...columns } = getTableColumns(users);

const orderCount: SQL<number> = sql`(SELECT count(*) FROM orders WHERE user_id = users.id)`;
const twoFactorSince: SQL<number | null> = sql`(SELECT confirmed_at FROM totp_secrets WHERE user_id = users.id)`;

const proposedEmail: SQL<string | null> = sql`(SELECT email FROM link_tokens
  WHERE user_id = users.id AND purpose = 'approve_email' AND expires_at > unixepoch() * 1000)`;

/** What a name's index is not read through for: it is chosen first, the newest of it, and sorted. */
function chosenFirst({ sort, state, ...span }: UsersQuery): SQL | undefined {
  if (sort !== "name" && sort !== "-name") return undefined;
  const newest = (where: SQL | undefined, order: SQL) =>
    sql`SELECT id FROM users WHERE ${where} ORDER BY ${order} LIMIT ${MAX_FOUND}`;
  if (hasSpan(span)) return newest(within(users.createdAt, span), desc(users.createdAt));
  return state === "disabled" ? newest(isNotNull(users.disabledAt), desc(users.id)) : undefined;
}

const byName = sql`${users.name} COLLATE NOCASE`;

/** A span of time is read in the order of its own index, and not sorted. */
function inOrder(query: UsersQuery): SQL[] {
  const direction = query.sort === "name" || query.sort === "oldest" ? asc : desc;
  if (query.sort === "name" || query.sort === "-name") return [direction(byName), direction(users.id)];
  return [...(hasSpan(query) ? [direction(users.createdAt)] : []), direction(users.id)];
}

function conditions(
  query: UserFilters,
  scope: AccountScope,
  found: SQL | undefined,
  moment: SQL | SQLiteColumn = users.createdAt,
): SQL | undefined {
  const { state } = query;
  const role = scope === "everybody" ? query.role : "customer";
  return and(
    scope === "customers" && query.role !== undefined && query.role !== "customer" ? sql`FALSE` : undefined,
    found,
    role && eq(users.role, role),
    state && (state === "active" ? isNull : isNotNull)(users.disabledAt),
    within(moment, query),
  );
}

/** The ids that a walk through the users of a span is between. */
export const idsOfUsers = (db: Database, query: UserFilters) => idsOfSpan(db, users, users.createdAt, query);

/** The ids of all users that are searched for, as many as follow. */
export const idsOfUserSearch = (db: Database, search: string, after: number, limit: number) =>
  idsFound(db, { table: sql`users_search`, search }, after, limit);

/** Users in the order of ids: those that follow, or those with these ids. */
export function walkUsers(db: Database, query: UserFilters, scope: AccountScope, which: Which): Promise<ProfileRow[]> {
  const where = conditions(query, scope, isChosen(users.id, which), unindexed(users.createdAt));
  return db.select(columns).from(users).where(where).orderBy(asc(users.id)).limit(limitOf(which)).all();
}

/** A page of users, and how many there are, in one round trip. */
export function listUsers(db: Database, query: UsersQuery, scope: AccountScope): Promise<PageOf<ProfileRow>> {
  const found = query.search ? newestFound(sql`users_search`, query.search) : chosenFirst(query);
  const where = conditions(query, scope, found && sql`${users.id} IN (${found})`);
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

const selectAccount = (db: Database, { id, scope }: Target) =>
  db
    .select({ ...columns, orderCount, twoFactorSince, proposedEmail })
    .from(users)
    .where(and(eq(users.id, id), scope === "customers" ? eq(users.role, "customer") : undefined));

export const findAccount = (db: Database, target: Target): Promise<AccountRow | undefined> =>
  selectAccount(db, target).get();

export const emailNotVerified = () =>
  conflict("email_not_verified", "Nobody has shown yet that this account's e-mail address is theirs");

export const auditedUsers: AuditedTable<AccountRow, ProfileRow> = {
  table: users,
  name: "users",
  subject: "user",
  json: jsonRow<AccountRow>(columns, {
    orderCount,
    twoFactorSince,
    proposedEmail: sql`json_quote(${proposedEmail})`,
  }),
  audited: ({ disabledAt, ...user }) => auditedState(userFields, { ...user, disabled: disabledAt !== null }),
  folded: foldedBySearch(searchedTexts.users),
  refusals: {
    ...emailTaken,
    ...erasureRefusals,
    email_not_verified: emailNotVerified,
    last_administrator: () =>
      conflict(
        "last_administrator",
        "This is the last active administrator: make somebody else an administrator first",
      ),
  },
};

export const setPassword = (id: number, hash: string): SQL =>
  sql`UPDATE users SET password_hash = ${hash} WHERE id = ${id}`;
