import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { rememberTimeZone, shopTimeZone } from "../../domain/time-zone.ts";
import { type Database, requireFirst, runAll, writeThenRead } from "../../platform/db/client.ts";
import { orderHistory, orderItems, orders, refundLines, sales, salesProgress, shop } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { savedTimeZone, shopOffsetAt } from "../../platform/db/time-zone.ts";
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
    const { more, passed, zone } = await addUp(db, now, { order_history: ROWS_AT_ONCE, refund_lines: ROWS_AT_ONCE });
    if (zone !== shopTimeZone()) {
      rememberTimeZone(zone);
      return await addUpSales(db, now);
    }
    if (passed) await readPassedAgain(db, now, QUEUE, (item) => addOne(item, now));
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

/** The tables that are read, and the columns that say how far. */
const progressOf = {
  order_history: { table: orderHistory, reached: salesProgress.historyId },
  refund_lines: { table: refundLines, reached: salesProgress.refundLineId },
};
type Source = keyof typeof progressOf;
const sources = ["order_history", "refund_lines"] as const satisfies Source[];

/** Rows of each source per batch. */
type Limits = Record<Source, number>;
const NONE: Limits = { order_history: 0, refund_lines: 0 };

async function addUp(db: Database, now: number, limits: Limits) {
  const { order_history, refund_lines } = isNew(limits);
  const writes = [...addHistory(order_history, now), ...addRefundLines(refund_lines, now), moveOn(limits)];
  const isLeft = (source: Source) => sql`${lastOf(source, 1)} IS NOT NULL`.mapWith(Boolean);
  const progress = db
    .select({
      history: isLeft("order_history").as("history"),
      refunds: isLeft("refund_lines").as("refunds"),
      passed: hasPassed(QUEUE, now).mapWith(Boolean).as("passed"),
      zone: savedTimeZone.as("zone"),
    })
    .from(sql`(SELECT 1)`);
  const { history, refunds, passed, zone } = requireFirst(await writeThenRead(db, writes, progress));
  return { more: history || refunds, moreOf: { order_history: history, refund_lines: refunds }, passed, zone };
}

/** The statements that add one row, which is named by its source and id. */
function addOne(item: string, now: number): SQL[] {
  const [source, id] = item.split(" ");
  const isIt = (name: Source) => sql`${progressOf[name].table.id} = ${Number(id)}`;
  return source === "refund_lines" ? addRefundLines(isIt(source), now) : addHistory(isIt("order_history"), now);
}

const reached = (source: Source): SQL => sql`coalesce((SELECT ${progressOf[source].reached} FROM ${salesProgress}), 0)`;

/** Last row of a batch. Null if there is none, or if the shop has another time zone by now than this isolate knows. */
const lastOf = (source: Source, limit: number): SQL => {
  const { table } = progressOf[source];
  return sql`(SELECT max(id) FROM (
    SELECT ${table.id} AS id FROM ${table} WHERE ${table.id} > ${reached(source)} AND ${savedTimeZone} = ${shopTimeZone()} ORDER BY ${table.id} LIMIT ${limit}))`;
};

/** The condition that a row of a source belongs to the batch. */
const isNew = (limits: Limits): Record<Source, SQL> => {
  const within = (source: Source): SQL => {
    const { id } = progressOf[source].table;
    return sql`${id} > ${reached(source)} AND ${id} <= ${lastOf(source, limits[source])}`;
  };
  return { order_history: within("order_history"), refund_lines: within("refund_lines") };
};

/** The statements that add rows of the history. */
const addHistory = (which: SQL, now: number): SQL[] => {
  const period = periods(sql`${orderHistory.at}`, now);
  return [addOrders(which, period), addOrderLines(which, period), addRefunds(which, period)];
};

/** The statements that add lines of refunds. */
const addRefundLines = (which: SQL, now: number): SQL[] => {
  const period = periods(sql`${refundLines.createdAt}`, now);
  return [addRefundedUnits(which, period), addRefundedUnitsOfLines(which, period)];
};

