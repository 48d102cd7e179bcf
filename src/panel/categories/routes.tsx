import { type Context, Hono } from "hono";
import { categoryResource } from "../../catalogue/categories/categories.ts";
import { administer } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { AllFields } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { EmptyState, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { page } from "../page.tsx";
import { resourceActions } from "../resource-actions.ts";

const LIST = "/admin/categories";
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
  const path = `${LIST}/${id}`;
  const etag = etagOf(category.updatedAt);
  const form = formFor(failed, path, { inputs, values: valuesOf(fields, category), etag });
  return page(
    c,
    category.name,
    <>
      <RowHeader
        title={category.name}
        back={{ path: LIST, name: "Categories" }}
        audit={null}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "products:write",
          title: `Delete ${category.name}?`,
          text: "A category with products cannot be deleted. Move its products first.",
        }}
      />
      <div class="card narrow">
        <Form form={form} needs="products:write">
          <AllFields form={form} />
          <Button>Save category</Button>
        </Form>
      </div>
    </>,
  );
}
