import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { type AccountScope, type ApiKeyCaller, inScope, isOwn, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { paymentInstructions } from "../../platform/db/order-payment.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import { orders } from "../../platform/db/schema.ts";
import type { OrdersQuery } from "./create/schemas.ts";
import { lineWithdrawal } from "./returns/exemptions.ts";
import type { OrderRow } from "./schemas.ts";

/** D1 allows 32 arguments of a function, so two members are set afterwards. */
const items = sql`(
  SELECT json_group_array(json_set(json_object('id', id, 'productId', product_id, 'name', name, 'sku', sku, 'optionValues', json(option_values), 'type', type,
    'quantity', quantity, 'unitPrice', unit_price, 'listPrice', list_price, 'total', total, 'discount', discount, 'tax', tax,
    'taxLines', json(tax_lines), 'requiresShipping', json(iif(requires_shipping, 'true', 'false')),
    'refundedQuantity', refunded_quantity, 'shippedQuantity', shipped_quantity), '$.withdrawal', ${lineWithdrawal},
    '$.metadata', json(metadata)) ORDER BY id)
  FROM order_items WHERE order_id = orders.id AND quantity > 0
)`;

const history = sql`(
  SELECT json_group_array(json_object('at', at, 'kind', kind, 'from', "from", 'to', "to", 'amount', amount,
    'currency', currency, 'actor', actor, 'note', note,
    'returnId', iif(kind = 'refund', (SELECT min(id) FROM returns WHERE refund_id = order_history.id), NULL)) ORDER BY id)
  FROM order_history WHERE order_id = orders.id
)`;

/** Skips the query for orders without shipments, so that placing an order does not incur its cost. */
const shipments = sql`CASE WHEN fulfillment_status IN ('partially_fulfilled', 'fulfilled') THEN (
  SELECT json_group_array(json_object('id', id, 'carrier', carrier, 'trackingNumber', tracking_number,
    'trackingUrl', tracking_url, 'shippedAt', shipped_at, 'shippedBy', shipped_by, 'items', (
      SELECT json_group_array(json_object('itemId', order_item_id, 'quantity', quantity) ORDER BY order_item_id)
      FROM shipment_lines WHERE shipment_id = shipments.id
    )) ORDER BY id)
  FROM shipments WHERE order_id = orders.id
) ELSE '[]' END`;

/** Orders with their lines, shipments and history. This query reads every `OrderRow`. */
export const selectOrders = (db: Database) =>
  db
    .select({
      ...getTableColumns(orders),
      items: json<OrderRow["items"]>(items),
      shipments: json<OrderRow["shipments"]>(shipments),
      history: json<OrderRow["history"]>(history),
      paymentInstructions,
    })
    .from(orders);

/** Order lines with the order's columns that are shown with them. */
export const selectOrderLines = (db: Database) => {
  const { id, number, status, createdAt, pricesIncludeTax } = orders;
  return db
    .select({ id, number, status, createdAt, pricesIncludeTax, items: json<OrderRow["items"]>(items) })
    .from(orders);
};

/** An `OrderRow` as one JSON value. */
const snapshot = jsonRow(getTableColumns(orders), {
  items,
  shipments,
  history,
  paymentInstructions: sql`json_quote(${paymentInstructions})`,
});

/** An `OrderRow` as JSON, read at this point in a batch. */
export const orderSnapshot = (reference: string): SQL =>
  sql`(SELECT ${snapshot} FROM orders WHERE reference = ${reference})`;

/** Returns a page of the caller's orders, newest first, and the total, in one round trip. */
export function listOrders(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  query: OrdersQuery,
): Promise<PageOf<OrderRow>> {
  const narrowed = { status: query.status && eq(orders.status, query.status) } satisfies Conditions<OrdersQuery>;
  const where = and(isOwn(caller, orders), allOf(narrowed));
  const rows = selectOrders(db).where(where).orderBy(desc(orders.id));
  return readPage(db, query, rows, orders, where);
}

/** Selects one of the caller's own orders, or, for administration, one within `scope`. */
export type WhichOrder = { id: number } & ({ caller: UserCaller | ApiKeyCaller } | { scope: AccountScope });

export const orderById = (db: Database, which: WhichOrder) => {
  const whose = "scope" in which ? inScope(which.scope, orders.userId) : isOwn(which.caller, orders);
  return selectOrders(db).where(and(eq(orders.id, which.id), whose));
};

export const findOrder = (db: Database, caller: UserCaller | ApiKeyCaller, id: number): Promise<OrderRow | undefined> =>
  orderById(db, { id, caller }).get();

/** Reads one order for administration. */
export const findAnyOrder = (db: Database, id: number, scope: AccountScope): Promise<OrderRow | undefined> =>
  orderById(db, { id, scope }).get();

export const findOrderForUpdate = (db: Database, which: WhichOrder): Promise<OrderRow | undefined> =>
  orderById(db, which).get();

/** Reads several orders for administration, sorted by id. */
export const findOrders = (db: Database, ids: readonly number[], scope: AccountScope): Promise<OrderRow[]> =>
  selectOrders(db)
    .where(
      and(sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, inScope(scope, orders.userId)),
    )
    .orderBy(orders.id)
    .all();

/** The start of a number, which ends with a non-digit, and its digits. */
const TYPED = /^(.*\D)?([1-9]\d{0,14})$/;

/** Matches the order whose number was typed: with its prefix in any case, with #, or digits alone. */
export function hasNumber(typed: string): SQL {
  const [, prefix = "#", digits] = TYPED.exec(typed.trim()) ?? [];
  if (digits === undefined) return sql`FALSE`;
  const sequence = Number(digits);
  if (prefix === "#") return eq(orders.sequence, sequence);
  return sql`(${inArray(orders.sequence, [sequence, -sequence])} AND ${orders.number} = ${typed.trim()} COLLATE NOCASE)`;
}
