import type { Context } from "hono";
import { productState } from "../../catalogue/products/fields.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { readStock } from "../../catalogue/products/stock.ts";
import { requireProduct } from "../../catalogue/products/write.ts";
import { formatAmount } from "../../domain/money.ts";
import type { stockAdjustments } from "../../platform/db/schema.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type FormChoices, namesOf, readChoices, withChosen } from "../choices.ts";
import type { PanelEnv } from "../env.ts";
import { metadataLines } from "../forms/kinds.ts";
import { type Failed, formFor, withErrorsAt } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { Columns } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { NewPage, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, Reference } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { ImageUpload, ProductFormFields } from "./form.tsx";
import { imageLines, productInputs, sentOf, stockInputs } from "./inputs.ts";
import { StockCell } from "./list-page.tsx";

const back = { path: "/admin/products", name: "Products" };

const NewProductPage = ({ choices, failed }: { choices: FormChoices; failed: Failed | null }) => {
  const form = formFor(failed, "/admin/products", {
    inputs: productInputs({ ...choices, files: namesOf(choices.files) }),
    values: { type: "physical", status: "draft" },
  });
  return (
    <NewPage title="New product" back={back} form={form} button="Create product">
      <ProductFormFields form={form} managed={false} />
    </NewPage>
  );
};

type Adjustment = typeof stockAdjustments.$inferSelect & { actorName: string | null };

type ProductPageProps = {
  product: ProductRow;
  /** Units of unsent orders. */
  held: number;
  choices: FormChoices;
  adjustments: Adjustment[];
  failed: Failed | null;
};

const ProductPage = ({ product, held, choices, adjustments, failed }: ProductPageProps) => {
  const path = `/admin/products/${product.id}`;
  const state = productState(product);
  const form = formFor(failed, path, {
    inputs: productInputs(chosenOf(product, choices)),
    values: {
      ...state,
      requires_shipping: sentOf(product),
      price: formatAmount(product.price),
      compare_at_price: product.compareAtPrice === null ? null : formatAmount(product.compareAtPrice),
      stock_quantity: null,
      images: imageLines(state.images),
      metadata: metadataLines(state.metadata),
    },
    etag: etagOf(product.updatedAt),
  });
  return (
    <>
      <RowHeader
        title={product.name}
        back={back}
        audit={{ subject: "product", id: product.id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag: etagOf(product.updatedAt) }),
          needs: "products:write",
          title: `Delete ${product.name}?`,
          text: "Removes the product from the shop and all carts. A product that was sold cannot be deleted. Set it to draft instead.",
        }}
      >
        <Badge status={product.status} />
      </RowHeader>
      {product.manageStock && <StockCard product={product} held={held} adjustments={adjustments} failed={failed} />}
      <div class="card">
        <Form form={form} needs="products:write">
          <ProductFormFields form={form} managed={product.manageStock} />
          <Button>Save product</Button>
        </Form>
      </div>
      <ImageUpload action={`${path}/images`} failed={failed} />
    </>
  );
};

const chosenOf = ({ category, files }: ProductRow, choices: FormChoices) => ({
  categories: withChosen(choices.categories, category ? [category] : []),
  files: withChosen(namesOf(choices.files), files),
});

const StockCard = ({ product, held, adjustments, failed }: Omit<ProductPageProps, "choices">) => {
  const refused = failed && withErrorsAt("pieces", ["delta", "quantity"], failed);
  const form = formFor(refused, `/admin/products/${product.id}/stock`, {
    inputs: stockInputs(held),
    values: { how: "delta" },
  });
  return (
    <section class="card">
      <h2>
        Stock: <StockCell {...product} />
      </h2>
      <Allowed to="products:write">
        <Form form={form}>
          <Columns form={form} names={["how", "pieces", "reason"]} />
          <Button>Adjust stock</Button>
        </Form>
      </Allowed>
      {adjustments.length > 0 && (
        <Table
          label="Latest adjustments"
          rows={adjustments}
          columns={[
            { title: "When", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Pieces", numeric: true, cell: ({ delta }) => (delta > 0 ? `+${delta}` : String(delta)) },
            { title: "Reason", cell: ({ reason }) => reason },
            {
              title: "By",
              cell: ({ actor, actorName }) => <Reference to={actor} names={new Map([[actor, actorName ?? actor]])} />,
            },
          ]}
        />
      )}
    </section>
  );
};

/** Adjustments shown on a product's page. */
const ADJUSTMENTS = { page: 1, per_page: 5 };

export async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New product", <NewProductPage choices={await readChoices(c.var.db)} failed={failed} />);
}

export async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [product, choices, stock] = await Promise.all([
    requireProduct(c.var.db, id),
    readChoices(c.var.db),
    readStock(c.var.db, id, ADJUSTMENTS),
  ]);
  const props = { product, choices, ...stock, failed };
  return page(c, product.name, <ProductPage {...props} />);
}
