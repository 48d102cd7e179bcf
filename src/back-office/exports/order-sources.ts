import {
  idsOfOrderSearch,
  idsOfOrders,
  Order,
  type OrderFilters,
  OrderItem,
  toOrder,
  toOrderItem,
  walkOrderLines,
  walkOrders,
} from "../../checkout/orders/public.ts";
import { iso } from "../../domain/fields.ts";
import type { Place } from "./schemas.ts";
import type { NextRows, Source } from "./stream.ts";
import { byIds, inOrderOfIds, type Reading, type Shown, type Which } from "./walk.ts";

type OrdersQuery = OrderFilters & Place;

/** Those that are searched for are read customer by customer, all others in the order of ids. */
function ordersOf<Row extends { id: number }>(
  { db }: Reading,
  query: OrdersQuery,
  read: (which: Which) => Promise<Row[]>,
  shown: (row: Row) => Shown[],
): NextRows {
  if (query.search) return byIds(idsOfOrderSearch(db, query.search), read, shown);
  return inOrderOfIds(read, shown, query.after_id, () => idsOfOrders(db, query));
}

export const orderSource = (reading: Reading, query: OrdersQuery): Source => ({
  columns: Object.keys(Order.shape),
  next: ordersOf(
    reading,
    query,
    (which) => walkOrders(reading.db, query, reading.scope, which),
    (row) => [toOrder(row)],
  ),
});

/** The lines of orders, each with the order that it is of. */
export const orderLineSource = (reading: Reading, query: OrdersQuery): Source => ({
  columns: ["order_id", "order_number", "order_status", "ordered_at", ...Object.keys(OrderItem.shape)],
  next: ordersOf(
    reading,
    query,
    (which) => walkOrderLines(reading.db, query, reading.scope, which),
    ({ id, number, status, createdAt, pricesIncludeTax, items }) => {
      const order = { order_id: id, order_number: number, order_status: status, ordered_at: iso(createdAt) };
      return items.map((item) => ({ ...order, ...toOrderItem(item, pricesIncludeTax) }));
    },
  ),
});
