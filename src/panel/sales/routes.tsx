import { Hono } from "hono";
import type { Child } from "hono/jsx";
import {
  type DayFigures,
  dayOf,
  grossProfit,
  hasSales,
  marginOf,
  readSales,
  readSalesParts,
  type SalesDimension,
  type SalesPart,
  type SalesSums,
} from "../../back-office/sales/report.ts";
import { comparedSpan, SalesQuery, salesSpan } from "../../back-office/sales/schemas.ts";
import { shopCurrency, toDecimal } from "../../domain/money.ts";
import { countryName } from "../../domain/place.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { readFilters } from "../forms/read-form.ts";
import { csvResponse } from "../kit/csv-response.ts";
import { LinkButton } from "../kit/form.tsx";
import { Card, EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { DescriptionList, MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { ExportLink } from "./export-link.tsx";
import { SalesChart, SalesFigures } from "./figures.tsx";
import { SpanForm, type SpanState, spanInputs, wordsOfSpan } from "./span-form.tsx";
import { taxReportPages } from "./tax-report.tsx";

export const salesPages = new Hono<PanelEnv>()
  .route("/", taxReportPages)
  .get("/sales/csv", administer("orders:read"), validate("query", SalesQuery), async (c) => {
    const span = salesSpan(c.req.valid("query"), Date.now());
    const { days } = await readSales(c.var.db, span);
    return csvResponse("sales", days.map(toSalesCells));
  })
  .get(
    "/sales/:part{products|categories|countries}/csv",
    administer("orders:read"),
    validate("query", SalesQuery),
    async (c) => {
      const part = c.req.param("part") as keyof typeof dimensions;
      const span = salesSpan(c.req.valid("query"), Date.now());
      const parts = await readSalesParts(c.var.db, dimensions[part], span);
      return csvResponse(
        `sales-by-${dimensions[part]}`,
        parts.map((row) => toPartCells(row, dimensions[part])),
      );
    },
  )
  .get("/sales", administer("orders:read"), async (c) => {
    const now = Date.now();
    const { query, form } = readFilters(c, SalesQuery, spanInputs(now));
    // Figures for other days than the typed ones would be misleading.
    if (Object.keys(form.errors).length > 0) return page(c, "Sales", <RefusedSpan form={form} now={now} />);
    const span = salesSpan(query, now);
    const report = await readSales(c.var.db, span, comparedSpan(span, query));
    if (report.days.every(({ orders }) => orders === 0) && !(await hasSales(c.var.db)))
      return page(c, "Sales", <NoSalesPage />);
    return page(c, "Sales", <SalesPage {...report} form={form} now={now} />);
  });

const toSalesCells = (day: DayFigures) => ({
  day: day.day,
  currency: shopCurrency(),
  orders: day.orders,
  units: day.units,
  net_sales: toDecimal(day.netSales),
  shipping: toDecimal(day.shipping),
  tax: toDecimal(day.tax),
  total_sales: toDecimal(day.totalSales),
  discounts: toDecimal(day.discounts),
  refunds: toDecimal(day.refunds),
});

/** The breakdowns of the report, by the last part of their address. */
const dimensions = { products: "product", categories: "category", countries: "country" } as const;

const toPartCells = ({ key, name, orders, units, net }: SalesPart, dimension: SalesDimension) => ({
  ...(dimension === "country" ? { country: key } : { id: key, name }),
  currency: shopCurrency(),
  orders,
  units,
  net_sales: toDecimal(net),
});

const RefusedSpan = ({ form, now }: { form: SpanState; now: number }) => (
  <>
    <PageHeader />
    <SpanForm form={form} span={null} now={now} />
    <EmptyState title="No figures for these dates">Correct them, or choose one of the periods above.</EmptyState>
  </>
);

const NoSalesPage = () => (
  <>
    <PageHeader />
    <EmptyState
      title="No sales yet"
      actions={
        <>
          <LinkButton href="/admin" tone="primary">
            Get ready to sell
          </LinkButton>
          <LinkButton needs="orders:write" href="/admin/orders/new">
            Create order
          </LinkButton>
        </>
      }
    >
      The report begins with the first paid order, and follows every sale and refund.
    </EmptyState>
    <section class="group">
      <h2>What you will see here</h2>
      <div class="tiles links">
        {promised.map(([title, about]) => (
          <div class="tile">
            <strong>{title}</strong> {about}
          </div>
        ))}
      </div>
    </section>
  </>
);

const promised = [
  ["Net sales by day", "A chart of any period, compared with the period before."],
  ["Key figures", "Orders, the average order, refunds, shipping, tax and discounts."],
  ["Products, categories, countries", "Best sellers, and the countries of buyers."],
] as const;

type SalesPageProps = SalesSums & { form: SpanState; now: number };

const SalesPage = ({ form, now, ...report }: SalesPageProps) => {
  const { from, to } = report;
  return (
    <>
      <PageHeader>
        <ExportLink path="/admin/sales" span={report} />
      </PageHeader>
      <SpanForm form={{ ...form, values: { ...form.values, from: [from], to: [to] } }} span={report} now={now} />
      {report.incomplete && <p class="notice">Sales figures are being updated. Check again in a minute.</p>}
      <section class="card">
        <h2>
          {wordsOfSpan(report)}
          {to === dayOf(now) ? " so far" : ""}, compared with {wordsOfSpan(report.previous)}
        </h2>
        <SalesFigures {...report} />
        <SalesChart {...report} now={now} />
        <Parts {...report} />
        <Profit {...report} />
      </section>
      <Sold title="Best products" part="products" report={report} name={productOf} />
      <div class="columns">
        <Sold title="Categories" part="categories" report={report} name={({ name }) => name ?? "None"} />
        <Sold title="Countries" part="countries" report={report} name={countryOf} />
      </div>
    </>
  );
};

/** The total and its parts. */
const Parts = ({ total }: Pick<SalesPageProps, "total">) => (
  <DescriptionList
    facts={{
      "Net sales": money(total.netSales),
      Shipping: money(total.shipping),
      Tax: money(total.tax),
      "Total sales": money(total.totalSales),
      "Discounts given": money(total.discounts),
      "Units sold": String(total.units),
    }}
  />
);

const money = (minor: number) => <MoneyAmount minor={minor} />;

/** Cost and gross profit, and the sales without a known cost. Empty for a shop that enters no costs. */
const Profit = ({ total }: Pick<SalesPageProps, "total">) => {
  if (total.cost === 0 && total.costedSales === 0) return null;
  return (
    <>
      <DescriptionList
        facts={{
          "Cost of goods": money(total.cost),
          "Gross profit": money(grossProfit(total)),
          Margin: percent(marginOf(total)),
        }}
      />
      {total.uncostedSales > 0 && (
        <p class="muted">
          {money(total.uncostedSales)} of net sales are left out of the profit, because the goods had no cost when they
          were sold.
        </p>
      )}
    </>
  );
};

const percent = (margin: number | null): string => (margin === null ? "–" : `${margin}%`);

const productOf = ({ key, name }: SalesPart) =>
  name === null ? "Deleted" : <a href={`/admin/products/${key}`}>{name}</a>;

const countryOf = ({ key }: SalesPart) => (key === "" ? "Not given" : countryName(key));

type SoldProps = {
  title: string;
  part: keyof typeof dimensions;
  report: SalesSums;
  name: (part: SalesPart) => Child;
};

const Sold = ({ title, part, report, name }: SoldProps) => (
  <Card title={title} beside={report[part].length > 0 && <ExportLink path={`/admin/sales/${part}`} span={report} />}>
    <Table
      label={title}
      phone="lines"
      rows={report[part]}
      columns={[
        { title: "Name", cell: name },
        { title: "Net units", numeric: true, cell: ({ units }) => String(units) },
        {
          title: "Net sales",
          numeric: true,
          phone: "first",
          cell: ({ net }) => <MoneyAmount minor={net} />,
        },
        ...(report[part].some(({ costedSales }) => costedSales > 0)
          ? [
              {
                title: "Margin",
                numeric: true,
                phone: "titled" as const,
                cell: (part: SalesPart) => percent(marginOf(part)),
              },
            ]
          : []),
      ]}
      none={<EmptyState title="No sales">Choose other dates.</EmptyState>}
    />
  </Card>
);
