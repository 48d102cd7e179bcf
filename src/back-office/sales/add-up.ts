import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  addPaidOrders,
  addToSales,
  goodsOfLine,
  historyOfOrders,
  isGoods,
  isSale,
  periods,
  productAndCategory,
  profit,
  SALES_QUEUE,
  shopAndCountry,
  summed,
} from "../../checkout/orders/public.ts";
import { rememberTimeZone, shopTimeZone } from "../../domain/time.ts";
import { allowsMore, type Database, requireFirst, runAll, writeThenRead } from "../../platform/db/client.ts";
import { orderHistory, orderItems, orders, refundLines, salesProgress } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { savedTimeZone } from "../../platform/db/time-zone.ts";
import { isOutage } from "../../platform/http/log.ts";
import { hasPassed, recordFailure } from "../../platform/queues/failed-items.ts";
import { readOn, readPassedAgain } from "../../platform/queues/work-off.ts";

/** Maximum history rows per batch. */
const ROWS_AT_ONCE = 4000;

const BATCHES = 25;

/** Adds up the remaining rows, within the schedule's limits of time and queries. */
export async function addUpAllSales(db: Database, now = Date.now()): Promise<void> {
  for (let done = 0, more = true; more && done < BATCHES && allowsMore(db); done++) {
    ({ more } = await addUpSales(db, now));
  }
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
    if (passed) await readPassedAgain(db, now, SALES_QUEUE, (item) => addOne(item, now));
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
    db,
    most: ROWS_AT_ONCE,
    read: async (limit) => (await addUp(db, now, { ...NONE, [source]: limit })).moreOf[source],
    pass: (reason) =>
      runAll(db, [
        recordFailure(SALES_QUEUE, sql`${`${source} `} || ${lastOf(source, 1)}`, reason, now),
        moveOn({ ...NONE, [source]: 1 }, now),
      ]),
  });

/** The tables to read, and the columns that record the position in each. */
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
  const writes = [...addHistory(order_history, now), ...addRefundLines(refund_lines, now), moveOn(limits, now)];
  const isLeft = (source: Source) => sql`${lastOf(source, 1)} IS NOT NULL`.mapWith(Boolean);
  const progress = db
    .select({
      history: isLeft("order_history").as("history"),
      refunds: isLeft("refund_lines").as("refunds"),
      passed: hasPassed(SALES_QUEUE, now).mapWith(Boolean).as("passed"),
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

/**
 * Last row of a batch. Null if there is none, or if the shop's time zone differs from the one that this isolate has
 * cached.
 */
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
  return [...addPaidOrders(which, now), addRefunds(which, period)];
};

/** The statements that add lines of refunds. */
const addRefundLines = (which: SQL, now: number): SQL[] => {
  const period = periods(sql`${refundLines.createdAt}`, now);
  return [addRefundedUnits(which, period), addRefundedUnitsOfLines(which, period)];
};

/** Tax in refunded shipping: shipping is refunded as a whole, except for parts refunded by amount before. */
const returnedShippingTax = sql`coalesce(CAST(round(1.0 * ${orders.shippingTax} * ${orderHistory.shipping} /
  nullif(${orders.shippingTotal} - ${orders.shippingDiscount} + iif(${orders.pricesIncludeTax}, 0, ${orders.shippingTax}), 0)
) AS INTEGER), 0)`;

function addRefunds(which: SQL, period: SQL): SQL {
  const { amount, tax, shipping } = orderHistory;
  return addToSales(
    {
      returnedGoods: sql`sum(${amount} - ${tax} - ${shipping} + ${returnedShippingTax})`,
      returnedShipping: sql`sum(${shipping} - ${returnedShippingTax})`,
      returnedTax: sql`sum(${tax})`,
    },
    sql`FROM ${historyOfOrders}, ${period}, ${shopAndCountry} WHERE ${which} AND ${orderHistory.kind} = 'refund'`,
  );
}

/** The value of the returned units. The values of all units of a line add up to the line's. */
const goodsOfUnits = (units: SQLiteColumn): SQL => sql`${goodsOfLine} * ${units} / ${orderItems.quantity}`;
const returnedGoods = sql`(${goodsOfUnits(refundLines.refunded)}) - (${goodsOfUnits(refundLines.refundedBefore)})`;

const returned = sql`(${refundLines.refunded} - ${refundLines.refundedBefore})`;
const ofGoods = (value: SQL): SQL => summed(sql`iif(${isGoods}, ${value}, 0)`);
const returnedMeasures = {
  returnedUnits: ofGoods(returned),
  ...profit(sql`(${returnedGoods})`, returned, (value) => sql`-${ofGoods(value)}`),
};
const refundedLines = sql`${refundLines} JOIN ${orderItems} ON ${orderItems.id} = ${refundLines.orderItemId}
  JOIN ${orders} ON ${orders.id} = ${orderItems.orderId} AND ${isSale}`;

/** Takes refunded gift cards off the amounts of refunds, which include them. */
const addRefundedUnits = (which: SQL, period: SQL): SQL =>
  addToSales(
    { ...returnedMeasures, returnedGoods: sql`-${summed(sql`iif(${isGoods}, 0, ${returnedGoods})`)}` },
    sql`FROM ${refundedLines}, ${period}, ${shopAndCountry} WHERE ${which}`,
  );

const addRefundedUnitsOfLines = (which: SQL, period: SQL): SQL =>
  addToSales(
    { ...returnedMeasures, returnedGoods: summed(returnedGoods) },
    sql`FROM ${refundedLines}, ${period}, ${productAndCategory} WHERE ${which} AND ${isGoods}`,
  );

const moveOn = (limits: Limits, now: number): SQL => {
  const last = (source: Source) => sql`coalesce(${lastOf(source, limits[source])}, ${reached(source)})`;
  return insertSelected(
    salesProgress,
    { id: 1, historyId: last("order_history"), refundLineId: last("refund_lines"), movedAt: now },
    sql`WHERE TRUE ON CONFLICT DO UPDATE SET history_id = excluded.history_id, refund_line_id = excluded.refund_line_id,
      moved_at = iif((history_id, refund_line_id) = (excluded.history_id, excluded.refund_line_id), moved_at, excluded.moved_at)`,
  );
};
