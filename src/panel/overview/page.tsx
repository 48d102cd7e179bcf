import { formatMoney } from "../../domain/money.ts";
import type { OrderStatus } from "../../orders/transitions.ts";
import { LOW_STOCK } from "../../products/low-stock.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { BarChart, LineChart } from "../kit/charts.tsx";
import { formatDay, formatShortDay } from "../kit/dates.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import type { Overview } from "./queries.ts";

/** The list behind the figure. */
const LOW = "/admin/products?low_stock=true&sort=stock";

type Props = Overview & { currency: string };

export const OverviewPage = ({ days, newest, low, attention, currency }: Props) => (
  <>
    <PageHeader title="Overview" />
    <Attention {...attention} />
    <section class="card">
      <Sales days={days} currency={currency} />
      <NetSales days={days} currency={currency} />
    </section>
    <section class="card">
      <h2>Newest orders</h2>
      <NewestOrders newest={newest} currency={currency} />
    </section>
    {low.length > 0 && (
      <section class="card">
        <h2>
          <a href={LOW}>Running out</a>
        </h2>
        <RunningOut low={low} />
      </section>
    )}
  </>
);

const ordersThatAre = (status: OrderStatus) => `/admin/orders?status=${status}`;

/** Open tasks. Those that are empty are left out, except for the first two. */
const Attention = ({ toShip, unpaid, lowStock, refundsToSend, keysEnding }: Overview["attention"]) => (
  <section class="tiles" aria-label="What wants attention">
    <Tile figure={toShip} label="to ship" href={ordersThatAre("processing")} />
    <Tile figure={unpaid} label="waiting for payment" href={ordersThatAre("pending")} />
    {lowStock > 0 && <Tile figure={lowStock} label={`with ${LOW_STOCK} or fewer left`} href={LOW} />}
    {refundsToSend > 0 && <Tile figure={refundsToSend} label="refunds on their way" href="/admin/orders" />}
    {keysEnding > 0 && (
      <Allowed to="administrators">
        <Tile figure={keysEnding} label="API keys that end soon" href="/admin/api-keys?state=active" />
      </Allowed>
    )}
  </section>
);

const Tile = ({ figure, label, href }: { figure: number; label: string; href: string }) => (
  <a class="tile" href={href}>
    <strong>{figure}</strong> {label}
  </a>
);

const Sales = ({ days, currency }: Pick<Props, "days" | "currency">) => {
  const points = (values: (day: Overview["days"][number]) => number[]) =>
    days.map((day, index) => {
      const at = Date.parse(day.day);
      const isToday = index === days.length - 1;
      return {
        label: isToday ? "Today" : formatShortDay(at),
        name: isToday ? `${formatDay(at)} (today, UTC)` : formatDay(at),
        values: values(day),
      };
    });
  return (
    <div class="columns">
      <BarChart title="Orders a day" series={["orders"]} points={points(({ orders }) => [orders])} />
      <LineChart
        title="Revenue a day"
        series={["paid", "refunded"]}
        points={points(({ revenue, refunded }) => [revenue, refunded])}
        format={(minor) => formatMoney(minor, currency)}
      />
    </div>
  );
};

/** The days together, for a shop that takes tax or shipping, or gives discounts. */
const NetSales = ({ days, currency }: Pick<Props, "days" | "currency">) => {
  const over = (value: (day: Overview["days"][number]) => number) => days.reduce((all, day) => all + value(day), 0);
  const parts = [
    { name: "Tax after refunds", minor: over(({ tax, refundedTax }) => tax - refundedTax) },
    { name: "Shipping", minor: over(({ shipping }) => shipping) },
    { name: "Discounts", minor: over(({ discounts }) => discounts) },
  ].filter(({ minor }) => minor > 0);
  if (parts.length === 0) return null;
  const net = { name: "Revenue after refunds", minor: over(({ revenue, refunded }) => revenue - refunded) };
  const facts = [net, ...parts].map(({ name, minor }) => [name, <Money minor={minor} currency={currency} />]);
  return (
    <>
      <h2>{days.length} days</h2>
      <DescriptionList facts={Object.fromEntries(facts)} />
    </>
  );
};

const NewestOrders = ({ newest, currency }: Pick<Props, "newest" | "currency">) =>
  newest.length === 0 ? (
    <EmptyState title="No orders yet">What customers order shows up here.</EmptyState>
  ) : (
    <Table
      label="Newest orders"
      rows={newest}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        { title: "Customer", cell: ({ customerName }) => customerName },
        { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Total", numeric: true, cell: ({ total }) => <Money minor={total} currency={currency} /> },
      ]}
    />
  );

const RunningOut = ({ low }: Pick<Overview, "low">) => (
  <Table
    label="Running out"
    rows={low}
    columns={[
      { title: "Product", cell: ({ id, name }) => <a href={`/admin/products/${id}`}>{name}</a> },
      { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
      { title: "Left", numeric: true, cell: ({ stockQuantity }) => String(stockQuantity) },
    ]}
  />
);
