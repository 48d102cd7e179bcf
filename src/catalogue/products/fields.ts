import * as z from "zod";
import { Id, line, Metadata, Text } from "../../domain/fields.ts";
import { Gtin } from "../../domain/gtin.ts";
import { Price, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { Slug } from "../../domain/slug.ts";
import { distinctTags, Tags } from "../../domain/tags.ts";
import { auditedState, declareFields, distinct } from "../../platform/administration/fields.ts";
import { LOW_STOCK, productStatuses, productTypes, taxClasses } from "../../platform/db/schema.ts";
import type { ProductRow } from "./schemas.ts";
import { StockQuantity } from "./stock.ts";
import { ProductOptions } from "./variants/fields.ts";

export const MAX_PRODUCT_NAME = 200;
export const MAX_DESCRIPTION = 20_000;
export const MAX_BRAND = 100;
export const MAX_SEO_TITLE = 200;
export const MAX_SEO_DESCRIPTION = 500;
export const MAX_PRODUCT_IMAGES = 20;
export const MAX_IMAGE_ALT = 300;

const imageWords = "must be an https:// address, or a path that begins with /";

/** A path on this deployment or an http(s) URL. Storefront pages load no other scheme. */
const ImageUrl = Text.max(2_000)
  .regex(/^(https?:\/\/[^\s"<>\\]+|\/([^\s"<>\\/][^\s"<>\\]*)?)$/, { error: imageWords, abort: true })
  .refine((url) => URL.canParse(url, "https://shop.example"), imageWords);

const Image = z.strictObject({ url: ImageUrl, alt: Text.max(MAX_IMAGE_ALT).default("") });

/** Columns that only variants have, or that the database computes. */
type OfVariants = "parentId" | "optionValues" | "inherits" | "ownStatus" | "highestVariantPrice" | "variantCount";

/** The fields of a product that people set. All others are derived. */
export type EditableProduct = Omit<
  ProductRow,
  "id" | "categoryPath" | "files" | "inStock" | "createdAt" | "updatedAt" | OfVariants
> & { fileIds: number[] };

/** Product fields that administrators can edit. Prices are parsed as minor units. */
export const productFields = declareFields<EditableProduct>()({
  name: { column: "name", schema: line(MAX_PRODUCT_NAME) },
  sku: { column: "sku", schema: line(100) },
  type: { column: "type", schema: z.enum(productTypes) },
  price: { column: "price", schema: Price, audited: toDecimal },
  slug: {
    column: "slug",
    schema: Slug.describe("Used in URLs. Derived from the name if not sent with a new product"),
    derived: true,
  },
  status: { column: "status", schema: z.enum(productStatuses), initial: "draft" },
  description: {
    column: "description",
    schema: Text.max(MAX_DESCRIPTION).describe(
      "Text in Markdown: paragraphs, `**bold**`, `*italic*`, lists, `[links](https://…)`, `## headings` of two levels and " +
        "line breaks. HTML is shown as text",
    ),
    initial: "",
  },
  brand: { column: "brand", schema: line(MAX_BRAND).nullable(), initial: null },
  barcode: {
    column: "barcode",
    schema: Gtin.nullable().describe(
      "GTIN of the article, such as an EAN, UPC or ISBN-13: 8, 12, 13 or 14 digits with a valid check digit. Several products may have the same one",
    ),
    initial: null,
  },
  seo_title: {
    column: "seoTitle",
    schema: line(MAX_SEO_TITLE).nullable().describe("Title for search engines and link previews. Null to use the name"),
    initial: null,
  },
  seo_description: {
    column: "seoDescription",
    schema: line(MAX_SEO_DESCRIPTION)
      .nullable()
      .describe("Description for search engines and link previews. Null to use the beginning of the description"),
    initial: null,
  },
  compare_at_price: {
    column: "compareAtPrice",
    schema: Price.nullable().describe(
      "Previous price, higher than the current price. Null if the product is not reduced",
    ),
    initial: null,
    audited: toDecimalOrNull,
  },
  cost: {
    column: "cost",
    schema: Price.nullable().describe(
      "Purchase cost of one unit, without tax. Only staff see it. An order keeps the cost that its products had when they were sold",
    ),
    initial: null,
    audited: toDecimalOrNull,
  },
  category_id: { column: "categoryId", schema: Id.nullable(), initial: null },
  tags: { column: "tags", schema: Tags, stored: distinctTags, initial: [] },
  images: { column: "images", schema: z.array(Image).max(MAX_PRODUCT_IMAGES), initial: [] },
  requires_shipping: {
    column: "requiresShipping",
    schema: z.boolean().describe("True if the product has to be shipped. Defaults to true for new physical products"),
    derived: true,
  },
  weight_grams: {
    column: "weightGrams",
    schema: z
      .int()
      .min(0)
      .max(100_000_000)
      .nullable()
      .describe("Weight of one unit including packaging, in grams. Used by weight-based shipping methods"),
    initial: null,
  },
  tax_class: {
    column: "taxClass",
    schema: z.enum(taxClasses).describe("Tax class, which selects the tax rates. `exempt` products are not taxed"),
    initial: "standard",
  },
  manage_stock: { column: "manageStock", schema: z.boolean(), derived: true },
  stock_quantity: {
    column: "stockQuantity",
    schema: StockQuantity.nullable().describe(
      "Counted stock, including units of orders that are not shipped yet; these cannot be sold. Accepted for a new product " +
        "or when stock management is switched on. Otherwise use a stock adjustment",
    ),
    initial: null,
  },
  low_stock_threshold: {
    column: "lowStockThreshold",
    schema: StockQuantity.nullable().describe(
      `Number of units at or below which stock counts as low. Defaults to ${LOW_STOCK} if null`,
    ),
    initial: null,
  },
  file_ids: {
    column: "fileIds",
    stored: distinct,
    schema: z
      .array(Id)
      .max(50)
      .describe("Ids of the files that an order of the product gives access to, within its download limits"),
    initial: [],
  },
  download_limit: {
    column: "downloadLimit",
    schema: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .describe("Number of downloads that each sold unit adds to the package of its order line. Null if unlimited"),
    initial: null,
  },
  download_days: {
    column: "downloadDays",
    schema: z
      .int()
      .min(1)
      .max(36_500)
      .nullable()
      .describe("Number of days after the sale during which files can be downloaded. Null if access never expires"),
    initial: null,
  },
  metadata: { column: "metadata", schema: Metadata, initial: {} },
  options: {
    column: "options",
    schema: ProductOptions.describe(
      "Options of a product that is sold in variants. A name or value replaced at its position is renamed in all variants",
    ),
    initial: [],
  },
});

export type AuditedProduct = Omit<EditableProduct, "fileIds"> & {
  files: { id: number }[];
} & Partial<Pick<ProductRow, "optionValues" | "inherits" | "ownStatus">>;

/** A product keyed by field name, as stored in the audit log and used as a form's initial values. */
export const productState = ({ files, optionValues = [], inherits, ownStatus, ...row }: AuditedProduct) => ({
  ...auditedState(productFields, { ...row, status: ownStatus ?? row.status, fileIds: files.map(({ id }) => id) }),
  ...(optionValues.length > 0 && { option_values: optionValues, inherits }),
});
