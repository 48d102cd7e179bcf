import { dayOf } from "../../back-office/sales/periods.ts";
import type { Comparison, DayFigures } from "../../back-office/sales/report-queries.ts";
import { formatMoney } from "../../domain/money.ts";
import { LineChart } from "../kit/charts.tsx";
import { formatDay, formatMonth, formatShortDay } from "../kit/dates.ts";
import type { Point } from "../kit/plot.ts";

type Props = Pick<Comparison, "days" | "previous"> & { currency: string; now: number };

/** So many days are drawn one by one, more of them by the month. */
const MOST_DAYS = 92;

/** Net sales by the day, and those of the days before beneath them; of a long time by the month. */
export const SalesChart = ({ days, previous, currency, now }: Props) => {
  if (days.length < 2) return null;
  const isLong = days.length > MOST_DAYS;
  return (
    <div class="comparison">
      <LineChart
        title={`Net sales a ${isLong ? "month" : "day"}`}
        series={isLong ? ["net sales"] : ["net sales", "the days before"]}
        points={isLong ? months(days) : comparedDays(days, previous.days, dayOf(now))}
        format={(minor) => formatMoney(minor, currency)}
      />
    </div>
  );
};

const comparedDays = (days: DayFigures[], before: DayFigures[], today: string): Point[] =>
  days.map(({ day, netSales }, index) => {
    const at = Date.parse(day);
    return {
      label: day === today ? "Today" : formatShortDay(at),
      name: day === today ? `${formatDay(at)} (today, UTC)` : formatDay(at),
      values: [netSales, before[index]?.netSales ?? 0],
    };
  });

function months(days: DayFigures[]): Point[] {
  const sums = new Map<string, number>();
  for (const { day, netSales } of days) {
    const month = formatMonth(Date.parse(day));
    sums.set(month, (sums.get(month) ?? 0) + netSales);
  }
  return [...sums].map(([month, netSales]) => ({ label: month, name: month, values: [netSales] }));
}
