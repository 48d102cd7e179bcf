import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { OrderStatus } from "../../checkout/orders/transitions.ts";
import { countFailing } from "../../integrations/webhooks/deliveries.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { Allowed, isAllowed, type Needed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { SalesChart, SalesFigures } from "../sales/figures.tsx";
import { firstSectionOf } from "../sections.ts";
import { Checklist, type Step, stepsOf } from "./checklist.tsx";
import { type Overview, readOverview } from "./figures.ts";

/** Redirects viewers without access to the overview to their first section. */
const toFirstSection = createMiddleware<PanelEnv>(async (c, next) => {
  const first = firstSectionOf(c.var.caller);
  return first === "/admin" ? next() : c.redirect(first, 303);
});

export const overview = new Hono<PanelEnv>().get("/", toFirstSection, administer("orders:read"), async (c) => {
  const now = Date.now();
  const { settings, db, caller } = c.var;
  const figures = await readOverview(db, now);
  const failing = isAllowed(caller, "webhooks:read") ? await countFailing(c.env, figures.webhooks) : 0;
  const steps = stepsOf(figures, settings);
  return page(
    c,
    "Home",
    <HomePage {...figures} failing={failing} steps={steps} currency={settings.currency} now={now} />,
  );
});

/** The list behind the figure. */
const LOW = "/admin/products?low_stock=true&sort=stock";

type HomePageProps = Overview & { failing: number; steps: Step[]; currency: string; now: number };

const HomePage = ({ sales, newest, low, attention, failing, steps, isNew, currency, now }: HomePageProps) => {
  const tasks = tasksOf(attention, failing);
  return (
    <>
      <PageHeader title="Home" />
      {isNew && steps.some(({ isDone }) => !isDone) && (
        <Allowed to="settings:write">
          <Checklist steps={steps} />
        </Allowed>
      )}
      {(newest.length > 0 || tasks.length > 0) && <ToDo tasks={tasks} />}
      {newest.length > 0 && (
        <section class="card">
          <h2>
            <a href="/admin/sales">Sales of the last {sales.days.length} days</a>
          </h2>
          <SalesFigures {...sales} currency={currency} />
          <SalesChart {...sales} currency={currency} now={now} />
        </section>
      )}
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
};

const ordersThatAre = (status: OrderStatus) => `/admin/orders?status=${status}`;

type Task = { figure: number; label: string; href: string; needs?: Needed };

/** Counts of things to do, each with a link to its list. */
const tasksOf = (counts: Overview["attention"], failing: number): Task[] =>
  [
    { figure: counts.toShip, label: "to ship", href: ordersThatAre("processing") },
    { figure: counts.unpaid, label: "waiting for payment", href: ordersThatAre("pending") },
    { figure: counts.lowStock, label: "running low", href: LOW },
    { figure: counts.refundsToSend, label: "refunds on their way", href: "/admin/orders" },
    { figure: failing, label: "webhooks failing", href: "/admin/webhooks" },
    {
      figure: counts.keysEnding,
      label: "API keys expiring soon",
      href: "/admin/api-keys?state=active",
      needs: "administrators" as const,
    },
    {
      figure: counts.itemsFailing,
      label: "tasks that keep failing",
      href: "/admin/jobs/failed-items",
      needs: "administrators" as const,
    },
  ].filter(({ figure }) => figure > 0);

const ToDo = ({ tasks }: { tasks: Task[] }) => (
  <section class="group">
    <h2>To do</h2>
    {tasks.length === 0 && <p class="card">Nothing needs your attention.</p>}
    <div class="tiles tasks">
      {tasks.map(({ figure, label, href, needs = "orders:read" }) => (
        <Allowed to={needs}>
          <a class="tile" href={href}>
            <strong>{figure}</strong> {label}
          </a>
        </Allowed>
      ))}
    </div>
  </section>
);

const NewestOrders = ({ newest, currency }: Pick<HomePageProps, "newest" | "currency">) =>
  newest.length === 0 ? (
    <EmptyState title="No orders yet">Orders from customers appear here.</EmptyState>
  ) : (
    <Table
      label="Newest orders"
      phone="lines"
      rows={newest}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        { title: "Customer", cell: ({ customerName }) => customerName },
        { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} brief /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Total", numeric: true, cell: ({ total }) => <MoneyAmount minor={total} currency={currency} /> },
      ]}
    />
  );

const RunningLow = ({ low }: Pick<Overview, "low">) => (
  <Table
    label="Running low"
    phone="lines"
    rows={low}
    columns={[
      { title: "Product", cell: ({ id, name }) => <a href={`/admin/products/${id}`}>{name}</a> },
      { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
      { title: "Left", numeric: true, cell: ({ stockQuantity }) => String(stockQuantity) },
    ]}
  />
);
