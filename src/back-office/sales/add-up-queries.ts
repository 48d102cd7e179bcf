import { type SQL, sql } from "drizzle-orm";
import { type Database, requireRow, statement } from "../../platform/db/client.ts";

/** How many rows of the history one batch goes through. */
const ROWS_AT_ONCE = 4000;

const BATCHES = 25;

/** Adds up all that is left, or as much as the schedule has time for. */
export async function addUpAllSales(db: Database): Promise<void> {
  for (let done = 0, more = true; more && done < BATCHES; done++) ({ more } = await addUpSales(db));
}

/**
 * Adds to the sums of sales what was paid and refunded since the last time, and remembers how far it has come, as one batch:
 * whoever runs it at the same time goes on from there. Tells whether there is more.
 */
export async function addUpSales(db: Database): Promise<{ more: boolean }> {
  const results = await db.batch([
    statement(db, addOrders),
    statement(db, addOrderLines),
    statement(db, addRefunds),
    statement(db, addRefundedUnits),
    statement(db, addRefundedUnitsOfLines),
    statement(db, moveOn),
    db
      .select({ more: sql<number>`${lastOf("order_history")} IS NOT NULL OR ${lastOf("refund_lines")} IS NOT NULL` })
      .from(sql`(SELECT 1)`),
  ]);
  return { more: requireRow(results[6][0]).more === 1 };
}

/** The columns of `sales_progress`, by what they tell the progress of. */
const columns = { order_history: sql`history_id`, refund_lines: sql`refund_line_id` };
type Source = keyof typeof columns;

const reached = (source: Source): SQL => sql`coalesce((SELECT ${columns[source]} FROM sales_progress), 0)`;

/** The last row of those that a batch goes through; null if there is none. */
const lastOf = (source: Source): SQL => sql`(SELECT max(id) FROM (
  SELECT id FROM ${sql.identifier(source)} WHERE id > ${reached(source)} ORDER BY id LIMIT ${ROWS_AT_ONCE}))`;

const isNew = (source: Source): SQL => {
  const id = sql`${sql.identifier(source)}.id`;
  return sql`${id} > ${reached(source)} AND ${id} <= ${lastOf(source)}`;
};

/** The day of a moment, and its month. */
const periods = (moment: SQL): SQL => sql`json_each(json_array(
  strftime('%Y-%m-%d', ${moment} / 1000, 'unixepoch'), strftime('%Y-%m', ${moment} / 1000, 'unixepoch'))) AS period`;

/** An order's part in the sums of the whole shop, and in those of its country. Orders from before that column have addresses only. */
const shopAndCountry = sql`json_each(json_array(
  json_array('shop', ''),
  json_array('country', coalesce(country, shipping_address ->> 'country', billing_address ->> 'country',
    (SELECT home_country FROM shop), '')))) AS part`;

const productAndCategory = sql`json_each(json_array(
  json_array('product', product_id), json_array('category', coalesce(category_id, '')))) AS part`;

/** Rows of sums, which are added to those that there are. */
const add = (measures: string[], rows: SQL): SQL => sql`
  INSERT INTO sales (dimension, period, key, ${sql.raw(measures.join(", "))})
  ${rows}
  ON CONFLICT DO UPDATE SET ${sql.raw(measures.map((name) => `${name} = ${name} + excluded.${name}`).join(", "))}`;

const isPaidBy = sql`"from" IN ('pending', 'expired') AND "to" IN ('processing', 'completed')`;

/** Of what was taken off an order, the tax that its prices include and that is not due, which is no discount. */
const taxNotDue = sql`coalesce((SELECT sum(value ->> 'amount') FROM json_each(orders.discounts) WHERE value ->> 'id' IS NULL), 0)`;

const addOrders = add(
  ["orders", "units", "goods", "shipping", "tax", "discounts"],
  sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, count(*),
    sum((SELECT sum(quantity) FROM order_items WHERE order_id = orders.id)),
    sum(subtotal - discount_total + shipping_discount - iif(prices_include_tax, tax_total - shipping_tax, 0)),
    sum(shipping_total - shipping_discount - iif(prices_include_tax, shipping_tax, 0)),
    sum(tax_total), sum(discount_total - ${taxNotDue})
  FROM order_history JOIN orders ON orders.id = order_id, ${periods(sql`at`)}, ${shopAndCountry}
  WHERE ${isNew("order_history")} AND ${isPaidBy}
  GROUP BY 1, 2, 3`,
);

/** What was paid for a line, without tax. */
const goodsOfLine = sql`(order_items.total - order_items.discount - iif(prices_include_tax, order_items.tax, 0))`;

const addOrderLines = add(
  ["orders", "units", "goods", "tax", "discounts"],
  sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, count(*), sum(quantity), sum(${goodsOfLine}), sum(order_items.tax),
    sum(discount)
  FROM order_history JOIN orders ON orders.id = order_history.order_id JOIN order_items ON order_items.order_id = orders.id,
    ${periods(sql`at`)}, ${productAndCategory}
  WHERE ${isNew("order_history")} AND ${isPaidBy}
  GROUP BY 1, 2, 3`,
);

/** Of what was refunded for shipping, the tax: shipping goes back whole, but for what an amount took of it before. */
const returnedShippingTax = sql`coalesce(CAST(round(1.0 * shipping_tax * order_history.shipping /
  nullif(shipping_total - shipping_discount + iif(prices_include_tax, 0, shipping_tax), 0)) AS INTEGER), 0)`;

const addRefunds = add(
  ["returned_goods", "returned_shipping", "returned_tax"],
  sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1,
    sum(amount - order_history.tax - order_history.shipping + ${returnedShippingTax}),
    sum(order_history.shipping - ${returnedShippingTax}), sum(order_history.tax)
  FROM order_history JOIN orders ON orders.id = order_id, ${periods(sql`at`)}, ${shopAndCountry}
  WHERE ${isNew("order_history")} AND kind = 'refund'
  GROUP BY 1, 2, 3`,
);

/** The value of the units that went back, so that those of all units of a line add up to the line's. */
const goodsOfUnits = (units: SQL): SQL => sql`${goodsOfLine} * ${units} / quantity`;
const returnedGoods = sql`(${goodsOfUnits(sql`refunded`)}) - (${goodsOfUnits(sql`refunded_before`)})`;

const addRefundedUnits = add(
  ["returned_units"],
  sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, sum(refunded - refunded_before)
  FROM refund_lines JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id,
    ${periods(sql`refund_lines.created_at`)}, ${shopAndCountry}
  WHERE ${isNew("refund_lines")}
  GROUP BY 1, 2, 3`,
);

const addRefundedUnitsOfLines = add(
  ["returned_units", "returned_goods"],
  sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, sum(refunded - refunded_before), sum(${returnedGoods})
  FROM refund_lines JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id,
    ${periods(sql`refund_lines.created_at`)}, ${productAndCategory}
  WHERE ${isNew("refund_lines")}
  GROUP BY 1, 2, 3`,
);

const moveOn: SQL = sql`
  INSERT INTO sales_progress (id, history_id, refund_line_id)
  SELECT 1, coalesce(${lastOf("order_history")}, ${reached("order_history")}),
    coalesce(${lastOf("refund_lines")}, ${reached("refund_lines")})
  WHERE TRUE ON CONFLICT DO UPDATE SET history_id = excluded.history_id, refund_line_id = excluded.refund_line_id`;
