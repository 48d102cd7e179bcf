import { and, asc, between, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { categories, products, sales } from "../../platform/db/schema.ts";
import { addUpSales } from "./add-up-queries.ts";
import { type Figures, figuresOf, type SalesRow, totalOf } from "./figures.ts";
import { before, type DaySpan, daysOf, periodsOf } from "./periods.ts";

/** How many lines a breakdown has. */
const SHOWN = 10;

/** Sales of a product, a category or a country. The name is null of what has none, or was deleted. */
export type Part = { key: string; name: string | null; orders: number; units: number; net: number };

export type DayFigures = { day: string } & Figures;
type SpanFigures = DaySpan & { days: DayFigures[]; total: Figures };

/** The sales of some days, and of as many before them. */
export type Comparison = SpanFigures & { previous: SpanFigures };

export type SalesReport = Comparison & {
  products: Part[];
  categories: Part[];
  countries: Part[];
  /** Whether more was sold than the sums contain yet. */
  incomplete: boolean;
};

/** The sales of a span of days, of what was paid and refunded up to now. Money is in minor units. */
export async function readSales(db: Database, span: DaySpan): Promise<SalesReport> {
  const { more } = await addUpSales(db);
  const [rows, ofProducts, ofCategories, ofCountries] = await db.batch([
    comparedDays(db, span),
    partsOf(db, "product", span, sql`(SELECT name FROM ${products} WHERE id = CAST(key AS INTEGER))`),
    partsOf(db, "category", span, sql`(SELECT name FROM ${categories} WHERE id = CAST(key AS INTEGER))`),
    partsOf(db, "country", span, sql`NULL`),
  ]);
  return {
    ...compare(rows, span),
    products: ofProducts,
    categories: ofCategories,
    countries: ofCountries,
    incomplete: more,
  };
}

/** Reads the sums of the days of a span and of the one before it. */
export const comparedDays = (db: Database, span: DaySpan) =>
  db
    .select()
    .from(sales)
    .where(and(eq(sales.dimension, "shop"), between(sales.period, before(span).from, span.to), isDay))
    .orderBy(asc(sales.period));

const isDay = sql`length(${sales.period}) = 10`;

/** What `comparedDays` read, as figures of each day. */
export function compare(rows: SalesRow[], span: DaySpan): Comparison {
  const known = new Map(rows.map((row) => [row.period, row]));
  const figures = (of: DaySpan): SpanFigures => {
    const days = daysOf(of).map((day) => ({ day, ...figuresOf(known.get(day)) }));
    return { ...of, days, total: totalOf(days) };
  };
  return { ...figures(span), previous: figures(before(span)) };
}

const net = sql<number>`sum(goods - returned_goods)`;

/** The parts that sold for most. */
const partsOf = (db: Database, dimension: SalesRow["dimension"], span: DaySpan, name: SQL) =>
  db
    .select({
      key: sales.key,
      name: sql<string | null>`${name}`.as("name"),
      orders: sql<number>`sum(orders)`.as("orders"),
      units: sql<number>`sum(units - returned_units)`.as("units"),
      net: net.as("net"),
    })
    .from(sales)
    .where(
      and(
        eq(sales.dimension, dimension),
        inArray(sales.period, sql`(SELECT value FROM json_each(${JSON.stringify(periodsOf(span))}))`),
      ),
    )
    .groupBy(sales.key)
    .orderBy(sql`net DESC`, asc(sales.key))
    .limit(SHOWN);
