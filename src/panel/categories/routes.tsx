import { type Context, Hono } from "hono";
import { categoryResource } from "../../catalogue/categories/categories.ts";
import { AllProductsQuery } from "../../catalogue/products/admin-schemas.ts";
import { listAllProducts } from "../../catalogue/products/listing/walk.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { administer } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton, type Tone } from "../kit/buttons.tsx";
import { AllFields } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { EmptyState, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, PriceRange, ProductLink } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { resourceActions } from "../resource-actions.ts";

const LIST = "/admin/categories";

/** Products that a category's page shows. */
const SHOWN_PRODUCTS = 10;

const { fields } = categoryResource;
const inputs = inputsOf(fields);

export const categoryPages = new Hono<PanelEnv>()
  .get("/categories", administer("products:read"), (c) => listPage(c, null))
  .route(
    "/",
    resourceActions(categoryResource, {
      kinds: kindsOf(inputs),
      newPage: listPage,
      rowPage,
      after: ({ name }, done) => [LIST, `${done === "deleted" ? "The category" : name} was ${done}.`],
    }),
  );

async function listPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { query } = readFilters(c, categoryResource.schemas.query);
  const { rows, totalItems, totalIsExact } = await categoryResource.list(c.var.db, query, Date.now());
  const form = formFor(failed, LIST, { inputs });
  return page(
    c,
    "Categories",
    <>
      <PageHeader title="Categories" back={{ path: "/admin/products", name: "Products" }} />
      <div class="editor">
        <div>
          {rows.length === 0 ? (
            <EmptyState title="No categories yet">
              Categories help shoppers browse. A product has one category or none.
            </EmptyState>
          ) : (
            <Table
              label="Categories"
              phone="lines"
              rows={rows}
              columns={[
                { title: "Name", cell: ({ id, name }) => <a href={`${LIST}/${id}`}>{name}</a> },
                { title: "Slug", cell: ({ slug }) => <code>{slug}</code> },
                {
                  title: "Products",
                  numeric: true,
                  cell: ({ slug, productCount }) => <a href={`/admin/products?category=${slug}`}>{productCount}</a>,
                },
              ]}
            />
          )}
          <Pagination page={pageOf(query, totalItems, totalIsExact)} url={c.req.url} />
        </div>
        <Allowed to="products:write">
          <section class="card">
            <h2>New category</h2>
            <Form form={form}>
              <AllFields form={form} />
              <Button>Create category</Button>
            </Form>
          </section>
        </Allowed>
      </div>
    </>,
  );
}

async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const category = await categoryResource.require(c.var.db, id);
  const { name, slug, productCount } = category;
  const query = AllProductsQuery.parse({ category: slug, per_page: String(SHOWN_PRODUCTS) });
  const { rows } = await listAllProducts(c.var.db, query);
  const path = `${LIST}/${id}`;
  const etag = etagOf(category.updatedAt);
  const form = formFor(failed, path, { inputs, values: valuesOf(fields, category), etag });
  return page(
    c,
    name,
    <>
      <RowHeader
        title={name}
        back={{ path: LIST, name: "Categories" }}
        audit={null}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "products:write",
          title: `Delete ${name}?`,
          text:
            productCount === 0
              ? "The category has no products, so nothing else changes."
              : "A category with products cannot be deleted. Move its products first: select them in the list of products, and choose “Move to a category”.",
        }}
      />
      <div class="editor">
        <section class="card">
          <div class="section-header">
            <h2>{productCount === 1 ? "1 product" : `${productCount.toLocaleString("en")} products`}</h2>
            {productCount > 0 && <LinkButton href={`/admin/products?category=${slug}`}>View in list</LinkButton>}
          </div>
          {rows.length === 0 ? (
            <EmptyState title="No products yet" actions={<AddProduct id={id} tone="primary" />}>
              A product's category is chosen on its page.
            </EmptyState>
          ) : (
            <>
              <CategoryProducts rows={rows} currency={c.var.settings.currency} />
              {productCount > rows.length && <p class="muted">The newest {rows.length} are shown.</p>}
              <div>
                <AddProduct id={id} tone="quiet" />
              </div>
            </>
          )}
        </section>
        <section class="card">
          <h2>Category</h2>
          <Form form={form} needs="products:write">
            <AllFields form={form} />
            <Button>Save category</Button>
          </Form>
        </section>
      </div>
    </>,
  );
}

const AddProduct = ({ id, tone }: { id: number; tone: Tone }) => (
  <Allowed to="products:write">
    <LinkButton href={`/admin/products/new?category_id=${id}`} tone={tone}>
      Add a product in this category
    </LinkButton>
  </Allowed>
);

const CategoryProducts = ({ rows, currency }: { rows: ProductRow[]; currency: string }) => (
  <Table
    label="Products"
    phone="lines"
    rows={rows}
    columns={[
      { title: "Name", cell: ProductLink },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      {
        title: "Price",
        numeric: true,
        cell: ({ price, highestVariantPrice }) => (
          <PriceRange min={price} max={highestVariantPrice} currency={currency} />
        ),
      },
    ]}
  />
);
