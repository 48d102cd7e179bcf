import type { Context } from "hono";
import { categoryResource } from "../../catalogue/categories/categories.ts";
import { AllProductsQuery } from "../../catalogue/products/admin-schemas.ts";
import { adminListProducts } from "../../catalogue/products/listing/walk.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { pathText } from "../../domain/category-path.ts";
import { limits } from "../../domain/limits.ts";
import type { Database } from "../../platform/db/client.ts";
import { MAX_PER_PAGE } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { indented, selectCategories } from "../choices.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { byId, choosing, type Failed, type FormInputs, formFor, orNone } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { AllFields } from "../kit/fields.tsx";
import { LinkButton, type Tone } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { Card, EmptyState, FormCard, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { Badge, PriceRange, ProductLink } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";

const CATEGORIES_PATH = "/admin/categories";

/** Number of products on a category's page. */
const SHOWN_PRODUCTS = 10;

const { fields } = categoryResource;
const named = inputsOf(fields);

type Category = Awaited<ReturnType<typeof categoryResource.require>>;

/** The form of a category, which cannot move below itself. */
const inputsFor = (choices: CategoryChoice[], moving?: Category) =>
  ({
    ...named,
    parent_id: choosing(
      named.parent_id,
      orNone("None: at the top", byId(choices.filter(({ path }) => !path.some(({ id }) => id === moving?.id)))),
    ),
  }) satisfies FormInputs;

type CategoryChoice = Pick<Category, "id" | "name" | "slug" | "path">;

const readParents = async (db: Database): Promise<CategoryChoice[]> => (await selectCategories(db)).map(indented);

export const categoryPages = recordPages("/categories", {
  ...resourceForms(categoryResource, {
    kinds: kindsOf(inputsFor([])),
    after: ({ name }, done) => [CATEGORIES_PATH, `${done === "deleted" ? "The category" : name} was ${done}.`],
  }),
  listPage,
  rowPage,
});

async function listPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { query } = readFilters(c, categoryResource.schemas.query);
  const all = { ...query, per_page: MAX_PER_PAGE };
  const [{ rows, ...place }, parents] = await Promise.all([
    categoryResource.list(c.var.db, all, Date.now()),
    readParents(c.var.db),
  ]);
  const form = formFor(failed, CATEGORIES_PATH, {
    inputs: inputsFor(parents),
    values: { parent_id: query.parent_id ?? null },
  });
  const parent = parents.find(({ id }) => id === query.parent_id);
  return page(
    c,
    "Categories",
    <>
      <PageHeader
        title={parent ? `Categories in ${parent.path.at(-1)?.name}` : "Categories"}
        back={
          parent
            ? { path: `${CATEGORIES_PATH}/${parent.id}`, name: pathText(parent.path) }
            : { path: "/admin/products", name: "Products" }
        }
      />
      <div class="editor">
        <div>
          {rows.length === 0 ? (
            <EmptyState title="No categories yet">
              {parent
                ? `Products of categories below ${parent.path.at(-1)?.name} are listed in it too.`
                : "Categories help shoppers browse. A product has one category or none, and a category may have others below it."}
            </EmptyState>
          ) : (
            <CategoryTable rows={rows} top={parent ? parent.path.length : 0} />
          )}
          <Pagination page={place} url={c.req.url} />
        </div>
        <Allowed to="products:write">
          <FormCard title="New category" form={form} button="Create category">
            <AllFields form={form} />
          </FormCard>
        </Allowed>
      </div>
    </>,
  );
}

/** Categories, each indented below its parent. `top` is the number of levels above the table. */
const CategoryTable = ({ rows, top }: { rows: Category[]; top: number }) => (
  <Table
    label="Categories"
    phone="lines"
    rows={rows}
    columns={[
      nameColumn(top),
      { title: "Web address", phone: "none", cell: ({ slug }) => <code>{slug}</code> },
      {
        title: "Products",
        numeric: true,
        cell: ({ slug, productCount }) => <a href={`/admin/products?category=${slug}`}>{productCount}</a>,
      },
    ]}
  />
);

