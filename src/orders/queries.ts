import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { ApiKeyCaller, UserCaller } from "../auth/caller.ts";
import type { AccountScope } from "../db/account-scope.ts";
import { inScope } from "../db/account-scope.ts";
import type { Database } from "../db/client.ts";
import { json, jsonRow } from "../db/json.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { orders } from "../db/schema.ts";
import { limitAndOffset } from "../http/pagination.ts";
import type { OrdersQuery } from "./checkout/request-schemas.ts";
import type { OrderRow } from "./schemas.ts";

const items = sql`(
  SELECT json_group_array(json_object('id', id, 'productId', product_id, 'name', name, 'sku', sku, 'type', type,
    'quantity', quantity, 'unitPrice', unit_price, 'total', total, 'discount', discount, 'tax', tax,
    'taxLines', json(tax_lines), 'refundedQuantity', refunded_quantity) ORDER BY id)
  FROM order_items WHERE order_id = orders.id
)`;

const history = sql`(
  SELECT json_group_array(json_object('at', at, 'kind', kind, 'from', "from", 'to', "to", 'amount', amount,
    'currency', currency, 'actor', actor, 'note', note) ORDER BY id)
  FROM order_history WHERE order_id = orders.id
)`;

/** Orders with their lines and history: the one definition of an `OrderRow`. */
export const selectOrders = (db: Database) =>
  db
    .select({
      ...getTableColumns(orders),
      items: json<OrderRow["items"]>(items),
      history: json<OrderRow["history"]>(history),
    })
    .from(orders);

/** An order with its lines and history as one JSON value. */
const snapshot = jsonRow(getTableColumns(orders), { items, history });

/** An `OrderRow` as JSON, read at this point of a batch. */
export const orderSnapshot = (number: string): SQL => sql`(SELECT ${snapshot} FROM orders WHERE number = ${number})`;

/** A user's own orders; an API key's are those that were placed with it. */
const mine = (caller: UserCaller | ApiKeyCaller): SQL =>
  caller.kind === "user" ? eq(orders.userId, caller.id) : eq(orders.apiKeyId, caller.id);

/** A page of the caller's orders, newest first, and how many there are, in one round trip. */
export function listOrders(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  query: OrdersQuery,
): Promise<PageOf<OrderRow>> {
  const where = and(mine(caller), query.status && eq(orders.status, query.status));
  const { limit, offset } = limitAndOffset(query);
  const rows = selectOrders(db).where(where).orderBy(desc(orders.id)).limit(limit).offset(offset);
  return readPage(db, rows, orders, where);
}

/** One of the caller's own orders, or for administration one of those within reach. */
export type WhichOrder = { id: number } & ({ caller: UserCaller | ApiKeyCaller } | { scope: AccountScope });

const orderById = (db: Database, which: WhichOrder) => {
  const whose = "scope" in which ? inScope(which.scope, orders.userId) : mine(which.caller);
  return selectOrders(db).where(and(eq(orders.id, which.id), whose));
};

export const findOrder = (db: Database, caller: UserCaller | ApiKeyCaller, id: number): Promise<OrderRow | undefined> =>
  orderById(db, { id, caller }).get();

/** An order for administration. */
export const findAnyOrder = (db: Database, id: number, scope: AccountScope): Promise<OrderRow | undefined> =>
  orderById(db, { id, scope }).get();

export const findWhichOrder = (db: Database, which: WhichOrder): Promise<OrderRow | undefined> =>
  orderById(db, which).get();
