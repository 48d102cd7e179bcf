import type { Context } from "hono";
import { AllProductsQuery } from "../../catalogue/products/admin-schemas.ts";
import { typeLabels } from "../../catalogue/products/fields.ts";
import { adminListProducts } from "../../catalogue/products/listing/walk.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { readVariantStock } from "../../catalogue/products/stock.ts";
import { nameWithValues } from "../../domain/option-values.ts";
import type { ProductStatus } from "../../platform/db/schema.ts";
import { bulkActionsOf, productsActionInputs } from "../bulk-actions/forms.tsx";
import { type FormChoices, readChoices } from "../choices.ts";
import type { FormInput } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { choiceFilter, ExportMenu } from "../kit/filters.tsx";
import { LinkButton } from "../kit/form.tsx";
import { Badge, PriceRange, ProductLink } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { viewsOf } from "../saved-views/routes.tsx";

export async function productsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, AllProductsQuery);
  const [found, choices, views] = await Promise.all([
    adminListProducts(c.var.db, query),
    readChoices(c.var.db),
    viewsOf(c, "products"),
  ]);
  const parents = found.rows.flatMap(({ id, variantCount }) => (variantCount > 0 ? [id] : []));
  // Units of each product's variants, if it has any.
  const variantStock = parents.length > 0 ? await readVariantStock(c.var.db, parents) : new Map<number, number>();
  return listPage(c, {
    noun: "products",
    actions: (
      <>
        <LinkButton href="/admin/categories">Categories</LinkButton>
        <LinkButton needs="products:write" href="/admin/imports/products">
          Import
        </LinkButton>
        <ExportMenu form={form} needs="products:read_all" lists={[{ list: "products", label: "Products" }]} />
      </>
    ),
    add: { label: "Create product", needs: "products:write" },
    found,
    views,
    form: { ...form, inputs: productFilters(choices) },
    columns: [
      {
        title: "Name",
        cell: (row) => <ProductLink {...row} name={nameWithValues(row)} />,
        sort: { ascending: "name" },
      },
      { title: "SKU", phone: "none", cell: ({ sku }) => <code>{sku}</code> },
      { title: "Category", wide: true, cell: ({ categoryPath }) => categoryPath?.at(-1)?.name ?? null },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      {
        title: "Stock",
        numeric: true,
        cell: (row) => <StockCell {...row} units={variantStock.get(row.id)} />,
        sort: { ascending: "stock" },
      },
      {
        title: "Price",
        numeric: true,
        cell: ({ price, highestVariantPrice }) => <PriceRange min={price} max={highestVariantPrice} />,
        sort: { ascending: "price", descending: "-price" },
      },
    ],
    bulk: {
      ...bulkActionsOf("/admin/products", productsActionInputs(choices.categories)),
      needs: "products:write",
      selects: ({ id, ...row }) => ({ id, name: nameWithValues(row) }),
    },
    purpose: (
      <Allowed to="products:write">
        <a href="/admin/imports/products">Import products</a> from another shop or a file, or create the first one here.
      </Allowed>
    ),
  });
}

/** Filters of the list. */
const productFilters = ({ categories, tags }: FormChoices) =>
  ({
    search: { as: "search", label: "Search" },
    status: choiceFilter(
      "Status",
      Object.entries({ active: "Active", draft: "Draft" } satisfies Record<ProductStatus, string>),
    ),
    type: choiceFilter("Type", Object.entries(typeLabels)),
    category: choiceFilter(
      "Category",
      categories.map(({ slug, name }) => [slug, name] as const),
    ),
    tag: { as: "text", label: "Tag", suggestions: tags },
    brand: { as: "text", label: "Brand" },
    in_stock: choiceFilter("Stock", [
      ["true", "In stock"],
      ["false", "Sold out"],
    ]),
    low_stock: choiceFilter("Low stock", [["true", "Running low"]]),
    sort: choiceFilter("Sort by", Object.entries(sortLabels), "Newest"),
  }) satisfies { [Name in keyof AllProductsQuery]?: FormInput };

const sortLabels = {
  price: "Cheapest",
  "-price": "Dearest",
  stock: "Least stock",
  name: "Name",
} satisfies Record<Exclude<AllProductsQuery["sort"], "newest">, string>;

type StockCellProps = Pick<ProductRow, "stockQuantity" | "options" | "variantCount" | "inStock"> & {
  /** Units of a product's variants, if any of them has counted stock. */
  units: number | undefined;
};

const StockCell = ({ stockQuantity, options, variantCount, inStock, units }: StockCellProps) => {
  if (options.length > 0) {
    return (
      <>
        <span class="muted">{variantCount === 1 ? "1 variant" : `${variantCount || "no"} variants`}</span>
        {variantCount > 0 && !inStock ? (
          <>
            {" "}
            <Badge status="sold out" tone="bad" />
          </>
        ) : (
          units !== undefined && `, ${units.toLocaleString("en")} in stock`
        )}
      </>
    );
  }
  if (stockQuantity === null) return <span class="muted">not counted</span>;
  return stockQuantity === 0 ? <Badge status="sold out" tone="bad" /> : <span>{stockQuantity}</span>;
};
