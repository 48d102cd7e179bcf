import * as z from "zod";
import { Money, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { toRecord } from "../../domain/record.ts";
import { addDays, shopTimeZone } from "../../domain/time.ts";
import {
  averageOrder,
  before,
  type DaySpan,
  dayOf,
  type Figures,
  grossProfit,
  lengthOf,
  marginOf,
  type SalesSums as Report,
  type SalesPart,
  yearBefore,
} from "./report.ts";

const DEFAULT_DAYS = 30;
const MOST_DAYS = 1096;

/** First and last day written with a four-digit year. */
const [FIRST_DAY, LAST_DAY] = ["1970-01-01", "2999-12-31"];

const Day = z.iso
  .date("must be a day such as 2026-10-31")
  .refine((day) => day >= FIRST_DAY && day <= LAST_DAY, `must be from ${FIRST_DAY} to ${LAST_DAY}`);

/**
 * The days of a report, in the shop's time zone. With only one end it has 30 days, and with neither it has the last 30.
 */
export const SalesQuery = z
  .strictObject({
    from: Day.optional(),
    to: Day.optional(),
    compare_to: z
      .enum(["previous_period", "previous_year"])
      .default("previous_period")
      .describe("Days in `previous`: as many days before the report's, or the same dates a year earlier"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["to"], message: "must not be before the first day" })
  .refine(({ from, to }) => !from || !to || lengthOf({ from, to }) <= MOST_DAYS, {
    path: ["to"],
    message: `must be at most ${MOST_DAYS} days after the first day`,
  });
export type SalesQuery = z.output<typeof SalesQuery>;

/** Days that a report is compared with. */
export const comparedSpan = (span: DaySpan, { compare_to }: SalesQuery): DaySpan =>
  compare_to === "previous_year" ? yearBefore(span) : before(span);

export function salesSpan({ from, to }: SalesQuery, now: number): DaySpan {
  if (from) return { from, to: to ?? addDays(from, DEFAULT_DAYS - 1) };
  const last = to ?? dayOf(now);
  return { from: addDays(last, 1 - DEFAULT_DAYS), to: last };
}

const profit = {
  cost: Money.nullable().describe(
    "Cost of the sold goods whose cost was known when they were sold, less returned units. Null for API keys without products:write",
  ),
  gross_profit: Money.nullable().describe(
    "Gross profit: net sales of goods with a known cost, less that cost. Refunds of an amount without units are not included. Null for API keys without products:write",
  ),
  margin: z
    .number()
    .nullable()
    .describe(
      "Gross profit in percent of the net sales of goods with a known cost. Null if there are none, and for API keys without products:write",
    ),
};

/** The reader of a report. `seesCosts` is false for a key that must not see what goods cost the shop. */
type Reader = { seesCosts: boolean };

const toProfit = (sums: Parameters<typeof grossProfit>[0], { seesCosts }: Reader) =>
  seesCosts
    ? { cost: toDecimal(sums.cost), gross_profit: toDecimal(grossProfit(sums)), margin: marginOf(sums) }
    : { cost: null, gross_profit: null, margin: null };

const Sums = z
  .object({
    orders: z.int().describe("Number of paid orders"),
    units: z.int().describe("Number of units in these orders, before refunds"),
    net_sales: Money.describe("Sales of goods after discounts and refunds, without tax and shipping"),
    shipping: Money,
    tax: Money,
    total_sales: Money.describe("Net sales plus shipping and tax, after refunds"),
    discounts: Money,
    refunds: Money.describe("Refunds of goods, shipping and tax"),
    average_order: Money.nullable().describe(
      "Average amount paid per order, before refunds. Null if there were no orders",
    ),
    ...profit,
    net_sales_without_cost: Money.describe("Net sales of goods whose cost was unknown when they were sold"),
  })
  .meta({ id: "SalesFigures" });

const toSums = (figures: Figures, reader: Reader): z.output<typeof Sums> =>
  toRecord(Sums, figures, {
    average_order: toDecimalOrNull(averageOrder(figures)),
    ...toProfit(figures, reader),
    net_sales_without_cost: toDecimal(figures.uncostedSales),
  });

const sold = {
  orders: z.int().describe("Number of orders. For a product or category, number of line items"),
  units: z.int().describe("Number of units sold less refunded units"),
  net_sales: Money,
  ...profit,
};
const toSold = ({ orders, units, net, ...part }: SalesPart, reader: Reader) => ({
  orders,
  units,
  net_sales: toDecimal(net),
  ...toProfit(part, reader),
});

const NamedFigures = z.object({ id: z.int().nullable(), name: z.string().nullable(), ...sold });
const toNamed = (part: SalesPart, reader: Reader): z.output<typeof NamedFigures> => ({
  id: part.key === "" ? null : Number(part.key),
  name: part.name,
  ...toSold(part, reader),
});

export const SalesReport = z
  .object({
    from: z.string(),
    to: z.string(),
    time_zone: z.string().describe("Time zone of the days: that of the shop"),
    currency: z.string(),
    total: Sums,
    previous: z
      .object({ from: z.string(), to: z.string(), total: Sums })
      .describe("The preceding period of equal length, or the same dates a year earlier"),
    days: z.array(Sums.extend({ day: z.string() })),
    products: z.array(NamedFigures).describe("The ten products with the highest sales"),
    categories: z
      .array(NamedFigures)
      .describe("Sales by the category that a product had when sold. Null for products without a category"),
    countries: z.array(z.object({ country: z.string().nullable(), ...sold })),
    incomplete: z
      .boolean()
      .describe("True if recent sales are not included yet. Request the report again after a minute"),
  })
  .meta({ id: "SalesReport" });

export const toSalesReport = (report: Report, currency: string, reader: Reader): z.output<typeof SalesReport> => ({
  from: report.from,
  to: report.to,
  time_zone: shopTimeZone(),
  currency,
  total: toSums(report.total, reader),
  previous: { from: report.previous.from, to: report.previous.to, total: toSums(report.previous.total, reader) },
  days: report.days.map((day) => ({ day: day.day, ...toSums(day, reader) })),
  products: report.products.map((part) => toNamed(part, reader)),
  categories: report.categories.map((part) => toNamed(part, reader)),
  countries: report.countries.map((part) => ({ country: part.key || null, ...toSold(part, reader) })),
  incomplete: report.incomplete,
});
