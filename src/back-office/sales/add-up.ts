import { type SQL, sql } from "drizzle-orm";
import { type Database, requireFirst, runAll, writeThenRead } from "../../platform/db/client.ts";
import { isOutage } from "../../platform/http/log.ts";
import { hasPassed, recordFailure } from "../../platform/queues/failed-items.ts";
import { readOn, readPassedAgain } from "../../platform/queues/read-on.ts";

/** Maximum history rows per batch. */
const ROWS_AT_ONCE = 4000;

const BATCHES = 25;

const QUEUE = "add_up_sales";

/** Adds up all that is left, or as much as the schedule has time for. */
export async function addUpAllSales(db: Database, now = Date.now()): Promise<void> {
  for (let done = 0, more = true; more && done < BATCHES; done++) ({ more } = await addUpSales(db, now));
}

/**
 * Adds new payments and refunds to the sales figures and stores the position, in one batch. A concurrent run continues from
 * there. Returns true if more follow.
 */
export async function addUpSales(db: Database, now = Date.now()): Promise<{ more: boolean }> {
  try {
    const { more, passed } = await addUp(db, now, { order_history: ROWS_AT_ONCE, refund_lines: ROWS_AT_ONCE });
    if (passed) await readPassedAgain(db, now, QUEUE, addOne);
    return { more };
  } catch (error) {
    if (isOutage(error)) throw error;
    for (const source of sources) await addUpSource(db, now, source);
    return { more: false };
  }
}

/** Adds up the rows of one source, skipping rows that are refused. */
const addUpSource = (db: Database, now: number, source: Source): Promise<void> =>
  readOn({
    most: ROWS_AT_ONCE,
    read: async (limit) => (await addUp(db, now, { ...NONE, [source]: limit })).moreOf[source],
    pass: (reason) =>
      runAll(db, [
        recordFailure(QUEUE, sql`${`${source} `} || ${lastOf(source, 1)}`, reason, now),
        moveOn({ ...NONE, [source]: 1 }),
      ]),
  });

/** The columns of `sales_progress`, by what they tell the progress of. */
const columns = { order_history: sql`history_id`, refund_lines: sql`refund_line_id` };
type Source = keyof typeof columns;
const sources = ["order_history", "refund_lines"] as const satisfies Source[];

/** Rows of each source per batch. */
type Limits = Record<Source, number>;
const NONE: Limits = { order_history: 0, refund_lines: 0 };

async function addUp(db: Database, now: number, limits: Limits) {
  const { order_history, refund_lines } = isNew(limits);
  const writes = [...addHistory(order_history), ...addRefundLines(refund_lines), moveOn(limits)];
  const isLeft = (source: Source) => sql`${lastOf(source, 1)} IS NOT NULL`.mapWith(Boolean);
  const progress = db
    .select({
      history: isLeft("order_history").as("history"),
      refunds: isLeft("refund_lines").as("refunds"),
      passed: hasPassed(QUEUE, now).mapWith(Boolean).as("passed"),
    })
    .from(sql`(SELECT 1)`);
  const { history, refunds, passed } = requireFirst(await writeThenRead(db, writes, progress));
  return { more: history || refunds, moreOf: { order_history: history, refund_lines: refunds }, passed };
}

/** The statements that add one row, which is named by its source and id. */
function addOne(item: string): SQL[] {
  const [source, id] = item.split(" ");
  const isIt = (name: Source) => sql`${sql.identifier(name)}.id = ${Number(id)}`;
  return source === "refund_lines" ? addRefundLines(isIt(source)) : addHistory(isIt("order_history"));
}

const reached = (source: Source): SQL => sql`coalesce((SELECT ${columns[source]} FROM sales_progress), 0)`;

/** Last row of a batch. Null if there is none. */
const lastOf = (source: Source, limit: number): SQL => sql`(SELECT max(id) FROM (
  SELECT id FROM ${sql.identifier(source)} WHERE id > ${reached(source)} ORDER BY id LIMIT ${limit}))`;

/** The condition that a row of a source belongs to the batch. */
const isNew = (limits: Limits): Record<Source, SQL> => {
  const within = (source: Source): SQL => {
    const id = sql`${sql.identifier(source)}.id`;
    return sql`${id} > ${reached(source)} AND ${id} <= ${lastOf(source, limits[source])}`;
  };
  return { order_history: within("order_history"), refund_lines: within("refund_lines") };
};

/** The statements that add rows of the history. */
const addHistory = (which: SQL): SQL[] => [addOrders(which), addOrderLines(which), addRefunds(which)];

/** The statements that add lines of refunds. */
const addRefundLines = (which: SQL): SQL[] => [addRefundedUnits(which), addRefundedUnitsOfLines(which)];

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

