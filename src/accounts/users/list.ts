import { and, asc, desc, eq, getTableColumns, gte, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasSpan } from "../../domain/fields.ts";
import type { Database } from "../../platform/db/client.ts";
import { rowsWithText } from "../../platform/db/metadata.ts";
import {
  allOf,
  type Conditions,
  idsFound,
  idsOfSpan,
  isChosen,
  limitOf,
  limitTo,
  MAX_FOUND,
  newestFound,
  type PageOf,
  readFollowing,
  readPage,
  unindexed,
  type Which,
  within,
} from "../../platform/db/page.ts";
import { users } from "../../platform/db/schema.ts";
import { countCustomers, customersWithTags, hasCustomerTags } from "../../platform/db/tags.ts";
import { hasCursor, limitAndOffset, pageOf } from "../../platform/http/pagination.ts";
import type { ProfileRow, UserFilters, UsersQuery } from "./schemas.ts";

const { passwordHash: _, ...profileColumns } = getTableColumns(users);

export { profileColumns };

const isSortedBy = ({ sort }: UsersQuery, name: string): boolean => sort === name || sort === `-${name}`;

const between = (figure: SQLiteColumn, least: number | undefined, most: number | undefined): SQL | undefined =>
  and(least === undefined ? undefined : gte(figure, least), most === undefined ? undefined : lte(figure, most));

/**
 * Selects the matches of one filter from its own index and sorts them, instead of reading the whole index of the order.
 * If there are more than MAX_FOUND matches, these are the newest, or those with the highest figure.
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

const byName = sql`${users.sortName} COLLATE NOCASE`;

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
    // The indexes of sort orders begin with the role. They must not be used for selected matches.
    eq(found ? unindexed(users.role) : sql`${users.role}`, "customer"),
    found,
    allOf({
      email: query.email === undefined ? undefined : eq(users.email, query.email),
      external_id: query.external_id === undefined ? undefined : eq(users.externalId, query.external_id),
      metadata:
        query.metadata === undefined ? undefined : sql`${users.id} IN (${rowsWithText("users", query.metadata)})`,
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
  return db.select(profileColumns).from(users).where(where).orderBy(asc(users.id)).limit(limitOf(which)).all();
}

/** The condition of a list. If it begins with a search or a filter, also the matches to read first. */
function narrowed(query: UsersQuery) {
  if (query.search) {
    const found = newestFound(sql`users_search`, query.search);
    return { found, where: conditions(query, sql`${users.id} IN (${found})`) };
  }
  const found = chosenFirst(query);
  // The search has already selected customers with these tags.
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

/**
 * Returns the tag of a list that is filtered only by it, newest or oldest first. Its customers are counted and stored
 * in the order of their ids.
 */
function onlyTag({ tag, sort, page: _, per_page: __, ...others }: UsersQuery): string | undefined {
  const isPlain = Object.values(others).every((value) => value === undefined || value === "");
  return isPlain && tag?.length === 1 && (sort === "newest" || sort === "oldest") ? tag[0] : undefined;
}

/** Returns a page of the customers with a tag and their exact number. Reads no other customers. */
async function listTagged(db: Database, tag: string, query: UsersQuery): Promise<PageOf<ProfileRow>> {
  const { limit, offset } = limitAndOffset(query);
  const order = sql.raw(query.sort === "newest" ? "DESC" : "ASC");
  const ids = sql`${customersWithTags([tag])} ORDER BY user_id ${order} ${limitTo(limit, offset)}`;
  const [rows, [found]] = await db.batch([
    db.select(profileColumns).from(users).where(sql`${users.id} IN (${ids})`).orderBy(sql`${users.id} ${order}`),
    countCustomers(db, tag),
  ]);
  return { rows, ...pageOf(query, found?.customers ?? 0) };
}

/** Returns a page of customers and the total, in one round trip. */
export function listCustomers(db: Database, query: UsersQuery): Promise<PageOf<ProfileRow>> {
  if (hasCursor(query)) {
    const columns = { id: users.id, changedAt: users.updatedAt, read: ({ updatedAt }: ProfileRow) => updatedAt };
    return readFollowing(db, query, columns, (isAfter, order) =>
      db
        .select(profileColumns)
        .from(users)
        .where(conditions(query, isAfter, unindexed(users.createdAt)))
        .orderBy(...order),
    );
  }
  const tag = onlyTag(query);
  if (tag !== undefined) return listTagged(db, tag, query);
  const { found, where } = narrowed(query);
  const rows = db
    .select(profileColumns)
    .from(users)
    .where(where)
    .orderBy(...inOrder(query));
  return readPage(db, query, rows, users, where, found);
}
