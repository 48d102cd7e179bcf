import type { Context } from "hono";
import type { ProductWithVariants } from "../../catalogue/products/schemas.ts";
import { readStock } from "../../catalogue/products/stock.ts";
import { type CountedVariant, countVariants } from "../../catalogue/products/variants/change-many.ts";
import { requireProduct } from "../../catalogue/products/write.ts";
import { IdText } from "../../domain/fields.ts";
import { describeValues } from "../../domain/option-values.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type FormChoices, namesOf, readChoices } from "../choices.ts";
import { type Failed, formFor, idOf } from "../forms/inputs.ts";
import { Form, LinkButton } from "../kit/form.tsx";
import { NewPage, RowHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { ImageUpload, NewStock, ProductFields } from "./form.tsx";
import { chosenOf, copiedValues, productInputs, productValues } from "./inputs.ts";
import { type ManagedStock, StockDialog, StockLevels } from "./stock.tsx";
import { optionValues, withErrorsAtOptions } from "./variants/options.ts";
import { VariantsSection } from "./variants/section.tsx";
import { VariantPage } from "./variants/variant-page.tsx";

export async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  const copied = IdText.safeParse(c.req.query("copy_of")).data;
  const [choices, product] = await Promise.all([
    readChoices(c.var.db),
    copied === undefined ? null : requireProduct(c.var.db, copied),
  ]);
  const form = formFor(withErrorsAtOptions(failed), "/admin/products", {
    inputs: productInputs(product ? chosenOf(product, choices) : { ...choices, files: namesOf(choices.files) }),
    values: product
      ? copiedValues(product)
      : { type: "physical", status: "draft", category_id: c.req.query("category_id") ?? null },
  });
  return page(
    c,
    "New product",
    <NewPage form={form} button="Create product" hasCards>
      <ProductFields form={form} product={null} stock={<NewStock form={form} />} />
    </NewPage>,
  );
}

type ProductPageProps = ManagedStock & {
  product: ProductWithVariants;
  counted: CountedVariant[];
  choices: FormChoices;
  url: string;
  /** Address of the storefront. */
  shopUrl: string | null;
};

const ProductPage = ({ choices, shopUrl, counted, url, ...managed }: ProductPageProps) => {
  const { product } = managed;
  const failed = withErrorsAtOptions(managed.failed);
  const path = `/admin/products/${product.id}`;
  const values = productValues(product);
  const form = formFor(failed, path, {
    inputs: productInputs(chosenOf(product, choices)),
    values: {
      ...values,
      // The price of a product with variants is computed and not shown as a field.
      price: product.variantCount > 0 ? null : values.price,
      ...optionValues(product.options),
    },
    etag: etagOf(product.updatedAt),
  });
  return (
    <>
      <RowHeader
        title={product.name}
        statuses={<Badge status={product.status} />}
        audit={{ subject: "product", id: product.id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag: etagOf(product.updatedAt) }),
          needs: "products:write",
          title: `Delete ${product.name}?`,
          text: "Removes the product from the shop and all carts. A product that was sold cannot be deleted. Set it to draft instead.",
        }}
      >
        <LinkButton needs="products:write" href={`/admin/products/new?copy_of=${product.id}`}>
          Duplicate
        </LinkButton>
        {shopUrl !== null && product.status === "active" && (
          <a class="button quiet" href={`${shopUrl}/products/${product.id}`} target="_blank" rel="noreferrer">
            View in shop
          </a>
        )}
      </RowHeader>
      {product.options.length > 0 && (
        <nav class="tabs" aria-label="On this page">
          <a href={`#${idOf(form, "name")}`}>Details</a>
          <a href="#images">Images</a>
          <a href="#variants">Variants</a>
        </nav>
      )}
      {product.manageStock && <StockDialog {...managed} />}
      <Form form={form} needs="products:write" save="Save product">
        <ProductFields
          form={form}
          product={product}
          stock={product.manageStock ? <StockLevels {...managed} form={form} /> : <NewStock form={form} />}
        />
      </Form>
      {product.options.length > 0 && (
        <VariantsSection {...{ product, counted, failed, url, page: pageIn(failed, url) }} />
      )}
      <ImageUpload action={`${path}/images`} failed={failed} />
    </>
  );
};

/** The page of the table of variants. */
const pageIn = (failed: Failed | null, url: string): number =>
  Math.max(1, Number(failed?.values.page?.[0] ?? new URL(url).searchParams.get("page")) || 1);

/** Adjustments shown on a product's page. */
const ADJUSTMENTS = 5;

export async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [product, choices, stock] = await Promise.all([
    requireProduct(c.var.db, id),
    readChoices(c.var.db),
    readStock(c.var.db, id, ADJUSTMENTS),
  ]);
  const { shopUrl } = c.var.settings.email;
  const props = { product, choices, ...stock, failed, shopUrl };
  if (product.parentId !== null) {
    const parent = await requireProduct(c.var.db, product.parentId);
    return page(
      c,
      `${product.name}: ${describeValues(product.optionValues)}`,
      <VariantPage {...props} parent={parent} />,
    );
  }
  const counted = await countVariants(c.var.db, product);
  return page(c, product.name, <ProductPage {...props} counted={counted} url={c.req.url} />);
}
