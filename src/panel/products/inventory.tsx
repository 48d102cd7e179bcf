import { type Context, Hono } from "hono";
import { daysOf, lastDays } from "../../back-office/sales/report.ts";
import {
  InventoryCount,
  InventoryQuery,
  type InventoryRow,
  listInventory,
  saveCounts,
} from "../../catalogue/products/inventory.ts";
import { nameWithValues } from "../../domain/option-values.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { changedIn } from "../forms/edit.ts";
import { type Failed, type FormInputs, type FormState, formFor, isFiltered } from "../forms/inputs.ts";
import { number, optional, type Values } from "../forms/kinds.ts";
import { NothingChanged, readFilters } from "../forms/read-form.ts";
import { CellField, Field } from "../kit/fields.tsx";
import { FilterBar } from "../kit/filters.tsx";
import { Button, Form, LinkButton, SaveBar } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { type PanelEnv, page } from "../page.tsx";

const PATH = "/admin/inventory";
const SOLD_DAYS = 30;

export const inventoryPages = new Hono<PanelEnv>()
  .get("/inventory", administer("products:read_all"), (c) => inventoryPage(c, null))
  .post(
    "/inventory",
    administer("products:write"),
    submitForm(inventoryPage, async (c, sent) => {
      const counted = sent.read(InventoryCount, countKinds(sent.values));
      await saveCounts(writeContextOf(c), counted);
      const saved = Object.keys(counted.counts).length;
      return redirectWithFlash(c, PATH + new URL(c.req.url).search, `Counts saved: ${saved}.`);
    }),
  );

const isCount = (name: string): boolean => name.startsWith("counts.");

/** Only changed counts are saved, because units may have left the shop while somebody counted others. */
function countKinds(values: Values) {
  const changed = changedIn(values, Object.keys(values).filter(isCount));
  if (changed.length === 0) throw new NothingChanged();
  return { ...Object.fromEntries(changed.map((name) => [name, number])), reason: optional };
}

const countOf = ({ id }: Pick<InventoryRow, "id">): string => `counts.${id}.on_hand`;

async function inventoryPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { query, form: filters } = readFilters(c, InventoryQuery, { search: { as: "search", label: "Name or SKU" } });
  const { rows, ...place } = await listInventory(c.var.db, query, daysOf(lastDays(SOLD_DAYS, Date.now())));
  const inputs: FormInputs = {
    ...Object.fromEntries(
      rows.map((row) => [countOf(row), { as: "number", label: `On hand: ${nameWithValues(row)}` }]),
    ),
    reason: { as: "text", label: "Reason", maxlength: 200, placeholder: "Stocktake" },
  };
  const values = Object.fromEntries(rows.map((row) => [countOf(row), String(row.stockQuantity + row.held)]));
  // A refused form shows the rows of its own page.
  const form = { ...formFor(failed, PATH, { inputs, values }), action: PATH + new URL(c.req.url).search };
  const isEmpty = rows.length === 0;
  return page(
    c,
    "Inventory",
    <>
      <PageHeader />
      {(!isEmpty || isFiltered(filters)) && <FilterBar form={filters} />}
      {isEmpty ? <Nothing isFiltered={isFiltered(filters)} /> : <Counts form={form} rows={rows} />}
      <Pagination page={place} url={c.req.url} />
    </>,
  );
}

const Nothing = ({ isFiltered: narrowed }: { isFiltered: boolean }) =>
  narrowed ? (
    <EmptyState title="No matching items" actions={<LinkButton href={PATH}>Show all</LinkButton>} />
  ) : (
    <EmptyState title="Nothing to count yet">
      Products appear here once “Manage stock” is on. Their stock then falls with each order.
    </EmptyState>
  );

const Counts = ({ form, rows }: { form: FormState<string>; rows: InventoryRow[] }) => (
  <Form form={form} needs="products:write">
    <section class="card">
      <Table
        label="Inventory"
        phone="lines"
        rows={rows}
        columns={[
          {
            title: "Product",
            phone: "first",
            cell: (row) => <a href={`/admin/products/${row.id}`}>{nameWithValues(row)}</a>,
          },
          { title: "SKU", phone: "second", cell: ({ sku }) => <code>{sku}</code> },
          { title: "Available", numeric: true, phone: "titled", cell: ({ stockQuantity }) => String(stockQuantity) },
          { title: "In open orders", numeric: true, phone: "titled", cell: ({ held }) => String(held) },
          { title: `Sold in ${SOLD_DAYS} days`, numeric: true, phone: "titled", cell: ({ sold }) => String(sold) },
          {
            title: "On hand",
            numeric: true,
            phone: "first",
            cell: (row) => <CellField form={form} name={countOf(row)} />,
          },
        ]}
      />
    </section>
    <SaveBar>
      <Button>Save counts</Button>
      <div class="reason">
        <Field form={form} name="reason" />
      </div>
    </SaveBar>
  </Form>
);
