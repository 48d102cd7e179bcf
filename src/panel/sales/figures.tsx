import type { Child } from "hono/jsx";
import { averageOrder } from "../../back-office/sales/figures.ts";
import type { Comparison } from "../../back-office/sales/report-queries.ts";
import { Money } from "../kit/money.tsx";

type Props = Pick<Comparison, "total" | "previous"> & { currency: string };

/** The figures that one looks at first, each beside that of the days before. */
export const SalesFigures = ({ total, previous, currency }: Props) => {
  const money = (minor: number | null) => (minor === null ? "–" : <Money minor={minor} currency={currency} />);
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
          {change === null || change === 0 ? "" : `${change < 0 ? "−" : "+"}${Math.abs(change)} % `}
          <span class="muted">from {show(then)}</span>
        </span>
      </dd>
    </div>
  );
};

/** Percent, rounded; null where there is nothing to compare with. */
const changeOf = (now: number | null, then: number | null): number | null =>
  now === null || !then ? null : Math.round(((now - then) / Math.abs(then)) * 100);
