import { Hono } from "hono";
import type { InvoiceRow } from "../../checkout/invoices/document.ts";
import { adminListInvoices, countNumbers, sumInvoices } from "../../checkout/invoices/invoices.ts";
import { InvoicesQuery } from "../../checkout/invoices/schemas.ts";
import { invoiceTypes } from "../../checkout/invoices/tables.ts";
import { hasSpan } from "../../domain/fields.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { formatDate } from "../kit/dates.tsx";
import { choiceFilter, dayFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import type { Column } from "../kit/table.tsx";
import { MoneyAmount } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";

const inputs = {
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  type: choiceFilter("Type", ownLabels(invoiceTypes)),
  ...dayFilters,
} satisfies FormInputs;

const columns: Column<InvoiceRow>[] = [
  {
    title: "Number",
    phone: "first",
    cell: ({ number, orderId }) => (
      <a class="nowrap" href={`/admin/orders/${orderId}/invoice`} data-plain>
        {number}
      </a>
    ),
  },
  { title: "Type", phone: "second", cell: ({ type }) => capitalized(type.replace("_", " ")) },
  { title: "Issued", phone: "second", cell: ({ issuedOn }) => formatDate(issuedOn) },
  {
    title: "Order",
    phone: "none",
    cell: ({ orderId, content }) => <a href={`/admin/orders/${orderId}`}>{content.number}</a>,
  },
  {
    title: "Tax",
    numeric: true,
    phone: "none",
    cell: ({ tax, currency }) => <MoneyAmount minor={tax} currency={currency} />,
  },
  { title: "Total", numeric: true, cell: ({ total, currency }) => <MoneyAmount minor={total} currency={currency} /> },
];

export const invoicePages = new Hono<PanelEnv>().get(
  "/invoices",
  administer("orders:read"),
  resolvingPickers(inputs),
  async (c) => {
    const { query, form: typed } = readFilters(c, InvoicesQuery, inputs);
    const scope = accountScopeOf(c.var.caller);
    const [found, sums, years, form] = await Promise.all([
      adminListInvoices(c.var.db, query, scope),
      hasSpan(query) ? sumInvoices(c.var.db, query, scope) : [],
      countNumbers(c.var.db),
      withPicks(c, typed),
    ]);
    return listPage(c, {
      noun: "invoices",
      actions: (
        <ExportMenu
          form={form}
          needs="orders:read"
          lists={[{ list: "invoices", label: "Invoices", hasArchive: true }]}
        />
      ),
      days: true,
      above: (
        <>
          {sums.map(({ currency, total, tax }) => (
            <p class="note">
              Net <MoneyAmount minor={total - tax} currency={currency} />, tax{" "}
              <MoneyAmount minor={tax} currency={currency} />, together{" "}
              <MoneyAmount minor={total} currency={currency} />
            </p>
          ))}
          {years.map(({ year, issued, last }) => (
            <p class="note">
              {year}: numbers 1 to {last}, {issued === last ? "none missing" : `${last - issued} missing`}
            </p>
          ))}
        </>
      ),
      found,
      form,
      columns,
      start: { path: "/admin/shop", label: "Invoice settings", needs: "settings:read" },
      purpose: "Let the shop issue one for each order that is paid or shipped, or issue them on the pages of orders.",
    });
  },
);
