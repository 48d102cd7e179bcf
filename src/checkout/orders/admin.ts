import { and, asc, desc, eq, not, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasSpan } from "../../domain/fields.ts";
import {
  type AccountScope,
  type ApiKeyCaller,
  accountScopeOf,
  inScope,
  type UserCaller,
} from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { rowsWithText } from "../../platform/db/metadata.ts";
import { isPaidInTestMode } from "../../platform/db/order-payment.ts";
import {
  type Conditions,
  idsOfSpan,
  isChosen,
  limitOf,
  type PageOf,
  readFollowing,
  readPage,
  unindexed,
  type Which,
  within,
} from "../../platform/db/page.ts";
import { orders } from "../../platform/db/schema.ts";
import { ordersWithTag } from "../../platform/db/tags.ts";
import { hasCursor } from "../../platform/http/pagination.ts";
import type { AllOrdersQuery, OrderFilters } from "./admin-schemas.ts";
import { endedStatuses } from "./ended-statuses.ts";
import { hasNumber, selectOrderLines, selectOrders } from "./orders.ts";
import type { LinesRow, OrderRow } from "./schemas.ts";
import { ordersFound } from "./search.ts";
import { readsWhole } from "./visible-order.ts";

// Walks read a list of orders of any length from start to end, in id order or in the order of a search.

/** Returns the id bounds of a walk through the orders of a time range. */
export const idsOfOrders = (db: Database, query: OrderFilters) => idsOfSpan(db, orders, orders.createdAt, query);

const conditions = (query: OrderFilters, scope: AccountScope, which: Which): SQL | undefined =>
  and(...conditionsOf(query, unindexed(orders.createdAt)), inScope(scope, orders.userId), isChosen(orders.id, which));

export const walkOrders = (db: Database, query: OrderFilters, scope: AccountScope, which: Which): Promise<OrderRow[]> =>
  selectOrders(db)
    .where(conditions(query, scope, which))
    .orderBy(orders.id)
    .limit(limitOf(which))
    .all();

export const walkOrderLines = (
  db: Database,
  query: OrderFilters,
  scope: AccountScope,
  which: Which,
): Promise<LinesRow[]> =>
  selectOrderLines(db)
    .where(conditions(query, scope, which))
    .orderBy(orders.id)
    .limit(limitOf(which))
    .all();

/** Returns a page of all orders and the total in one round trip, or the orders after a cursor. */
export async function adminListOrders(
  db: Database,
  query: AllOrdersQuery,
  caller: UserCaller | ApiKeyCaller,
): Promise<PageOf<OrderRow>> {
  const { found, where } = narrowed(query, caller);
  if (hasCursor(query)) {
    const columns = { id: orders.id, changedAt: orders.updatedAt, read: (row: OrderRow) => row.updatedAt };
    return readFollowing(db, query, columns, (isAfter, order) =>
      selectOrders(db)
        .where(and(where, isAfter))
        .orderBy(...order),
    );
  }
  const rows = selectOrders(db)
    .where(where)
    .orderBy(...inOrder(query));
  return readPage(db, query, rows, orders, where, found);
}

function narrowed(query: AllOrdersQuery, caller: UserCaller | ApiKeyCaller) {
  const found = query.search === undefined ? undefined : ordersFound(query.search, caller);
  const where = and(
    found && sql`${orders.id} IN (${found})`,
    ...conditionsOf(query),
    query.metadata === undefined || readsWhole(caller) ? undefined : sql`FALSE`,
    inScope(accountScopeOf(caller), orders.userId),
  );
  return { found, where };
}

/** Returns the ids of the list's first `most` rows. */
export async function readOrderIds(
  db: Database,
  query: AllOrdersQuery,
  caller: UserCaller | ApiKeyCaller,
  most: number,
): Promise<number[]> {
  const { where } = narrowed(query, caller);
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(where)
    .orderBy(...inOrder(query))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** Returns those of the orders that are within `scope`, with their lines. */
export const findAnyOrders = (db: Database, ids: number[], scope: AccountScope): Promise<OrderRow[]> =>
  selectOrders(db).where(
    and(sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, inScope(scope, orders.userId)),
  );

/** A time range is read in the order of its own index, without sorting. */
function inOrder(query: AllOrdersQuery): SQL[] {
  const direction = query.sort === "oldest" ? asc : desc;
  return [...(hasSpan(query) ? [direction(orders.createdAt)] : []), direction(orders.id)];
}

/** Conditions for all order filters except search words. */
function conditionsOf(query: OrderFilters, moment: SQL | SQLiteColumn = orders.createdAt): (SQL | undefined)[] {
  const { number, reference, external_id, status, payment_status, fulfillment_status, payment_method, test, user_id } =
    query;
  const conditions = {
    number: number === undefined ? undefined : hasNumber(number),
    reference: reference === undefined ? undefined : eq(orders.reference, reference),
    external_id: external_id === undefined ? undefined : eq(orders.externalId, external_id),
    metadata:
      query.metadata === undefined ? undefined : sql`${orders.id} IN (${rowsWithText("orders", query.metadata)})`,
    status: status && eq(orders.status, status),
    payment_status: payment_status && eq(orders.paymentStatus, payment_status),
    fulfillment_status:
      fulfillment_status &&
      and(
        eq(orders.fulfillmentStatus, fulfillment_status),
        // Nobody sends what was cancelled, has expired or was refunded.
        fulfillment_status === "unfulfilled" ? notInArray(orders.status, endedStatuses) : undefined,
      ),
    payment_method: payment_method && eq(orders.paymentMethod, payment_method),
    test: test === undefined ? undefined : test ? isPaidInTestMode : not(isPaidInTestMode),
    user_id: user_id === undefined ? undefined : eq(orders.userId, user_id),
    tag: query.tag && and(...query.tag.map((name) => sql`${orders.id} IN (${ordersWithTag(name)})`)),
  } satisfies Conditions<OrderFilters, "search" | "sort">;
  return [...Object.values(conditions), within(moment, query)];
}
