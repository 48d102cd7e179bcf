import * as z from "zod";
import { Id, line, Text } from "../../domain/fields.ts";
import { Metadata } from "../../domain/metadata.ts";
import { Price, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { Slug } from "../../domain/slug.ts";
import { auditedState, declareFields, distinct } from "../../platform/administration/fields.ts";
import { LOW_STOCK, productStatuses, productTypes, taxClasses } from "../../platform/db/schema.ts";
import type { ProductRow } from "./schemas.ts";
import { Stock } from "./stock-schemas.ts";

const imageWords = "must be an https:// address, or a path that begins with /";

/** On this deployment, or anywhere on the web: no other scheme reaches a storefront's pages. */
const ImageUrl = Text.max(2_000)
  .regex(/^(https?:\/\/[^\s"<>\\]+|\/([^\s"<>\\/][^\s"<>\\]*)?)$/, { error: imageWords, abort: true })
  .refine((url) => URL.canParse(url, "https://shop.example"), imageWords);

const Image = z.strictObject({ url: ImageUrl, alt: Text.max(300).default("") });

export const MAX_PRODUCT_IMAGES = 20;

/** What people decide of a product; the rest follows from it. */
export type ProductState = Omit<ProductRow, "id" | "category" | "files" | "inStock" | "createdAt" | "updatedAt"> & {
  fileIds: number[];
};

/** The fields of a product that administrators edit. Prices are read as minor units. */
export const productFields = declareFields<ProductState>()({
  name: { column: "name", schema: line(200) },
  sku: { column: "sku", schema: line(100) },
  type: { column: "type", schema: z.enum(productTypes) },
  price: { column: "price", schema: Price, audited: toDecimal },
  slug: {
    column: "slug",
    schema: Slug.describe("Made from the name, when it is not sent with a new product"),
    derived: true,
  },
  status: { column: "status", schema: z.enum(productStatuses), initial: "draft" },
  description: { column: "description", schema: Text.max(20_000), initial: "" },
  compare_at_price: { column: "compareAtPrice", schema: Price.nullable(), initial: null, audited: toDecimalOrNull },
  category_id: { column: "categoryId", schema: Id.nullable(), initial: null },
  images: { column: "images", schema: z.array(Image).max(MAX_PRODUCT_IMAGES), initial: [] },
  requires_shipping: {
    column: "requiresShipping",
    schema: z
      .boolean()
      .describe(
        "Whether an order of it needs an address; a new product of type physical does, unless it says otherwise",
      ),
    derived: true,
  },
  weight_grams: {
    column: "weightGrams",
    schema: z.int().min(0).max(100_000_000).nullable().describe("Of a unit with its packing, for shipping by weight"),
    initial: null,
  },
  tax_class: {
    column: "taxClass",
    schema: z.enum(taxClasses).describe("Which of the tax rates apply; `exempt` is without tax"),
    initial: "standard",
  },
  manage_stock: { column: "manageStock", schema: z.boolean(), derived: true },
  stock_quantity: {
    column: "stockQuantity",
    schema: Stock.nullable().describe(
      "Only of a new product, or when its stock is managed from now on; else adjust the stock. It is what was counted, with " +
        "the units of orders that are not sent yet: those cannot be sold, so less may be left",
    ),
    initial: null,
  },
  low_stock_threshold: {
    column: "lowStockThreshold",
    schema: Stock.nullable().describe(`Stock is low with so many pieces or fewer; null is ${LOW_STOCK}`),
    initial: null,
  },
  file_ids: {
    column: "fileIds",
    stored: distinct,
    schema: z
      .array(Id)
      .max(50)
      .describe("The files that a sold unit grants, in a download package with the limits below"),
    initial: [],
  },
  download_limit: {
    column: "downloadLimit",
    schema: z.int().min(1).max(1_000_000).nullable().describe("Downloads; null is without limit"),
    initial: null,
  },
  download_days: {
    column: "downloadDays",
    schema: z.int().min(1).max(36_500).nullable().describe("Days from the sale on; null is for ever"),
    initial: null,
  },
  metadata: { column: "metadata", schema: Metadata, initial: {} },
});

export type AuditedProduct = Omit<ProductState, "fileIds"> & { files: { id: number }[] };

/** A product by the names of its fields, as the audit log keeps it and a form begins with. */
export const productState = ({ files, ...row }: AuditedProduct) =>
  auditedState(productFields, { ...row, fileIds: files.map(({ id }) => id) });
