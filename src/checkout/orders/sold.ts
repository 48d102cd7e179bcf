import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { shopTimeZone } from "../../domain/time.ts";
import { isPaidInTestMode } from "../../platform/db/order-payment.ts";
import {
  failedItems,
  orderHistory,
  orderItems,
  orders,
  type ProductType,
  sales,
  salesProgress,
  shop,
} from "../../platform/db/schema.ts";
import { insertSelected, precondition } from "../../platform/db/statements.ts";
import { savedTimeZone, shopOffsetAt } from "../../platform/db/time-zone.ts";

// An order's part in the sales figures. They are added up after it was paid, and corrected by the batch that edits it.

/** The day of a time in the shop's time zone, and its month. */
export function periods(moment: SQL, now: number): SQL {
  const seconds = sql`(${moment} + ${shopOffsetAt(moment, now)}) / 1000`;
  return sql`json_each(json_array(
    strftime('%Y-%m-%d', ${seconds}, 'unixepoch'), strftime('%Y-%m', ${seconds}, 'unixepoch'))) AS period`;
}

/**
 * An order's part in the sums of the whole shop, and in those of its country. Orders older than the country column have
 * only addresses.
 */
export const shopAndCountry = sql`json_each(json_array(
  json_array('shop', ''),
  json_array('country', coalesce(${orders.country}, ${orders.shippingAddress} ->> 'country',
    ${orders.billingAddress} ->> 'country', (SELECT ${shop.homeCountry} FROM ${shop}), '')))) AS part`;

export const productAndCategory = sql`json_each(json_array(
  json_array('product', ${orderItems.productId}), json_array('category', coalesce(${orderItems.categoryId}, '')))) AS part`;

type Measures = { [Name in Exclude<keyof typeof sales.$inferInsert, "dimension" | "period" | "key">]?: SQL };

/** Adds the measures of each part and period to the existing rows of sums. */
export function addToSales(measures: Measures, from: SQL): SQL {
  const { dimension: _, period: __, key: ___, ...columns } = getTableColumns(sales);
  const added = Object.entries(columns).flatMap(([name, column]) => (name in measures ? column.name : []));
  const row = { dimension: sql`part.value ->> 0`, period: sql`period.value`, key: sql`part.value ->> 1`, ...measures };
  const sums = sql.raw(added.map((name) => `${name} = ${name} + excluded.${name}`).join(", "));
  return insertSelected(sales, row, sql`${from} GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET ${sums}`);
}

/** A free order is paid without a payment. */
const isPaidBy = sql`(${orderHistory.kind} = 'payment'
  OR ${orderHistory.from} IN ('pending', 'expired') AND ${orderHistory.to} IN ('processing', 'completed'))`;

/** Gift cards are not sales: the orders that they pay are. */
export const isGoods = sql`${orderItems.type} <> ${"gift_card" satisfies ProductType}`;

/** Orders that were paid in test mode do not count as sales, because no money moves, nor do orders of gift cards alone. */
export const isSale = sql`(NOT ${isPaidInTestMode}
  AND EXISTS (SELECT 1 FROM ${orderItems} WHERE ${orderItems.orderId} = ${orders.id} AND ${isGoods}))`;

export const historyOfOrders = sql`${orderHistory} JOIN ${orders} ON ${orders.id} = ${orderHistory.orderId} AND ${isSale}`;

/** Included tax that is not due. It is listed among an order's reductions, but is not a discount. */
const taxNotDue = sql`coalesce(
  (SELECT sum(value ->> 'amount') FROM json_each(${orders.discounts}) WHERE value ->> 'id' IS NULL AND value -> 'given' IS NULL), 0)`;

/** The sum of a value in SQL, negated to subtract it. */
type SignedSum = (value: SQL) => SQL;

export const summed: SignedSum = (value) => sql`sum(${value})`;

/** Goods with and without a known cost, and that cost. Negative for returned units. */
export const profit = (goods: SQL, units: SQL, sumOf: SignedSum) => ({
  costedGoods: sumOf(sql`iif(${orderItems.cost} IS NULL, 0, ${goods})`),
  uncostedGoods: sumOf(sql`iif(${orderItems.cost} IS NULL, ${goods}, 0)`),
  cost: sumOf(sql`ifnull(${orderItems.cost}, 0) * ${units}`),
});

