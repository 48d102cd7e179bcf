import * as z from "zod";
import { productStatuses, productTypes } from "../db/schema.ts";
import { Id, line } from "../domain/fields.ts";
import { Metadata } from "../domain/metadata.ts";
import { Price, toDecimal, toDecimalOrNull } from "../domain/money.ts";
import { changesSomething, coded } from "../domain/rules.ts";
import { Slug } from "../domain/slug.ts";
import { cursorFields, hasCursor, withoutPages } from "../http/cursor.ts";
import { LOW_STOCK } from "./low-stock.ts";
import { Product, type ProductRow, pricesInOrder, productsFields, toProduct } from "./schemas.ts";
import { sorts } from "./sorts.ts";
import { Stock } from "./stock-schemas.ts";

const fieldsOfAll = z.strictObject({
  ...productsFields,
  ...cursorFields,
  low_stock: z
    .literal("true")
    .optional()
    .describe(
      `Active products of whose stock, which is managed, ${LOW_STOCK} pieces or fewer are left: of more than 10,000 the lowest`,
    ),
  sort: z
    .enum([...sorts, "stock"])
    .default("newest")
    .describe("`stock` is of the active products whose stock is managed the 10,000 that have the least, these first"),
});

const ofAllProducts = (query: z.output<typeof fieldsOfAll>) =>
  !hasCursor(query) || (query.sort === "newest" && !query.search && !query.category && !query.low_stock);

/** How administrators narrow and order the list of all products. */
export const AllProductsQuery = fieldsOfAll
  .refine(...pricesInOrder)
  .refine(...withoutPages)
  .refine(ofAllProducts, {
    path: ["updated_since"],
    error:
      "and after_id go with neither search, category, low_stock nor sort: a product that left the list would not be told",
    ...coded("not_applicable"),
  });
export type AllProductsQuery = z.output<typeof AllProductsQuery>;

const imageWords = "must be an https:// address, or a path that begins with /";

/** On this deployment, or anywhere on the web: no other scheme reaches a storefront's pages. */
const ImageUrl = z
  .string()
  .max(2_000)
  .regex(/^(https?:\/\/[^\s"<>\\]+|\/([^\s"<>\\/][^\s"<>\\]*)?)$/, { error: imageWords, abort: true })
  .refine((url) => URL.canParse(url, "https://shop.example"), imageWords);

const Image = z.strictObject({ url: ImageUrl, alt: z.string().max(300).default("") });

const fields = {
  name: line(200),
  sku: line(100),
  slug: Slug.describe("Made from the name, when it is not sent with a new product"),
  type: z.enum(productTypes),
  status: z.enum(productStatuses),
  description: z.string().max(20_000),
  price: Price,
  compare_at_price: Price.nullable(),
  category_id: Id.nullable(),
  images: z.array(Image).max(20),
  requires_shipping: z
    .boolean()
    .describe("Whether an order of it needs an address; a new product of type physical does, unless it says otherwise"),
  manage_stock: z.boolean(),
  stock_quantity: Stock.nullable().describe(
    "Only of a new product, or when its stock is managed from now on; else adjust the stock. It is what was counted, with " +
      "the units of orders that are not sent yet: those cannot be sold, so less may be left",
  ),
  file_ids: z
    .array(Id)
    .max(50)
    .describe("The files that a sold unit grants, in a download package with the limits below"),
  download_limit: z.int().min(1).max(1_000_000).nullable().describe("Downloads; null is without limit"),
  download_days: z.int().min(1).max(36_500).nullable().describe("Days from the sale on; null is for ever"),
  metadata: Metadata,
};

const { name, sku, type, price, ...others } = fields;

/** Prices are read as minor units. Without a slug one is made from the name; with a `stock_quantity` the stock is managed. */
export const NewProduct = z
  .strictObject({ name, sku, type, price, ...z.object(others).partial().shape })
  .refine(({ manage_stock, stock_quantity }) => manage_stock !== true || typeof stock_quantity === "number", {
    path: ["stock_quantity"],
    error: "is required when the stock is managed",
    ...coded("required"),
  })
  .refine(({ manage_stock, stock_quantity }) => manage_stock !== false || typeof stock_quantity !== "number", {
    path: ["stock_quantity"],
    error: "is for products whose stock is managed",
    ...coded("not_applicable"),
  })
  .meta({ id: "NewProduct" });
export type NewProduct = z.output<typeof NewProduct>;

export const ProductChange = z
  .strictObject(fields)
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ProductChange", description: "The fields that are sent change, and no others" });
export type ProductChange = z.output<typeof ProductChange>;

/** A product in the administration API, with the files that it grants. */
export const AdminProduct = z
  .object({ ...Product.shape, download_limit: z.int().nullable(), download_days: z.int().nullable() })
  .meta({ id: "AdminProduct" });

export const toAdminProduct = (
  row: ProductRow,
  facts: Parameters<typeof toProduct>[1],
): z.output<typeof AdminProduct> => ({
  ...toProduct(row, facts),
  download_limit: row.downloadLimit,
  download_days: row.downloadDays,
});

/** What people decide of a product; the rest follows from it. */
export type NewProductRow = Omit<ProductRow, "id" | "category" | "files" | "inStock" | "createdAt" | "updatedAt">;

/** The fields of a product in the audit log, named as in requests. */
export const auditedState = (row: NewProductRow & { files: { id: number }[] }) => ({
  name: row.name,
  sku: row.sku,
  slug: row.slug,
  type: row.type,
  status: row.status,
  description: row.description,
  price: toDecimal(row.price),
  compare_at_price: toDecimalOrNull(row.compareAtPrice),
  category_id: row.categoryId,
  images: row.images,
  requires_shipping: row.requiresShipping,
  manage_stock: row.manageStock,
  stock_quantity: row.stockQuantity,
  file_ids: row.files.map(({ id }) => id),
  download_limit: row.downloadLimit,
  download_days: row.downloadDays,
  metadata: row.metadata,
});

/** The columns of what was sent; those of fields that were not are undefined. */
export const toColumns = (sent: Partial<ProductChange>) => ({
  name: sent.name,
  sku: sent.sku,
  slug: sent.slug,
  type: sent.type,
  status: sent.status,
  description: sent.description,
  price: sent.price,
  compareAtPrice: sent.compare_at_price,
  categoryId: sent.category_id,
  images: sent.images,
  requiresShipping: sent.requires_shipping,
  manageStock: sent.manage_stock,
  stockQuantity: sent.stock_quantity,
  downloadLimit: sent.download_limit,
  downloadDays: sent.download_days,
  metadata: sent.metadata,
});
