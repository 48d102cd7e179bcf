import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { notFound } from "../../../domain/errors.ts";
import {
  type AccountScope,
  type ApiKeyCaller,
  inScope,
  isOwn,
  type UserCaller,
} from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { json, jsonRow } from "../../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../../platform/db/page.ts";
import { orders, returns } from "../../../platform/db/schema.ts";
import type { MyReturnsQuery, ReturnRow, ReturnsQuery } from "./schemas.ts";

const columns = getTableColumns(returns);

const more = {
  order: sql`(SELECT json_object('number', number, 'currency', currency) FROM orders WHERE id = returns.order_id)`,
  items: sql`(
    SELECT json_group_array(json_object('id', order_items.id, 'name', order_items.name, 'optionValues', json(option_values),
      'quantity', return_lines.quantity, 'intact', intact, 'damaged', damaged, 'downloadsUsed', coalesce(downloads_used, 0))
      ORDER BY return_lines.order_item_id)
    FROM return_lines JOIN order_items ON order_items.id = return_lines.order_item_id
      LEFT JOIN packages ON packages.order_item_id = order_items.id
    WHERE return_id = returns.id)`,
  refund: sql`(SELECT json_object('amount', amount) FROM order_history WHERE id = returns.refund_id)`,
};

/** Returns with their lines. */
const selectReturns = (db: Database) =>
  db
    .select({
      ...columns,
      order: json<ReturnRow["order"]>(more.order),
      items: json<ReturnRow["items"]>(more.items),
      refund: json<ReturnRow["refund"]>(more.refund),
    })
    .from(returns);

const snapshot = jsonRow<ReturnRow>(columns, more);

/** A `ReturnRow` as JSON, read at this point in a batch. */
export const returnSnapshot = (which: SQL): SQL => sql`(SELECT ${snapshot} FROM returns WHERE ${which})`;

/** The condition that the order of a return meets another. */
const ofOrder = (holds: SQL | undefined): SQL | undefined =>
  holds && sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.id} = ${returns.orderId} AND ${holds})`;

export function listReturns(
  db: Database,
  query: ReturnsQuery | MyReturnsQuery,
  whose: { scope: AccountScope } | { caller: UserCaller | ApiKeyCaller },
): Promise<PageOf<ReturnRow>> {
  const { order_id, status, requested_by } = { requested_by: undefined, ...query };
  const narrowed = {
    order_id: order_id === undefined ? undefined : eq(returns.orderId, order_id),
    status: status && eq(returns.status, status),
    requested_by: requested_by && eq(returns.requestedBy, requested_by),
  } satisfies Conditions<ReturnsQuery>;
  const readable = "scope" in whose ? inScope(whose.scope, orders.userId) : isOwn(whose.caller, orders);
  const where = and(allOf(narrowed), ofOrder(readable));
  return readPage(db, query, selectReturns(db).where(where).orderBy(desc(returns.id)), returns, where);
}

export async function requireReturn(db: Database, id: number, scope: AccountScope): Promise<ReturnRow> {
  const row = await selectReturns(db)
    .where(and(eq(returns.id, id), ofOrder(inScope(scope, orders.userId))))
    .get();
  if (!row) throw notFound(`Return ${id}`);
  return row;
}
