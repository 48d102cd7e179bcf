import type { Page } from "../../http/pagination.ts";
import type { ProductRow } from "../../products/schemas.ts";
import type { Choices } from "../choices-queries.ts";
import { type FormState, isNarrowed } from "../forms/state.ts";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { FormErrors } from "../kit/form.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";

type Props = {
  rows: ProductRow[];
  place: Page;
  form: FormState;
  categories: Choices["categories"];
  currency: string;
  url: string;
};

export const ProductsPage = ({ rows, place, form, categories, currency, url }: Props) => (
  <>
    <PageHeader title="Products">
      <LinkButton href="/admin/categories">Categories</LinkButton>
      <LinkButton href="/admin/products/new" tone="primary">
        Create product
      </LinkButton>
    </PageHeader>
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "search", label: "Search" },
        { name: "status", label: "Status", options: { active: "Active", draft: "Draft" } },
        { name: "type", label: "Type", options: types },
        {
          name: "category",
          label: "Category",
          options: Object.fromEntries(categories.map(({ slug, name }) => [slug, name])),
        },
        { name: "in_stock", label: "Stock", options: { true: "In stock", false: "Sold out" } },
        {
          name: "sort",
          label: "Order",
          all: "Newest",
          options: { price: "Cheapest", "-price": "Dearest", name: "Name" },
        },
      ]}
    />
    {rows.length === 0 ? <NoProducts narrowed={isNarrowed(form)} /> : <List rows={rows} currency={currency} />}
    <Pagination page={place} url={url} />
  </>
);

export const types = { physical: "Physical", digital: "Digital", service: "Service" };

const NoProducts = ({ narrowed }: { narrowed: boolean }) =>
  narrowed ? (
    <EmptyState title="No product matches">Try another word, or clear the filters.</EmptyState>
  ) : (
    <EmptyState title="Nothing to sell yet">
      <a href="/admin/products/new">Create the first product</a>, and set it active when it is ready.
    </EmptyState>
  );

const List = ({ rows, currency }: { rows: ProductRow[]; currency: string }) => (
  <Table
    label="Products"
    rows={rows}
    columns={[
      { title: "Name", cell: ({ id, name }) => <a href={`/admin/products/${id}`}>{name}</a> },
      { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
      { title: "Category", cell: ({ category }) => category?.name ?? "–" },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      { title: "Stock", numeric: true, cell: (row) => <Stock {...row} /> },
      { title: "Price", numeric: true, cell: ({ price }) => <Money minor={price} currency={currency} /> },
    ]}
  />
);

export const Stock = ({ stockQuantity }: Pick<ProductRow, "stockQuantity">) => {
  if (stockQuantity === null) return <span class="muted">not counted</span>;
  return stockQuantity === 0 ? <Badge status="sold out" tone="bad" /> : <span>{stockQuantity}</span>;
};
