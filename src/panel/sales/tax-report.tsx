import { Hono } from "hono";
import type { DaySpan } from "../../back-office/sales/report.ts";
import { SalesQuery, salesSpan } from "../../back-office/sales/schemas.ts";
import { readTaxedSales, type TaxedSales } from "../../checkout/invoices/tax-report.ts";
import { rateSum } from "../../checkout/pricing/public.ts";
import { toDecimal } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import { countryName } from "../../domain/place.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { TaxExemption } from "../../platform/db/schema.ts";
import { validate } from "../../platform/http/validate.ts";
import { readFilters } from "../forms/read-form.ts";
import { csvResponse } from "../kit/csv-response.ts";
import { LinkButton } from "../kit/form.tsx";
import { EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { ExportLink } from "./export-link.tsx";
import { dayInputs, SpanForm, type SpanState, wordsOfSpan } from "./span-form.tsx";

const PATH = "/admin/tax-report";

export const taxReportPages = new Hono<PanelEnv>()
  .get("/tax-report", administer("orders:read"), async (c) => {
    const now = Date.now();
    const { query, form } = readFilters(c, SalesQuery, dayInputs(now));
    const span = Object.keys(form.errors).length > 0 ? null : salesSpan(query, now);
    const rows = span ? await readTaxedSales(c.var.db, span) : [];
    return page(c, "Tax report", <TaxReport {...{ form, span, rows, now }} />);
  })
  .get("/tax-report/csv", administer("orders:read"), validate("query", SalesQuery), async (c) => {
    const rows = await readTaxedSales(c.var.db, salesSpan(c.req.valid("query"), Date.now()));
    return csvResponse("tax-report", rows.map(toCells));
  });

const toCells = (row: TaxedSales) => ({
  country: row.country,
  tax: nameOf(row),
  rate: toPercent(rateSum(row.taxes)),
  exemption: row.exemption,
  currency: row.currency,
  net: toDecimal(row.net),
  tax_amount: toDecimal(row.tax),
  gross: toDecimal(row.net + row.tax),
});

const nameOf = ({ taxes }: TaxedSales): string => taxes.map(({ name }) => name).join(" + ") || "No tax";

const exemptionWords: Record<TaxExemption, string> = {
  reverse_charge: "Reverse charge",
  intra_community_supply: "Intra-Community supply",
  export: "Export",
  small_business: "Small business",
  voucher: "Gift cards",
};

const moneyColumn = (title: string, minorOf: (row: TaxedSales) => number): Column<TaxedSales> => ({
  title,
  numeric: true,
  phone: "titled",
  cell: (row) => <MoneyAmount minor={minorOf(row)} currency={row.currency} />,
});

type ReportProps = { form: SpanState; span: DaySpan | null; rows: TaxedSales[]; now: number };

const TaxReport = ({ form, span, rows, now }: ReportProps) => (
  <>
    <PageHeader>{span && rows.length > 0 && <ExportLink path={PATH} span={span} />}</PageHeader>
    <SpanForm
      form={span ? { ...form, values: { ...form.values, from: [span.from], to: [span.to] } } : form}
      span={span}
      now={now}
    />
    <section class="card">
      {span && <h2>Invoices of {wordsOfSpan(span)}</h2>}
      <p class="muted">
        Adds up invoices by the day on which they were issued. A refund counts on the day of its credit note, and an
        order without an invoice does not count.
      </p>
      <Table
        label="Sales by country and rate"
        phone="lines"
        rows={rows}
        columns={[
          { title: "Country", phone: "first", cell: ({ country }) => (country ? countryName(country) : "Not given") },
          { title: "Tax", phone: "second", cell: nameOf },
          { title: "Rate", numeric: true, phone: "second", cell: (row) => `${toPercent(rateSum(row.taxes))}%` },
          {
            title: "Exemption",
            phone: "second",
            cell: ({ exemption }) => (exemption ? exemptionWords[exemption] : null),
          },
          moneyColumn("Net sales", ({ net }) => net),
          moneyColumn("Tax amount", ({ tax }) => tax),
          moneyColumn("Gross sales", ({ net, tax }) => net + tax),
        ]}
        none={
          <EmptyState
            title="No invoices on these days"
            actions={<LinkButton href="/admin/shop">Invoice settings</LinkButton>}
          >
            Choose other dates. The shop can issue an invoice for each order that is paid or shipped.
          </EmptyState>
        }
      />
    </section>
  </>
);
