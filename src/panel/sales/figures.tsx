import type { Child } from "hono/jsx";
import { averageOrder, type Comparison, type DayFigures, dayOf } from "../../back-office/sales/report.ts";
import { formatMoney, shopCurrency } from "../../domain/money.ts";
import { LineChart, type Point } from "../kit/charts.tsx";
import { formatDate, formatMonth, formatShortDate } from "../kit/dates.tsx";
import { MoneyAmount } from "../kit/values.tsx";

/** Key figures, each compared with the previous period. */
export const SalesFigures = ({ total, previous }: Pick<Comparison, "total" | "previous">) => {
  const money = (minor: number | null) => (minor === null ? "–" : <MoneyAmount minor={minor} />);
  return (
    <dl class="tiles">
      <Figure name="Net sales" now={total.netSales} then={previous.total.netSales} show={money} />
      <Figure name="Orders" now={total.orders} then={previous.total.orders} show={String} />
      <Figure name="Average order" now={averageOrder(total)} then={averageOrder(previous.total)} show={money} />
      <Figure name="Refunds" now={total.refunds} then={previous.total.refunds} show={money} lessIsBetter />
    </dl>
  );
};

type FigureProps<Value> = {
  name: string;
  now: Value;
  then: Value;
  show: (value: Value) => Child;
  lessIsBetter?: boolean;
};

const Figure = <Value extends number | null>({ name, now, then, show, lessIsBetter = false }: FigureProps<Value>) => {
  const change = changeOf(now, then);
  const tone = change === null || change === 0 ? "muted" : change > 0 === lessIsBetter ? "worse" : "better";
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <strong>{show(now)}</strong>
        <span class={`change ${tone}`}>
          {change === null || change === 0 ? "" : `${change < 0 ? "−" : "+"}${Math.abs(change)}% `}
          <span class="muted">from {show(then)}</span>
        </span>
      </dd>
    </div>
  );
};

/** Percent, rounded. Null if there is nothing to compare with. */
const changeOf = (now: number | null, then: number | null): number | null =>
  now === null || !then ? null : Math.round(((now - then) / Math.abs(then)) * 100);

type SalesChartProps = Pick<Comparison, "days" | "previous"> & { now: number };

/** Maximum number of days drawn one by one; longer periods are drawn by month. */
const MOST_DAYS = 92;

/** Net sales by day with the previous period below, or by month for long periods. */
export const SalesChart = ({ days, previous, now }: SalesChartProps) => {
  if (days.length < 2) return null;
  const isLong = days.length > MOST_DAYS;
  return (
    <div class="comparison">
      <LineChart
        title={`Net sales per ${isLong ? "month" : "day"}`}
        series={isLong ? ["net sales"] : ["net sales", "the days before"]}
        points={isLong ? months(days) : comparedDays(days, previous.days, dayOf(now))}
        format={(minor) => formatMoney(minor, shopCurrency())}
      />
    </div>
  );
};

const comparedDays = (days: DayFigures[], before: DayFigures[], today: string): Point[] =>
  days.map(({ day, netSales }, index) => ({
    label: day === today ? "Today" : formatShortDate(day),
    name: day === today ? `${formatDate(day)} (today)` : formatDate(day),
    values: [netSales, before[index]?.netSales ?? 0],
  }));

function months(days: DayFigures[]): Point[] {
  const sums = new Map<string, number>();
  for (const { day, netSales } of days) {
    const month = formatMonth(day);
    sums.set(month, (sums.get(month) ?? 0) + netSales);
  }
  return [...sums].map(([month, netSales]) => ({ label: month, name: month, values: [netSales] }));
}
