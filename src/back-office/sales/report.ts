import { and, asc, between, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { addDays, DAY_MS, dayIn, shopTimeZone } from "../../domain/time.ts";
import type { Database } from "../../platform/db/client.ts";
import { nameWithValuesOf } from "../../platform/db/product-sql.ts";
import { categories, products, sales } from "../../platform/db/schema.ts";
import { addUpSales } from "./add-up.ts";

type SalesRow = typeof sales.$inferSelect;
type Measures = Omit<SalesRow, "dimension" | "period" | "key">;

const names = [
  "orders",
  "units",
  "netSales",
  "shipping",
  "tax",
  "totalSales",
  "discounts",
  "refunds",
  "cost",
  "costedSales",
  "uncostedSales",
] as const;

/**
 * Sales of a day or span, in minor units. Net sales are goods after discounts and refunds, without tax. Total sales add
 * shipping and tax, after refunds. Refunds are all returned money. Costed sales are those of goods with a known cost.
 * Returned units reduce costed and other sales, but refunds of an amount do not.
 */
export type Figures = Record<(typeof names)[number], number>;

const NOTHING: Figures = {
  orders: 0,
  units: 0,
  netSales: 0,
  shipping: 0,
  tax: 0,
  totalSales: 0,
  discounts: 0,
  refunds: 0,
  cost: 0,
  costedSales: 0,
  uncostedSales: 0,
};

function figuresOf(row: Measures | undefined): Figures {
  if (!row) return NOTHING;
  const netSales = row.goods - row.returnedGoods;
  const shipping = row.shipping - row.returnedShipping;
  const tax = row.tax - row.returnedTax;
  return {
    orders: row.orders,
    units: row.units,
    netSales,
    shipping,
    tax,
    totalSales: netSales + shipping + tax,
    discounts: row.discounts,
    refunds: row.returnedGoods + row.returnedShipping + row.returnedTax,
    cost: row.cost,
    costedSales: row.costedGoods,
    uncostedSales: row.uncostedGoods,
  };
}

function totalOf(all: readonly Figures[]): Figures {
  const total = { ...NOTHING };
  for (const one of all) for (const name of names) total[name] += one[name];
  return total;
}

/** Returns the average amount paid per order before refunds. Null without orders. */
export const averageOrder = ({ orders, totalSales, refunds }: Figures): number | null =>
  orders === 0 ? null : Math.round((totalSales + refunds) / orders);

type Profit = Pick<Figures, "cost" | "costedSales">;

/** Sales of goods with a known cost, less that cost. */
export const grossProfit = ({ costedSales, cost }: Profit): number => costedSales - cost;

/** Gross profit in percent of the sales it is based on, to a tenth. Null without such sales. */
export const marginOf = (profit: Profit): number | null =>
  profit.costedSales <= 0 ? null : Math.round((1000 * grossProfit(profit)) / profit.costedSales) / 10;

/** Maximum rows of a breakdown in the report. Files have all of them. */
const MAX_PARTS = 10;

/** Sales of a product, category or country. The name is null if there is none or it was deleted. */
export type SalesPart = { key: string; name: string | null; orders: number; units: number; net: number } & Profit;

export type DayFigures = { day: string } & Figures;
type SpanFigures = DaySpan & { days: DayFigures[]; total: Figures };

/** Sales of a span, and of the one that it is compared with: the days before it, or those of a year before. */
export type Comparison = SpanFigures & { previous: SpanFigures };

export type SalesSums = Comparison & {
  products: SalesPart[];
  categories: SalesPart[];
  countries: SalesPart[];
  /** True if some sales are not yet included in the sums. */
  incomplete: boolean;
};

/** The sales of a span of days, from everything paid and refunded so far. Money is in minor units. */
export async function readSales(db: Database, span: DaySpan, previous = before(span)): Promise<SalesSums> {
  const { more } = await addUpSales(db);
  const [rows, ofProducts, ofCategories, ofCountries] = await db.batch([
    comparedDays(db, span, previous),
    partsOf(db, "product", span).limit(MAX_PARTS),
    partsOf(db, "category", span).limit(MAX_PARTS),
    partsOf(db, "country", span).limit(MAX_PARTS),
  ]);
  return {
    ...compare(rows, span, previous),
    products: ofProducts,
    categories: ofCategories,
    countries: ofCountries,
    incomplete: more,
  };
}

/** Products, categories or countries, by which sales are broken down. */
export type SalesDimension = "product" | "category" | "country";

const namesOfParts: Record<SalesDimension, SQL> = {
  product: sql`(SELECT ${nameWithValuesOf(sql`name`, sql`option_values`)} FROM ${products} WHERE id = CAST(key AS INTEGER))`,
  category: sql`(SELECT name FROM ${categories} WHERE id = CAST(key AS INTEGER))`,
  country: sql`NULL`,
};

/** The sales of a span by product, category or country, with the highest first. */
export async function readSalesParts(db: Database, dimension: SalesDimension, span: DaySpan): Promise<SalesPart[]> {
  await addUpSales(db);
  return partsOf(db, dimension, span);
}

/** True once anything was sold. */
export const hasSales = async (db: Database): Promise<boolean> =>
  (await db.select({ key: sales.key }).from(sales).limit(1).get()) !== undefined;

/** Reads the sums of the days of a span and of the one that it is compared with. */
export const comparedDays = (db: Database, span: DaySpan, previous = before(span)) =>
  db
    .select()
    .from(sales)
    .where(and(eq(sales.dimension, "shop"), or(isWithin(previous), isWithin(span)), isDay))
    .orderBy(asc(sales.period));

const isWithin = ({ from, to }: DaySpan) => between(sales.period, from, to);
const isDay = sql`length(${sales.period}) = 10`;

/** Daily figures from the rows that `comparedDays` selects. */
export function compare(rows: SalesRow[], span: DaySpan, previous = before(span)): Comparison {
  const known = new Map(rows.map((row) => [row.period, row]));
  const figures = (of: DaySpan): SpanFigures => {
    const days = daysOf(of).map((day) => ({ day, ...figuresOf(known.get(day)) }));
    return { ...of, days, total: totalOf(days) };
  };
  return { ...figures(span), previous: figures(previous) };
}

const net = sql<number>`sum(${sales.goods} - ${sales.returnedGoods})`;

/** The products, categories or countries by sales, with the highest first. */
const partsOf = (db: Database, dimension: SalesDimension, span: DaySpan) =>
  db
    .select({
      key: sales.key,
      name: sql<string | null>`${namesOfParts[dimension]}`.as("name"),
      orders: sql<number>`sum(${sales.orders})`.as("orders"),
      units: sql<number>`sum(${sales.units} - ${sales.returnedUnits})`.as("units"),
      net: net.as("net"),
      cost: sql<number>`sum(${sales.cost})`.as("cost"),
      costedSales: sql<number>`sum(${sales.costedGoods})`.as("costed_sales"),
    })
    .from(sales)
    .where(
      and(
        eq(sales.dimension, dimension),
        inArray(sales.period, sql`(SELECT value FROM json_each(${JSON.stringify(periodsOf(span))}))`),
      ),
    )
    .groupBy(sales.key)
    // Edits of orders leave rows of zeros behind.
    .having(sql`sum(orders + returned_units + returned_goods) > 0`)
    .orderBy(sql`net DESC`, asc(sales.key));

/** A span of days such as "2026-10-05", both ends inclusive, in the shop's time zone. */
export type DaySpan = { from: string; to: string };

export const dayOf = (moment: number): string => dayIn(shopTimeZone(), moment);

export const lengthOf = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the last `count` days, including today. */
export const lastDays = (count: number, now: number): DaySpan => ({
  from: addDays(dayOf(now), 1 - count),
  to: dayOf(now),
});

/** Returns the preceding span of equal length. */
export const before = (span: DaySpan): DaySpan => ({
  from: addDays(span.from, -lengthOf(span)),
  to: addDays(span.from, -1),
});

/** Returns the same dates of the year before. 29 February becomes the 28th. */
export function yearBefore({ from, to }: DaySpan): DaySpan {
  const inYearBefore = (day: string) => `${Number(day.slice(0, 4)) - 1}${day.slice(4).replace("-02-29", "-02-28")}`;
  return { from: inYearBefore(from), to: inYearBefore(to) };
}

/** Returns the spans by which people look at sales. Those that have not ended end today. */
export function commonSpans(now: number): Record<string, DaySpan> {
  const today = dayOf(now);
  const [month, year] = [`${monthOf(today)}-01`, `${today.slice(0, 4)}-01-01`];
  const lastMonth = addDays(month, -1);
  return {
    Today: { from: today, to: today },
    Yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    "7 days": lastDays(7, now),
    "30 days": lastDays(30, now),
    "90 days": lastDays(90, now),
    "This month": { from: month, to: today },
    "Last month": { from: `${monthOf(lastMonth)}-01`, to: lastMonth },
    "This year": { from: year, to: today },
    "Last year": yearBefore({ from: year, to: `${today.slice(0, 4)}-12-31` }),
  };
}

export const daysOf = (span: DaySpan): string[] =>
  Array.from({ length: lengthOf(span) }, (_, index) => addDays(span.from, index));

const monthOf = (day: string): string => day.slice(0, 7);
const isFirstOfMonth = (day: string): boolean => day.endsWith("-01");
const isLastOfMonth = (day: string): boolean => isFirstOfMonth(addDays(day, 1));

/** The periods of a span that have sums: whole months, and the days of other months. */
export function periodsOf(span: DaySpan): string[] {
  const days = daysOf(span);
  const edges = days.map((day) => [day, monthOf(day)] as const);
  const begun = new Set(edges.filter(([day]) => isFirstOfMonth(day)).map(([, month]) => month));
  const ended = new Set(edges.filter(([day]) => isLastOfMonth(day)).map(([, month]) => month));
  return [...new Set(edges.map(([day, month]) => (begun.has(month) && ended.has(month) ? month : day)))];
}
