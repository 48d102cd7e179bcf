import { and, type SQL, sql } from "drizzle-orm";
import type { AccountScope } from "../../platform/db/account-scope.ts";
import { inScope } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { hasPrefix } from "../../platform/db/prefix.ts";
import { orders } from "../../platform/db/schema.ts";
import { matchExpression } from "../../platform/db/search-words.ts";
import { idsOfSpan } from "../../platform/db/span.ts";
import { isChosen, limitOf, unindexed, type Which } from "../../platform/db/walk.ts";
import { conditionsOf } from "./admin-queries.ts";
import type { OrderFilters } from "./admin-schemas.ts";
import { orderNumberPrefix } from "./number.ts";
import { selectOrderLines, selectOrders } from "./queries.ts";
import type { LinesRow, OrderRow } from "./schemas.ts";

// A list of orders from its beginning to its end, however long: in the order of ids, or as a search finds them.

/** The ids that a walk through the orders of a span is between. */
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

/** A search finds the first orders of customers: those of so many are read at once. */
const CUSTOMERS = 1_000;

/** The ids of all orders that are searched for, each once: by their number, then by their customers. */
export async function* idsOfSearch(db: Database, search: string): AsyncGenerator<number[]> {
  const number = orderNumberPrefix(search);
  const numbered = number === null ? [] : await db.all<{ id: number }>(byNumber(number));
  const given = new Set(numbered.map(({ id }) => id));
  if (given.size > 0) yield [...given];
  const words = matchExpression(search);
  for (let after: number | undefined = 0; words !== null && after !== undefined; ) {
    const placed: { id: number; customer: number }[] = await db.all(byCustomers(words, after));
    yield placed.map(({ id }) => id).filter((id) => !given.has(id));
    const customers = new Set(placed.map(({ customer }) => customer));
    after = customers.size < CUSTOMERS ? undefined : Math.max(...customers);
  }
}

const byNumber = (prefix: string): SQL =>
  sql`SELECT id FROM orders WHERE ${hasPrefix(sql`number`, prefix)} ORDER BY id`;

const byCustomers = (words: string, after: number): SQL => sql`
  SELECT placed.id, found.id AS customer FROM (
    SELECT rowid AS id FROM orders_search WHERE orders_search MATCH ${words} AND rowid > ${after}
    ORDER BY rowid LIMIT ${CUSTOMERS}
  ) AS found
  CROSS JOIN orders AS first ON first.id = found.id
  CROSS JOIN orders AS placed ON placed.customer_email IS first.customer_email
    AND placed.customer_name IS first.customer_name
  ORDER BY placed.id`;