/** The day of a moment in the shop's time zone, and its month. */
function periods(moment: SQL, now: number): SQL {
  const seconds = sql`(${moment} + ${shopOffsetAt(moment, now)}) / 1000`;
  return sql`json_each(json_array(
    strftime('%Y-%m-%d', ${seconds}, 'unixepoch'), strftime('%Y-%m', ${seconds}, 'unixepoch'))) AS period`;
}

/** An order's part in the sums of the whole shop, and in those of its country. Orders from before that column have addresses only. */
const shopAndCountry = sql`json_each(json_array(
  json_array('shop', ''),
  json_array('country', coalesce(${orders.country}, ${orders.shippingAddress} ->> 'country',
    ${orders.billingAddress} ->> 'country', (SELECT ${shop.homeCountry} FROM ${shop}), '')))) AS part`;

const productAndCategory = sql`json_each(json_array(
  json_array('product', ${orderItems.productId}), json_array('category', coalesce(${orderItems.categoryId}, '')))) AS part`;

type Measures = { [Name in Exclude<keyof typeof sales.$inferInsert, "dimension" | "period" | "key">]?: SQL };

/** Adds the measures of each part and period to the existing rows of sums. */
function add(measures: Measures, from: SQL): SQL {
  const { dimension: _, period: __, key: ___, ...columns } = getTableColumns(sales);
  const added = Object.entries(columns).flatMap(([name, column]) => (name in measures ? column.name : []));
  const row = { dimension: sql`part.value ->> 0`, period: sql`period.value`, key: sql`part.value ->> 1`, ...measures };
  const sums = sql.raw(added.map((name) => `${name} = ${name} + excluded.${name}`).join(", "));
  return insertSelected(sales, row, sql`${from} GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET ${sums}`);
}

/** An order that costs nothing is paid without a payment. */
const isPaidBy = sql`(${orderHistory.kind} = 'payment'
  OR ${orderHistory.from} IN ('pending', 'expired') AND ${orderHistory.to} IN ('processing', 'completed'))`;

const historyOfOrders = sql`${orderHistory} JOIN ${orders} ON ${orders.id} = ${orderHistory.orderId}`;

/** Included tax that is not due among an order's reductions, which is no discount. */
const taxNotDue = sql`coalesce(
  (SELECT sum(value ->> 'amount') FROM json_each(${orders.discounts}) WHERE value ->> 'id' IS NULL), 0)`;

const sum = (value: SQL): SQL => sql`sum(${value})`;

/** Goods with and without a known cost, and that cost: of sold units, or less than 0 for returned ones. */
const profit = (goods: SQL, units: SQL, sumOf: (value: SQL) => SQL) => ({
  costedGoods: sumOf(sql`iif(${orderItems.cost} IS NULL, 0, ${goods})`),
  uncostedGoods: sumOf(sql`iif(${orderItems.cost} IS NULL, ${goods}, 0)`),
  cost: sumOf(sql`ifnull(${orderItems.cost}, 0) * ${units}`),
});

/** Amount paid for a line, excluding tax. */
const goodsOfLine = sql`(${orderItems.total} - ${orderItems.discount} - iif(${orders.pricesIncludeTax}, ${orderItems.tax}, 0))`;

function addOrders(which: SQL, period: SQL): SQL {
  const ofLines = (value: SQL) =>
    sql`sum((SELECT sum(${value}) FROM ${orderItems} WHERE ${orderItems.orderId} = ${orders.id}))`;
  const { subtotal, discountTotal, shippingTotal, shippingDiscount, pricesIncludeTax, taxTotal, shippingTax } = orders;
  return add(
    {
      orders: sql`count(*)`,
      units: ofLines(sql`${orderItems.quantity}`),
      ...profit(goodsOfLine, sql`${orderItems.quantity}`, ofLines),
      goods: sql`sum(${subtotal} - ${discountTotal} + ${shippingDiscount}
        - iif(${pricesIncludeTax}, ${taxTotal} - ${shippingTax}, 0))`,
      shipping: sql`sum(${shippingTotal} - ${shippingDiscount} - iif(${pricesIncludeTax}, ${shippingTax}, 0))`,
      tax: sql`sum(${taxTotal})`,
      discounts: sql`sum(${discountTotal} - ${taxNotDue})`,
    },
    sql`FROM ${historyOfOrders}, ${period}, ${shopAndCountry} WHERE ${which} AND ${isPaidBy}`,
  );
}

