import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { OrderStatus } from "../../checkout/orders/transitions.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { SalesChart, SalesFigures } from "../sales/figures.tsx";
import { firstSectionOf } from "../sections.ts";
import { type Overview, readOverview } from "./figures.ts";

/** Redirects viewers without access to the overview to their first section. */
const toFirstSection = createMiddleware<PanelEnv>(async (c, next) => {
  const first = firstSectionOf(c.var.caller);
  return first === "/admin" ? next() : c.redirect(first, 303);
});

export const overview = new Hono<PanelEnv>().get("/", toFirstSection, administer("orders:read"), async (c) => {
  const now = Date.now();
  const figures = await readOverview(c.var.db, now);
  return page(c, "Home", <OverviewPage {...figures} currency={c.var.settings.currency} now={now} />);
});

/** The list behind the figure. */
const LOW = "/admin/products?low_stock=true&sort=stock";

type OverviewPageProps = Overview & { currency: string; now: number };

const OverviewPage = ({ sales, newest, low, attention, currency, now }: OverviewPageProps) => (
  <>
    <PageHeader title="Home" />
    <Attention {...attention} />
    <section class="card">
      <h2>
        <a href="/admin/sales">Sales of the last {sales.days.length} days</a>
      </h2>
      <SalesFigures {...sales} currency={currency} />
      <SalesChart {...sales} currency={currency} now={now} />
    </section>
    <section class="card">
      <h2>Newest orders</h2>
      <NewestOrders newest={newest} currency={currency} />
    </section>
    {low.length > 0 && (
      <section class="card">
        <h2>
          <a href={LOW}>Running low</a>
        </h2>
        {low.length < attention.lowStock && (
          <p class="muted">
            The {low.length} scarcest of {attention.lowStock}.
          </p>
        )}
        <RunningLow low={low} />
      </section>
    )}
  </>
);

const ordersThatAre = (status: OrderStatus) => `/admin/orders?status=${status}`;

/** Open tasks. Empty ones are left out, except for the first two. */
const Attention = ({ toShip, unpaid, lowStock, refundsToSend, keysEnding, itemsFailing }: Overview["attention"]) => (
  <section class="tiles" aria-label="Needs attention">
    <Tile figure={toShip} label="to ship" href={ordersThatAre("processing")} />
    <Tile figure={unpaid} label="waiting for payment" href={ordersThatAre("pending")} />
    {lowStock > 0 && <Tile figure={lowStock} label="running low" href={LOW} />}
    {refundsToSend > 0 && <Tile figure={refundsToSend} label="refunds on their way" href="/admin/orders" />}
    {keysEnding > 0 && (
      <Allowed to="administrators">
        <Tile figure={keysEnding} label="API keys expiring soon" href="/admin/api-keys?state=active" />
      </Allowed>
    )}
    {itemsFailing > 0 && (
      <Allowed to="administrators">
        <Tile figure={itemsFailing} label="tasks that keep failing" href="/admin/jobs/failed-items" />
      </Allowed>
    )}
  </section>
);

const Tile = ({ figure, label, href }: { figure: number; label: string; href: string }) => (
  <a class="tile" href={href}>
    <strong>{figure}</strong> {label}
  </a>
);

const NewestOrders = ({ newest, currency }: Pick<OverviewPageProps, "newest" | "currency">) =>
  newest.length === 0 ? (
    <EmptyState title="No orders yet">Orders from customers appear here.</EmptyState>
  ) : (
    <Table
      label="Newest orders"
      rows={newest}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        { title: "Customer", cell: ({ customerName }) => customerName },
        { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Total", numeric: true, cell: ({ total }) => <MoneyAmount minor={total} currency={currency} /> },
      ]}
    />
  );

const RunningLow = ({ low }: Pick<Overview, "low">) => (
  <Table
    label="Running low"
    rows={low}
    columns={[
      { title: "Product", cell: ({ id, name }) => <a href={`/admin/products/${id}`}>{name}</a> },
      { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
      { title: "Left", numeric: true, cell: ({ stockQuantity }) => String(stockQuantity) },
    ]}
  />
);
