import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { Child } from "hono/jsx";
import type { OrderStatus } from "../../checkout/orders/transitions.ts";
import { countFailing } from "../../integrations/webhooks/deliveries.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { Allowed, isAllowed, type Need } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { LinkButton } from "../kit/form.tsx";
import { Card, EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
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
  const { settings, db, caller } = c.var;
  const figures = await readOverview(db, now);
  const failing = isAllowed(caller, "webhooks:read") ? await countFailing(c.env, figures.webhooks) : 0;
  const steps = stepsOf(figures, settings);
  return page(c, "Home", <HomePage {...figures} failing={failing} steps={steps} now={now} />);
});

/** The list behind the figure. */
const LOW = "/admin/products?low_stock=true&sort=stock";

type HomePageProps = Overview & { failing: number; steps: Step[]; now: number };

const HomePage = ({ sales, newest, low, attention, failing, steps, isNew, now }: HomePageProps) => {
  const tasks = tasksOf(attention, failing);
  return (
    <>
      <PageHeader />
      {isNew && steps.some(({ isDone }) => !isDone) && (
        <Allowed to="settings:write">
          <Checklist steps={steps} />
        </Allowed>
      )}
      {(newest.length > 0 || tasks.length > 0) && <ToDo tasks={tasks} />}
      {newest.length > 0 && (
        <Card title={<a href="/admin/sales">Sales of the last {sales.days.length} days</a>}>
          <SalesFigures {...sales} />
          <SalesChart {...sales} now={now} />
        </Card>
      )}
      <Card title="Newest orders">
        <NewestOrders newest={newest} />
      </Card>
      {low.length > 0 && (
        <Card title={<a href={LOW}>Running low</a>}>
          {low.length < attention.lowStock && (
            <p class="muted">
              The {low.length} scarcest of {attention.lowStock}.
            </p>
          )}
          <RunningLow low={low} />
        </Card>
      )}
    </>
  );
};

const ordersThatAre = (status: OrderStatus) => `/admin/orders?status=${status}`;

type Task = { figure: number; label: string; href: string; needs?: Need };

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

const NewestOrders = ({ newest }: Pick<HomePageProps, "newest">) => (
  <Table
    label="Newest orders"
    phone="lines"
    rows={newest}
    columns={[
      { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
      { title: "Customer", cell: ({ customerName }) => customerName },
      { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} brief /> },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      { title: "Total", numeric: true, cell: ({ total }) => <MoneyAmount minor={total} /> },
    ]}
    none={
      <EmptyState
        title="No orders yet"
        actions={
          <LinkButton needs="orders:write" href="/admin/orders/new">
            Create order
          </LinkButton>
        }
      >
        Orders from customers appear here.
      </EmptyState>
    }
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

/** A step of setting up a new shop. It is done once its record exists. */
type Step = { isDone: boolean; title: string; about: Child; href?: string };

type ConfiguredSettings = Pick<Settings, "currency" | "stripe" | "paypal" | "test" | "email" | "allowsReservedDomains">;

const stepsOf = (
  { attention: found, newest }: Pick<Overview, "attention" | "newest">,
  { currency, stripe, paypal, test, email, allowsReservedDomains }: ConfiguredSettings,
): Step[] => [
  {
    isDone: found.hasAddress,
    title: "Enter the shop's name and address",
    about: "They appear on invoices and in e-mails. Set the time zone and the currency on the same page.",
    href: "/admin/shop",
  },
  {
    isDone: found.hasShippingOrTaxes,
    title: "Set up shipping and taxes",
    about: "A preset for your country creates zones and rates in one step.",
    href: "/admin/set-up",
  },
  {
    isDone: stripe !== null || paypal !== null || found.hasPayments,
    title: "Decide how customers pay",
    about: "Tell buyers how to pay by bank transfer, or connect Stripe or PayPal.",
    href: "/admin/payments",
  },
  {
    isDone: found.hasProduct,
    title: "Add the first product",
    about: `Or import products from Shopify, WooCommerce or a file. Prices are in ${currency}.`,
    href: "/admin/products/new",
  },
  {
    isDone: found.hasKey,
    title: "Create an API key",
    about: "Your storefront needs it to read products and place orders.",
    href: "/admin/api-keys/new?for=storefront",
  },
  {
    isDone: newest.length > 0,
    title: "Place a test order",
    about: (
      <>
        {email.shopUrl !== null && "Buy something in your shop as a customer would. "}
        {test !== null && "Pay with the test card: no money moves. "}
        {email.shopUrl === null && "Until your storefront is connected, create an order as if somebody had called."}
      </>
    ),
    href: email.shopUrl ?? "/admin/orders/new",
  },
  {
    isDone: !allowsReservedDomains,
    title: "Put the shop online",
    about: "This copy is for trying things out. Your developer puts the shop online.",
  },
];

/** The setup steps of a new shop, which are checked off automatically. */
const Checklist = ({ steps }: { steps: Step[] }) => {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone, href }) => !isDone && href);
  return (
    <Card
      title="Open your shop"
      beside={
        <span class="muted">
          {done} of {steps.length} done
        </span>
      }
    >
      <progress value={done} max={steps.length} aria-label="Steps done" />
      <ol class="steps">
        {steps.map((step) => (
          <li class={step.isDone ? "done" : undefined}>
            {step.isDone && <span class="unseen">Done: </span>}
            {step.href && !step.isDone ? <a href={step.href}>{step.title}</a> : <strong>{step.title}</strong>}
            {!step.isDone && <p class="muted">{step.about}</p>}
            {step === next && step.href && (
              <a class="button primary" href={step.href}>
                Begin<span class="unseen">: {step.title}</span>
              </a>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
};