const addOrderLines = (which: SQL, period: SQL): SQL =>
  add(
    {
      orders: sql`count(*)`,
      units: sql`sum(${orderItems.quantity})`,
      goods: sql`sum(${goodsOfLine})`,
      tax: sql`sum(${orderItems.tax})`,
      discounts: sql`sum(${orderItems.discount})`,
      ...profit(goodsOfLine, sql`${orderItems.quantity}`, sum),
    },
    sql`FROM ${historyOfOrders} JOIN ${orderItems} ON ${orderItems.orderId} = ${orders.id},
      ${period}, ${productAndCategory} WHERE ${which} AND ${isPaidBy}`,
  );

/** Tax in refunded shipping: shipping is refunded as a whole, except for parts refunded by amount before. */
const returnedShippingTax = sql`coalesce(CAST(round(1.0 * ${orders.shippingTax} * ${orderHistory.shipping} /
  nullif(${orders.shippingTotal} - ${orders.shippingDiscount} + iif(${orders.pricesIncludeTax}, 0, ${orders.shippingTax}), 0)
) AS INTEGER), 0)`;

function addRefunds(which: SQL, period: SQL): SQL {
  const { amount, tax, shipping } = orderHistory;
  return add(
    {
      returnedGoods: sql`sum(${amount} - ${tax} - ${shipping} + ${returnedShippingTax})`,
      returnedShipping: sql`sum(${shipping} - ${returnedShippingTax})`,
      returnedTax: sql`sum(${tax})`,
    },
    sql`FROM ${historyOfOrders}, ${period}, ${shopAndCountry} WHERE ${which} AND ${orderHistory.kind} = 'refund'`,
  );
}

/** The value of the units that went back, so that those of all units of a line add up to the line's. */
const goodsOfUnits = (units: SQLiteColumn): SQL => sql`${goodsOfLine} * ${units} / ${orderItems.quantity}`;
const returnedGoods = sql`(${goodsOfUnits(refundLines.refunded)}) - (${goodsOfUnits(refundLines.refundedBefore)})`;

const returned = sql`(${refundLines.refunded} - ${refundLines.refundedBefore})`;
const returnedMeasures = {
  returnedUnits: sum(returned),
  ...profit(sql`(${returnedGoods})`, returned, (value) => sql`-${sum(value)}`),
};
const refundedLines = sql`${refundLines} JOIN ${orderItems} ON ${orderItems.id} = ${refundLines.orderItemId}
  JOIN ${orders} ON ${orders.id} = ${orderItems.orderId}`;

const addRefundedUnits = (which: SQL, period: SQL): SQL =>
  add(returnedMeasures, sql`FROM ${refundedLines}, ${period}, ${shopAndCountry} WHERE ${which}`);

const addRefundedUnitsOfLines = (which: SQL, period: SQL): SQL =>
  add(
    { ...returnedMeasures, returnedGoods: sum(returnedGoods) },
    sql`FROM ${refundedLines}, ${period}, ${productAndCategory} WHERE ${which}`,
  );

const moveOn = (limits: Limits): SQL => {
  const last = (source: Source) => sql`coalesce(${lastOf(source, limits[source])}, ${reached(source)})`;
  return insertSelected(
    salesProgress,
    { id: 1, historyId: last("order_history"), refundLineId: last("refund_lines") },
    sql`WHERE TRUE ON CONFLICT DO UPDATE SET history_id = excluded.history_id, refund_line_id = excluded.refund_line_id`,
  );
};
