import * as z from "zod";
import { ExternalId, Id, line, Metadata, Text } from "../../domain/fields.ts";
import { Gtin } from "../../domain/gtin.ts";
import { License } from "../../domain/license.ts";
import { Price, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { Slug } from "../../domain/slug.ts";
import { distinctTags, TAGS_HINT, Tags } from "../../domain/tags.ts";
import { toMeasures, type UnitPricing, UnitPricingInput } from "../../domain/unit-pricing.ts";
import { auditedState, declareFields, distinct } from "../../platform/administration/fields.ts";
import {
  LOW_STOCK,
  type ProductCondition,
  type ProductStatus,
  type ProductType,
  productConditions,
  productStatuses,
  productTypes,
  type RenewalInterval,
  renewalIntervals,
  type TaxClass,
  taxClasses,
  type WithdrawalRule,
  withdrawalRules,
} from "../../platform/db/schema.ts";
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

export const Image = z.strictObject({ url: ImageUrl, alt: Text.max(MAX_IMAGE_ALT).default("") });

/** Columns that only variants have, or that the database computes. */
type OfVariants =
  | "priorPrice"
  | "parentId"
  | "optionValues"
  | "inherits"
  | "ownStatus"
  | "highestVariantPrice"
  | "variantUnitPricing"
  | "variantCount";

/** The fields of a product that people set. All others are derived. */
export type EditableProduct = Omit<
  ProductRow,
  "id" | "categoryPath" | "files" | "inStock" | "createdAt" | "updatedAt" | OfVariants
> & { fileIds: number[] };

export const typeLabels = {
  physical: "Physical",
  digital: "Digital",
  service: "Service",
  gift_card: "Gift card",
} satisfies Record<ProductType, string>;

const statusLabels = { draft: "Draft: not in the shop", active: "Active" } satisfies Record<ProductStatus, string>;

const conditionLabels = {
  new: "New",
  refurbished: "Refurbished",
  used: "Used",
} satisfies Record<ProductCondition, string>;

const renewalLabels = { month: "Each month", year: "Each year" } satisfies Record<RenewalInterval, string>;

const withdrawalLabels = {
  standard: "Possible",
  sealed: "Only while the seal is intact",
  personalized: "Exempt: made to the customer's specifications",
  perishable: "Exempt: perishable",
  periodical: "Exempt: newspaper or periodical",
  dated_service: "Exempt: service on a fixed date",
} satisfies Record<WithdrawalRule, string>;

const taxClassLabels = {
  standard: "Standard",
  reduced: "Reduced",
  zero: "Zero rate",
  exempt: "Exempt: no tax at all",
} satisfies Record<TaxClass, string>;

/** Product fields that administrators can edit. Prices are parsed as minor units. */
export const productFields = declareFields<EditableProduct>()({
  name: { schema: line(MAX_PRODUCT_NAME), input: {} },
  sku: { schema: line(100), input: { hint: "Your own item number, such as MUG-BLUE." } },
  type: { schema: z.enum(productTypes), input: { as: "choice", options: Object.entries(typeLabels) } },
  price: { schema: Price, audited: toDecimal, input: { as: "money" } },
  slug: {
    schema: Slug.describe("Used in URLs. Derived from the name by default"),
    derived: true,
    input: { hint: "Used in addresses. Leave empty to create it from the name, or to keep the current one." },
  },
  status: {
    schema: z.enum(productStatuses),
    initial: "draft",
    input: { as: "choice", options: Object.entries(statusLabels) },
  },
  description: {
    schema: Text.max(MAX_DESCRIPTION).describe(
      "Markdown: `**bold**`, `*italic*`, lists, `[links](https://…)` and `## headings` of two levels. HTML is text",
    ),
    initial: "",
    input: {
      as: "lines",
      rows: 10,
      markdown: true,
      hint: "**bold**, *italic*, - list, ## heading, [link](https://example.com)",
    },
  },
  brand: { schema: line(MAX_BRAND).nullable(), input: {} },
  barcode: {
    schema: Gtin.nullable().describe("GTIN (EAN, UPC, ISBN-13) with a valid check digit"),
    input: { hint: "EAN, UPC, ISBN or another GTIN." },
  },
  external_id: {
    schema: ExternalId.nullable().describe("Id in another system. Unique among products and variants"),
    input: { label: "Id in another system" },
  },
  condition: {
    schema: z.enum(productConditions),
    initial: "new",
    input: { as: "choice", options: Object.entries(conditionLabels) },
  },
  withdrawal: {
    schema: z.enum(withdrawalRules).describe("Exempt unless `standard` or `sealed`"),
    initial: "standard",
    input: { as: "choice", label: "Withdrawal and returns", options: Object.entries(withdrawalLabels) },
  },
  seo_title: {
    schema: line(MAX_SEO_TITLE).nullable().describe("For search engines and link previews. Null to use the name"),
    input: { label: "Page title", hint: "Leave empty to use the name." },
  },
  seo_description: {
    schema: line(MAX_SEO_DESCRIPTION).nullable().describe("As `seo_title`. Null for the start of the description"),
    input: {
      as: "lines",
      label: "Meta description",
      hint: "Search engines show about 160 characters. Leave empty to use the beginning of the description.",
    },
  },
  compare_at_price: {
    schema: Price.nullable().describe("Previous, higher price. Null if not reduced"),
    audited: toDecimalOrNull,
    input: { as: "money", label: "Compare-at price", hint: "Previous price, if the product is on sale." },
  },
  cost: {
    schema: Price.nullable().describe("Purchase cost without tax. Only staff see it"),
    audited: toDecimalOrNull,
    input: { as: "money", hint: "What one unit costs you, without tax. Customers never see it." },
  },
  unit_pricing: {
    schema: UnitPricingInput.nullable().describe("Null without a unit price"),
    audited: (pricing: UnitPricing | null) => pricing && toMeasures(pricing),
  },
  category_id: { schema: Id.nullable(), input: { as: "choice", options: [] } },
  tags: {
    schema: Tags,
    stored: distinctTags,
    initial: [],
    input: { as: "tags", hint: TAGS_HINT, placeholder: "Summer, Sale" },
  },
  images: {
    schema: z.array(Image).max(MAX_PRODUCT_IMAGES),
    initial: [],
    input: {
      as: "images",
      hint: "The first image is shown in lists.",
    },
  },
  requires_shipping: {
    schema: z.boolean().describe("Defaults to true for new physical products"),
    derived: true,
    input: {
      as: "choice",
      hint: "By default, physical products are shipped; digital products and services are not.",
      options: [
        ["", "Default for the type"],
        ["true", "Yes: the customer enters an address"],
        ["false", "No"],
      ],
    },
  },
  weight_grams: {
    schema: z.int().min(0).max(100_000_000).nullable().describe("Weight of a unit with packaging"),
    input: {
      label: "Weight",
      unit: "g",
      hint: "Weight of one unit including packaging. Used for weight-based shipping rates.",
    },
  },
  tax_class: {
    schema: z.enum(taxClasses).describe("`exempt` products are not taxed"),
    initial: "standard",
    input: { as: "choice", options: Object.entries(taxClassLabels) },
  },
  manage_stock: { schema: z.boolean(), derived: true, input: {} },
  stock_quantity: {
    schema: StockQuantity.nullable().describe(
      "Counted stock, unshipped units included, to start managing it. Otherwise use a stock adjustment",
    ),
    input: { label: "Initial stock", hint: "Stock is managed if you enter a number." },
  },
  low_stock_threshold: {
    schema: StockQuantity.nullable().describe(`Stock at or below it is low. Null for ${LOW_STOCK}`),
    input: {
      label: "Low stock level",
      placeholder: String(LOW_STOCK),
      hint: "Staff are notified at this level or below.",
    },
  },
  file_ids: {
    stored: distinct,
    schema: z.array(Id).max(50).describe("Files that buyers can download"),
    initial: [],
    input: { as: "choices", label: "Files included with each unit", options: [] },
  },
  download_limit: {
    schema: z.int().min(1).max(1_000_000).nullable().describe("Downloads per sold unit. Null if unlimited"),
    input: { label: "Downloads per unit", hint: "Leave empty for no limit." },
  },
  download_days: {
    schema: z.int().min(1).max(36_500).nullable().describe("Days after the sale to download. Null if unlimited"),
    input: { label: "Days to download", hint: "Leave empty for unlimited time." },
  },
  license: {
    schema: License.nullable().describe("License key of each sold unit"),
  },
  renews: {
    schema: z.enum(renewalIntervals).nullable().describe("Interval of recurring payments. Null if buyers pay once"),
    input: {
      as: "choice",
      hint: "Buyers pay by card and are charged again, until they cancel. Access lasts as long as it is paid.",
      options: [["", "Never: buyers pay once"], ...Object.entries(renewalLabels)],
    },
  },
  metadata: {
    schema: Metadata,
    initial: {},
    input: { as: "metadata", hint: "One entry per line, such as colour = red." },
  },
  options: {
    schema: ProductOptions.describe(
      "Options, such as size. Replacing a name or value at its position renames it in all variants",
    ),
    initial: [],
  },
});

export type AuditedProduct = Omit<EditableProduct, "fileIds"> & {
  files: { id: number }[];
} & Partial<Pick<ProductRow, "optionValues" | "inherits" | "ownStatus">>;

/** A product keyed by field name, as stored in the audit log. */
export const productState = ({ files, optionValues = [], inherits, ownStatus, ...row }: AuditedProduct) => ({
  ...auditedState(productFields, { ...row, status: ownStatus ?? row.status, fileIds: files.map(({ id }) => id) }),
  ...(optionValues.length > 0 && { option_values: optionValues, inherits }),
});