/** Adds rows of sums to the existing ones. */
const add = (measures: string[], rows: SQL): SQL => sql`
  INSERT INTO sales (dimension, period, key, ${sql.raw(measures.join(", "))})
  ${rows}
  ON CONFLICT DO UPDATE SET ${sql.raw(measures.map((name) => `${name} = ${name} + excluded.${name}`).join(", "))}`;

const isPaidBy = sql`"from" IN ('pending', 'expired') AND "to" IN ('processing', 'completed')`;

/** Included tax that is not due among an order's reductions, which is no discount. */
const taxNotDue = sql`coalesce((SELECT sum(value ->> 'amount') FROM json_each(orders.discounts) WHERE value ->> 'id' IS NULL), 0)`;

const addOrders = (which: SQL): SQL =>
  add(
    ["orders", "units", "goods", "shipping", "tax", "discounts"],
    sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, count(*),
    sum((SELECT sum(quantity) FROM order_items WHERE order_id = orders.id)),
    sum(subtotal - discount_total + shipping_discount - iif(prices_include_tax, tax_total - shipping_tax, 0)),
    sum(shipping_total - shipping_discount - iif(prices_include_tax, shipping_tax, 0)),
    sum(tax_total), sum(discount_total - ${taxNotDue})
  FROM order_history JOIN orders ON orders.id = order_id, ${periods(sql`at`)}, ${shopAndCountry}
  WHERE ${which} AND ${isPaidBy}
  GROUP BY 1, 2, 3`,
  );

/** Amount paid for a line, excluding tax. */
const goodsOfLine = sql`(order_items.total - order_items.discount - iif(prices_include_tax, order_items.tax, 0))`;

const addOrderLines = (which: SQL): SQL =>
  add(
    ["orders", "units", "goods", "tax", "discounts"],
    sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, count(*), sum(quantity), sum(${goodsOfLine}), sum(order_items.tax),
    sum(discount)
  FROM order_history JOIN orders ON orders.id = order_history.order_id JOIN order_items ON order_items.order_id = orders.id,
    ${periods(sql`at`)}, ${productAndCategory}
  WHERE ${which} AND ${isPaidBy}
  GROUP BY 1, 2, 3`,
  );

/** Tax in refunded shipping: shipping is refunded as a whole, except for parts refunded by amount before. */
const returnedShippingTax = sql`coalesce(CAST(round(1.0 * shipping_tax * order_history.shipping /
  nullif(shipping_total - shipping_discount + iif(prices_include_tax, 0, shipping_tax), 0)) AS INTEGER), 0)`;

const addRefunds = (which: SQL): SQL =>
  add(
    ["returned_goods", "returned_shipping", "returned_tax"],
    sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1,
    sum(amount - order_history.tax - order_history.shipping + ${returnedShippingTax}),
    sum(order_history.shipping - ${returnedShippingTax}), sum(order_history.tax)
  FROM order_history JOIN orders ON orders.id = order_id, ${periods(sql`at`)}, ${shopAndCountry}
  WHERE ${which} AND kind = 'refund'
  GROUP BY 1, 2, 3`,
  );

/** The value of the units that went back, so that those of all units of a line add up to the line's. */
const goodsOfUnits = (units: SQL): SQL => sql`${goodsOfLine} * ${units} / quantity`;
const returnedGoods = sql`(${goodsOfUnits(sql`refunded`)}) - (${goodsOfUnits(sql`refunded_before`)})`;

const addRefundedUnits = (which: SQL): SQL =>
  add(
    ["returned_units"],
    sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, sum(refunded - refunded_before)
  FROM refund_lines JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id,
    ${periods(sql`refund_lines.created_at`)}, ${shopAndCountry}
  WHERE ${which}
  GROUP BY 1, 2, 3`,
  );

const addRefundedUnitsOfLines = (which: SQL): SQL =>
  add(
    ["returned_units", "returned_goods"],
    sql`
  SELECT part.value ->> 0, period.value, part.value ->> 1, sum(refunded - refunded_before), sum(${returnedGoods})
  FROM refund_lines JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id,
    ${periods(sql`refund_lines.created_at`)}, ${productAndCategory}
  WHERE ${which}
  GROUP BY 1, 2, 3`,
  );

const moveOn = (limits: Limits): SQL => {
  const [history, refunds] = sources.map(
    (source) => sql`coalesce(${lastOf(source, limits[source])}, ${reached(source)})`,
  );
  return sql`
    INSERT INTO sales_progress (id, history_id, refund_line_id) SELECT 1, ${history}, ${refunds}
    WHERE TRUE ON CONFLICT DO UPDATE SET history_id = excluded.history_id, refund_line_id = excluded.refund_line_id`;
};