/** Amount paid for a line, excluding tax. */
export const goodsOfLine = sql`(${orderItems.total} - ${orderItems.discount} - iif(${orders.pricesIncludeTax}, ${orderItems.tax}, 0))`;

function addOrders(which: SQL, period: SQL, sumOf: SignedSum): SQL {
  const ofItems = (which: SQL, value: SQL) =>
    sql`(SELECT ifnull(sum(${value}), 0) FROM ${orderItems} WHERE ${orderItems.orderId} = ${orders.id} AND ${which})`;
  const ofLines = (value: SQL) => sumOf(ofItems(isGoods, value));
  const { subtotal, discountTotal, shippingTotal, shippingDiscount, pricesIncludeTax, taxTotal, shippingTax } = orders;
  return addToSales(
    {
      orders: sumOf(sql`1`),
      units: ofLines(sql`${orderItems.quantity}`),
      ...profit(goodsOfLine, sql`${orderItems.quantity}`, ofLines),
      goods: sumOf(sql`${subtotal} - ${discountTotal} + ${shippingDiscount}
        - iif(${pricesIncludeTax}, ${taxTotal} - ${shippingTax}, 0) - ${ofItems(sql`NOT ${isGoods}`, goodsOfLine)}`),
      shipping: sumOf(sql`${shippingTotal} - ${shippingDiscount} - iif(${pricesIncludeTax}, ${shippingTax}, 0)`),
      tax: sumOf(sql`${taxTotal}`),
      discounts: sumOf(sql`${discountTotal} - ${taxNotDue}`),
    },
    sql`FROM ${historyOfOrders}, ${period}, ${shopAndCountry} WHERE ${which} AND ${isPaidBy}`,
  );
}

const addOrderLines = (which: SQL, period: SQL, sumOf: SignedSum): SQL =>
  addToSales(
    {
      orders: sumOf(sql`1`),
      units: sumOf(sql`${orderItems.quantity}`),
      goods: sumOf(goodsOfLine),
      tax: sumOf(sql`${orderItems.tax}`),
      discounts: sumOf(sql`${orderItems.discount}`),
      ...profit(goodsOfLine, sql`${orderItems.quantity}`, sumOf),
    },
    sql`FROM ${historyOfOrders} JOIN ${orderItems} ON ${orderItems.orderId} = ${orders.id} AND ${orderItems.quantity} > 0
      AND ${isGoods}, ${period}, ${productAndCategory} WHERE ${which} AND ${isPaidBy}`,
  );

/** Statements that add the orders paid by rows of the history, or subtract them. */
export function addPaidOrders(which: SQL, now: number, sumOf: SignedSum = summed): SQL[] {
  const period = periods(sql`${orderHistory.at}`, now);
  return [addOrders(which, period, sumOf), addOrderLines(which, period, sumOf)];
}

/**
 * Statements before and after an edit of an order: sales count its current content on the day it was paid. An order
 * that was not added up yet is added up later with its new content. Days use the time zone that this isolate has
 * cached.
 */
export function correctSales(orderId: number, now: number): { before: SQL[]; after: SQL[] } {
  const { id } = orderHistory;
  const isAdded = sql`${orderHistory.orderId} = ${orderId} AND ${id} <= (SELECT ${salesProgress.historyId} FROM ${salesProgress})
    AND NOT EXISTS (SELECT 1 FROM ${failedItems} WHERE ${failedItems.queue} = ${SALES_QUEUE}
      AND ${failedItems.item} = 'order_history ' || ${id})`;
  return {
    before: [
      precondition(sql`${savedTimeZone} = ${shopTimeZone()}`),
      ...addPaidOrders(isAdded, now, (value) => sql`-sum(${value})`),
    ],
    after: addPaidOrders(isAdded, now),
  };
}

/** Queue of the rows that could not be added up. */
export const SALES_QUEUE = "add_up_sales";
