import type { AllProductsQuery } from "../../catalogue/products/admin-schemas.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import type { ProductStatus, ProductType } from "../../platform/db/schema.ts";
import { ProductChangeFields } from "../bulk-actions/forms.tsx";
import type { Choices } from "../choices.ts";
import type { FormState } from "../forms/state.ts";
import { Allowed, useAllowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { ExportMenu } from "../kit/export-menu.tsx";
import type { Options } from "../kit/fields.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Thumbnail } from "../kit/thumbnail.tsx";

type ProductsPageProps = ListProps<ProductRow> & { categories: Choices["categories"]; currency: string };

export const ProductsPage = ({ categories, currency, ...list }: ProductsPageProps) => (
  <>
    <PageHeader title="Products">
      <LinkButton href="/admin/categories">Categories</LinkButton>
      <Allowed to="products:write">
        <LinkButton href="/admin/imports/products">Import</LinkButton>
      </Allowed>
      <ExportMenu form={list.form} needs="products:read" lists={[{ list: "products", label: "Products" }]} />
      <Allowed to="products:write">
        <LinkButton href="/admin/products/new" tone="primary">
          Create product
        </LinkButton>
      </Allowed>
    </PageHeader>
    <Listing
      {...list}
      label="Products"
      filters={[
        { name: "search", label: "Search" },
        {
          name: "status",
          label: "Status",
          options: Object.entries({ active: "Active", draft: "Draft" } satisfies Record<ProductStatus, string>),
        },
        { name: "type", label: "Type", options: types },
        {
          name: "category",
          label: "Category",
          options: categories.map(({ slug, name }) => [slug, name]),
        },
        {
          name: "in_stock",
          label: "Stock",
          options: [
            ["true", "In stock"],
            ["false", "Sold out"],
          ],
        },
        { name: "low_stock", label: "Low stock", options: [["true", "Running low"]] },
        {
          name: "sort",
          label: "Order",
          all: "Newest",
          options: Object.entries(sortLabels),
        },
      ]}
      columns={[
        {
          title: "Name",
          cell: ({ id, name, images }) => (
            <a class="pictured" href={`/admin/products/${id}`}>
              <Thumbnail images={images} />
              {name}
            </a>
          ),
          sort: { ascending: "name" },
        },
        { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
        { title: "Category", cell: ({ category }) => category?.name ?? null },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Stock", numeric: true, cell: (row) => <Stock {...row} />, sort: { ascending: "stock" } },
        {
          title: "Price",
          numeric: true,
          cell: ({ price }) => <Money minor={price} currency={currency} />,
          sort: { ascending: "price", descending: "-price" },
        },
      ]}
      bulk={useAllowed("products:write") ? bulkOf(categories) : undefined}
      none={{ title: "No products yet", narrowed: "No matching products" }}
    >
      <Allowed to="products:write">
        <a href="/admin/products/new">Create a product</a>, and set it active when it is ready.
      </Allowed>
    </Listing>
  </>
);

const bulkOf = (categories: ProductsPageProps["categories"]) => ({
  action: "/admin/products/bulk",
  fields: (form: FormState) => <ProductChangeFields form={form} categories={categories} />,
  selects: ({ id, name }: ProductRow) => ({ id, name }),
});

const sortLabels = {
  price: "Cheapest",
  "-price": "Dearest",
  stock: "Least stock",
  name: "Name",
} satisfies Record<Exclude<AllProductsQuery["sort"], "newest">, string>;

export const types: Options = Object.entries({
  physical: "Physical",
  digital: "Digital",
  service: "Service",
} satisfies Record<ProductType, string>);

export const Stock = ({ stockQuantity }: Pick<ProductRow, "stockQuantity">) => {
  if (stockQuantity === null) return <span class="muted">not counted</span>;
  return stockQuantity === 0 ? <Badge status="sold out" tone="bad" /> : <span>{stockQuantity}</span>;
};
