import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { AccountScope } from "../db/account-scope.ts";
import { inScope } from "../db/account-scope.ts";
import type { Database } from "../db/client.ts";
import { afterCursor, cursorPage, onePastPage } from "../db/cursor.ts";
import { MAX_FOUND, newestFound } from "../db/full-text.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { orders } from "../db/schema.ts";
import { hasCursor } from "../http/cursor.ts";
import { limitAndOffset } from "../http/pagination.ts";
import type { AllOrdersQuery } from "./admin-schemas.ts";
import { orderNumberPrefix } from "./number.ts";
import { selectOrders } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";

/** A page of everybody's orders, newest first, and how many there are, in one round trip; or what follows a cursor. */
export async function listAllOrders(
  db: Database,
  query: AllOrdersQuery,
  scope: AccountScope,
): Promise<PageOf<OrderRow>> {
  const found = query.search === undefined ? undefined : matching(query.search);
  const where = and(found && sql`${orders.id} IN (${found})`, ...conditions(query), inScope(scope, orders.userId));
  if (hasCursor(query)) return listFollowing(db, query, where);
  const { limit, offset } = limitAndOffset(query);
  const rows = selectOrders(db)
    .where(where)
    .orderBy(...newest(query))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, orders, where, found);
}

async function listFollowing(db: Database, query: AllOrdersQuery, narrowed: SQL | undefined) {
  const { runs, orderBy } = afterCursor(query, { id: orders.id, changedAt: orders.updatedAt });
  const [first, second] = runs.map((run) => and(narrowed, run));
  const rows = selectOrders(db).where(first);
  const all = second ? unionAll(rows, selectOrders(db).where(second)) : rows;
  const found = await all.orderBy(...orderBy).limit(onePastPage(query));
  return cursorPage(query, found, ({ updatedAt }) => updatedAt);
}

/** A span of time is read in the order of its own index, and not sorted. */
const newest = ({ from, to }: AllOrdersQuery): SQL[] =>
  (from ?? to) === undefined ? [desc(orders.id)] : [desc(orders.createdAt), desc(orders.id)];

function conditions(query: AllOrdersQuery): (SQL | undefined)[] {
  const { status, payment_status, fulfillment_status, payment_method, user_id, from, to } = query;
  return [
    status && eq(orders.status, status),
    payment_status && eq(orders.paymentStatus, payment_status),
    fulfillment_status && eq(orders.fulfillmentStatus, fulfillment_status),
    payment_method && eq(orders.paymentMethod, payment_method),
    user_id === undefined ? undefined : eq(orders.userId, user_id),
    from === undefined ? undefined : gte(orders.createdAt, from),
    to === undefined ? undefined : lt(orders.createdAt, to),
  ];
}

/**
 * By words of the customer's name and address, or by how the number begins. The full-text index holds the first order of
 * each customer, and the others are read from the index of customers: a search reads what it finds and no more.
 */
function matching(search: string): SQL {
  const number = orderNumberPrefix(search);
  return sql`
    SELECT id FROM (
      SELECT placed.id FROM (${newestFound(sql`orders_search`, search)}) AS found
      CROSS JOIN orders AS first ON first.id = found.id
      CROSS JOIN orders AS placed ON placed.customer_email IS first.customer_email
        AND placed.customer_name IS first.customer_name
      LIMIT ${MAX_FOUND}
    )
    ${number === null ? sql`` : sql`UNION SELECT id FROM orders WHERE ${hasPrefix(sql`number`, number)}`}`;
}

/** Whether a column begins with a prefix, as a range of its index. The upper bound is the last character of Unicode. */
const hasPrefix = (column: SQL, text: SQL | string): SQL =>
  sql`${column} >= ${text} AND ${column} < ${text} || ${"\u{10FFFF}"}`;