/** Names, each indented below that of its parent. */
const nameColumn = (top: number): Column<CategoryChoice> => ({
  title: "Name",
  cell: ({ id, path }) => (
    <>
      {INDENT.repeat(path.length - top - 1)}
      <a href={`${CATEGORIES_PATH}/${id}`}>{path.at(-1)?.name}</a>
    </>
  ),
});

const productsLink = ({ slug }: CategoryChoice) => <a href={`/admin/products?category=${slug}`}>View</a>;

/** Two spaces as wide as the letter M. */
const INDENT = "\u2003\u2003";

async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const category = await categoryResource.require(c.var.db, id);
  const { name, slug, path: steps, productCount } = category;
  const query = AllProductsQuery.parse({ category: slug, per_page: String(SHOWN_PRODUCTS) });
  const [{ rows }, all] = await Promise.all([adminListProducts(c.var.db, query), readParents(c.var.db)]);
  const below = all.filter(({ path }) => path.length > steps.length && path[steps.length - 1]?.id === id);
  const path = `${CATEGORIES_PATH}/${id}`;
  const etag = etagOf(category.updatedAt);
  const inputs = inputsFor(all, category);
  const form = formFor(failed, path, {
    inputs,
    values: valuesOf(fields, category),
    etag,
  });
  const parent = steps.at(-2);
  const isEmpty = productCount === 0 && below.length === 0;
  return page(
    c,
    name,
    <>
      <RowHeader
        title={name}
        back={
          parent
            ? { path: `${CATEGORIES_PATH}/${parent.id}`, name: pathText(steps.slice(0, -1)) }
            : { path: CATEGORIES_PATH, name: "Categories" }
        }
        audit={null}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "products:write",
          title: `Delete ${name}?`,
          text: isEmpty
            ? "The category is empty, so nothing else changes."
            : "A category with products, or with other categories below it, cannot be deleted. Move these first: select products in their list and choose “Move to a category”.",
        }}
      />
      <div class="editor">
        <div>
          {(below.length > 0 || steps.length < limits.CATEGORY_LEVELS) && (
            <Card
              title="Subcategories"
              beside={
                <LinkButton needs="products:write" href={`${CATEGORIES_PATH}?parent_id=${id}`}>
                  Add
                </LinkButton>
              }
            >
              <Table
                label="Subcategories"
                phone="lines"
                rows={below}
                columns={[nameColumn(steps.length), { title: "Products", numeric: true, cell: productsLink }]}
                none={<p class="muted">None yet.</p>}
              />
            </Card>
          )}
          <Card
            title={productCount === 1 ? "1 product" : `${productCount.toLocaleString("en")} products`}
            beside={productCount > 0 && <LinkButton href={`/admin/products?category=${slug}`}>View in list</LinkButton>}
          >
            {rows.length === 0 ? (
              <EmptyState title="No products yet" actions={<AddProduct id={id} tone="primary" />}>
                A product's category is chosen on its page.
              </EmptyState>
            ) : (
              <>
                <CategoryProducts rows={rows} />
                {productCount > rows.length && <p class="muted">The newest {rows.length} are shown.</p>}
                <div>
                  <AddProduct id={id} tone="quiet" />
                </div>
              </>
            )}
          </Card>
        </div>
        <FormCard title="Category" form={form} needs="products:write" button="Save category">
          <AllFields form={form} />
        </FormCard>
      </div>
    </>,
  );
}

const AddProduct = ({ id, tone }: { id: number; tone: Tone }) => (
  <LinkButton needs="products:write" href={`/admin/products/new?category_id=${id}`} tone={tone}>
    Add a product in this category
  </LinkButton>
);

const CategoryProducts = ({ rows }: { rows: ProductRow[] }) => (
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
        cell: ({ price, highestVariantPrice }) => <PriceRange min={price} max={highestVariantPrice} />,
      },
    ]}
  />
);
