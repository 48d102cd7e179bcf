import { Hono } from "hono";
import { imagePath, inWidth } from "../../catalogue/images/address.ts";
import { type ImageRow, requireImage } from "../../catalogue/images/images.ts";
import { storeUpload } from "../../catalogue/images/store.ts";
import { ProductCreate, ProductUpdate } from "../../catalogue/products/admin-schemas.ts";
import { insertAdjustment, StockAdjustmentCreate } from "../../catalogue/products/stock.ts";
import { createVariants, type MissingVariants } from "../../catalogue/products/variants/create.ts";
import { changeProduct, createProduct, removeProduct, requireProduct } from "../../catalogue/products/write.ts";
import { ApiError } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { receiveUpload } from "../../downloads/files/public.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import { etagOf } from "../../platform/http/version.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitFile } from "../forms/attempt.ts";
import { When } from "../kit/dates.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { DescriptionList, formatBytes } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { editPage, newPage } from "./edit-page.tsx";
import { productKinds, stockKinds, withManagedStock, withNewCategory } from "./inputs.ts";
import { changeKeyList, KeyListParams } from "./key-list.tsx";
import { productsPage } from "./list-page.tsx";

export const productPages = recordPages("/products", {
  reads: administer("products:read_all"),
  writes: administer("products:write"),
  listPage: productsPage,
  newPage,
  rowPage: editPage,
  create: async (c, typed) => {
    const sent = await withNewCategory(writeContextOf(c), typed);
    const read = withManagedStock(sent).read(ProductCreate, productKinds(sent.values));
    const [own, variants] = withVariants(read);
    const product = await createProduct(writeContextOf(c), own);
    const made =
      variants && (await attempt(() => createVariants(writeContextOf(c), { id: product.id, sent: variants })));
    const words = typeof made === "string" ? ` It has no variants yet: ${made}.` : "";
    return redirectWithFlash(c, `/admin/products/${product.id}`, `${product.name} was created.${words}`);
  },
  forms: {
    "": async (c, id, typed) => {
      const sent = await withNewCategory(writeContextOf(c), typed);
      const change = withManagedStock(sent).readChange(ProductUpdate, productKinds(sent.values));
      const product = await changeProduct(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return `${product.name} was saved.`;
    },
    "/stock": async (c, id, sent) => {
      const adjustment = sent.read(StockAdjustmentCreate, stockKinds(sent.values));
      const { stockQuantity } = await insertAdjustment(writeContextOf(c), { id, adjustment });
      return `The stock is now ${stockQuantity}.`;
    },
    "/delete": async (c, id, { ifMatch }) => {
      const { parentId } = await requireProduct(c.var.db, id);
      await removeProduct(writeContextOf(c), { id, ifMatch });
      if (parentId === null) return redirectWithFlash(c, "/admin/products", "The product was deleted.");
      return redirectWithFlash(c, `/admin/products/${parentId}`, "The variant was deleted.");
    },
  },
});

/**
 * Splits a new product with options into the product and its first variants, which get the typed price, cost and stock. Without
 * options, or with a price only, there are no variants to create.
 */
function withVariants(read: ProductCreate): [ProductCreate, MissingVariants?] {
  const { manage_stock, stock_quantity, low_stock_threshold, compare_at_price, cost, ...own } = read;
  const isTyped = [stock_quantity, low_stock_threshold, compare_at_price, cost].some((value) => value != null);
  if (own.options.length === 0 || !isTyped) return [read];
  const sold = { manage_stock, stock_quantity, low_stock_threshold, compare_at_price, cost };
  const unset = { stock_quantity: null, low_stock_threshold: null, compare_at_price: null, cost: null };
  return [
    { ...own, ...unset },
    { generate: true, price: own.price, ...sold },
  ];
}

/** The reason of a refusal. */
const attempt = <Done,>(act: () => Promise<Done>): Promise<Done | string> =>
  act().catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    return error.fields.map(({ message }) => message).join(", ") || error.message;
  });

/** Forms with files. */
export const productFilePages = new Hono<PanelEnv>()
  /** Used by src/panel/browser/images.js; the product's form saves the path. */
  .post("/images", administer("products:write"), async (c) => {
    const upload = receiveUpload(c.req.raw, (_, file) => storeUpload(writeContextOf(c), file));
    return c.json({ path: imagePath(await runToCompletion(c, upload)) }, 201);
  })
  .get("/images/:id", administer("products:read_all"), validate("param", IdParam), async (c) => {
    const image = await requireImage(c.var.db, c.req.valid("param").id);
    return page(c, `Image ${image.id}`, <ImagePage image={image} />);
  })
  .post("/products/:id/images", administer("products:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submitFile(
      c,
      (failed) => editPage(c, id, failed),
      async (values) => {
        const upload = receiveUpload(c.req.raw, (_, file) => storeUpload(writeContextOf(c), file), values);
        const url = imagePath(await runToCompletion(c, upload));
        const { images, updatedAt } = await requireProduct(c.var.db, id);
        const change = valid(ProductUpdate, { images: [...images, { url, alt: "" }] });
        await changeProduct(writeContextOf(c), { id, change, ifMatch: { "if-match": etagOf(updatedAt) } });
        return redirectWithFlash(c, `/admin/products/${id}`, "The image was uploaded.");
      },
    );
  })
  .post(
    "/products/:id/:field{(?:withdrawn_)?license_keys}",
    administer("products:write"),
    validate("param", KeyListParams),
    async (c) => {
      const { id, field } = c.req.valid("param");
      return changeKeyList(c, { id, field, show: (failed) => editPage(c, id, failed) });
    },
  );

/** An uploaded image, linked from the audit log. */
const ImagePage = ({ image }: { image: ImageRow }) => (
  <>
    <PageHeader back={{ path: "/admin/products", name: "Products" }} />
    <section class="card">
      <a href={imagePath(image)} target="_blank" rel="noreferrer">
        <img class="picture" src={inWidth(imagePath(image), 640)} alt="As uploaded" />
      </a>
      <DescriptionList
        facts={{
          Type: image.mimeType,
          Pixels: `${image.width} × ${image.height}`,
          Size: formatBytes(image.sizeBytes),
          Uploaded: <When at={image.createdAt} />,
        }}
      />
    </section>
  </>
);
