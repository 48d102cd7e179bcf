import * as z from "zod";
import { CategoryPath, CategoryStep } from "../../domain/category-path.ts";
import { documented, iso, Timestamp } from "../../domain/fields.ts";
import { htmlOfMarkdown, lineOfMarkdown } from "../../domain/markdown.ts";
import { Money, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { OptionValues } from "../../domain/option-values.ts";
import { Slug } from "../../domain/slug.ts";
import { ShownUnitPricing, toUnitPricing } from "../../domain/unit-pricing.ts";
import type { productFiles, products } from "../../platform/db/schema.ts";
import { fieldsParameter } from "../../platform/http/sparse-fieldsets.ts";
import { productStatuses, productTypes } from "./listing/tables.ts";
import { productConditions, renewalIntervals, withdrawalRules } from "./tables.ts";

export type ProductRow = Omit<
  typeof products.$inferSelect,
  | "foldedWords"
  | "sortName"
  | "soldOut"
  | "facets"
  | "lowAt"
  | "variantWords"
  | "draftWords"
  | "relatedUpdatedAt"
  | "tagIds"
> & {
  categoryPath: CategoryStep[] | null;
  files: { id: (typeof productFiles.$inferSelect)["fileId"]; name: string }[];
};

/** A variant as its parent shows it. */
export type VariantRow = Pick<
  ProductRow,
  | "id"
  | "sku"
  | "optionValues"
  | "condition"
  | "price"
  | "compareAtPrice"
  | "priorPrice"
  | "unitPricing"
  | "inStock"
  | "stockQuantity"
  | "status"
> & { image: string | null };

export type ProductWithVariants = ProductRow & { variants: VariantRow[] };

const PriorPrice = Money.nullable().describe(
  "Lowest price in the 30 days before the reduction. Null without `compare_at_price`, or if neither price has changed",
);

/** The prior price of a product that is shown as reduced. */
const priorPriceOf = (
  { compareAtPrice, priorPrice }: Pick<ProductRow, "compareAtPrice" | "priorPrice">,
  currency: string,
) => (compareAtPrice === null ? null : toDecimalOrNull(priorPrice, currency));

export const Product = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    sku: z.string(),
    type: z.enum(productTypes),
    status: z.enum(productStatuses),
    description: z.string().describe("Text in Markdown"),
    brand: z.string().nullable(),
    barcode: z.string().nullable().describe("GTIN, such as an EAN, UPC or ISBN-13"),
    condition: z.enum(productConditions),
    withdrawal: z
      .enum(withdrawalRules)
      .describe("Right to withdraw from a purchase and return it. All but `standard` and `sealed` are exempt"),
    renews: z.enum(renewalIntervals).nullable().describe("Interval of recurring payments. Null if buyers pay once"),
    price: Money,
    compare_at_price: Money.nullable().describe("Previous price, shown for comparison"),
    prior_price: PriorPrice,
    unit_pricing: ShownUnitPricing.nullable().describe("Unit price of `price`. Null without a content"),
    currency: z.string(),
    category: z.object({ ...CategoryStep.shape, path: CategoryPath }).nullable(),
    tags: z.array(z.string()),
    images: z.array(z.object({ url: z.string(), alt: z.string() })),
    requires_shipping: z.boolean(),
    weight_grams: z.int().nullable(),
    manage_stock: z.boolean().describe("True if the stock of the product is managed"),
    stock_quantity: z.int().nullable().describe("Number of units that can be bought. Null if stock is not managed"),
    in_stock: z.boolean(),
    files: z.array(z.object({ id: z.int(), name: z.string() })).describe("Files that buyers can download"),
    metadata: z.record(z.string(), z.string()),
    parent_id: z.int().nullable().describe("Id of the product that this one is a variant of. Null for other products"),
    options: z
      .array(z.object({ name: z.string(), values: z.array(z.string()) }))
      .describe("Options of a product with variants, such as Size. Only its variants can be bought"),
    option_values: OptionValues,
    price_range: z
      .object({ min: Money, max: Money })
      .describe("Lowest and highest price of the product's active variants. Both are `price` for other products"),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Product" });
export type Product = z.output<typeof Product>;

export const Variant = z
  .object({
    id: z.int().describe("Product id to order"),
    sku: z.string(),
    option_values: OptionValues,
    condition: z.enum(productConditions),
    price: Money,
    compare_at_price: Money.nullable(),
    prior_price: PriorPrice,
    unit_pricing: ShownUnitPricing.nullable(),
    in_stock: z.boolean(),
    stock_quantity: z.int().nullable(),
    image: z.string().nullable().describe("URL of the variant's first image"),
    status: z.enum(productStatuses),
  })
  .meta({ id: "Variant" });
export type Variant = z.output<typeof Variant>;

/** Fields that a single product has and an entry of a list does not. */
export const ofOneProduct = {
  description_html: z
    .string()
    .describe(
      "The description as HTML, safe to insert into a page: `p`, `br`, `strong`, `em`, `ul`, `ol`, `li`, `a`, `h2` and `h3`, " +
        "with links to `http`, `https` and `mailto` addresses and relative ones",
    ),
  variants: z
    .array(Variant)
    .describe("Variants in the order of the options' values. Empty for products without options"),
};

/** A product with its variants. */
export const ProductDetail = Product.extend({
  ...ofOneProduct,
  seo_title: z.string().describe("Title for search engines and link previews. Defaults to the name"),
  seo_description: z
    .string()
    .describe("Description for search engines and link previews. Defaults to the beginning of the description"),
}).meta({ id: "ProductDetail" });

/** A product with only the requested fields. */
const ProductPart = ProductDetail.partial().meta({ id: "ProductPart" });
export const ProductOrPart = z.union([Product, ProductPart]);
export const ProductDetailOrPart = z.union([ProductDetail, ProductPart]);

/** An id in a path, or a slug. Documented as an id: generators know no path parameter of two types. */
export const ProductParam = z.object({
  id: z
    .string()
    .transform((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))
    .pipe(z.union([z.int().min(1), Slug], { error: "must be the id or the slug of a product" }))
    .meta(documented({ type: "integer", minimum: 1 }))
    .describe(
      "Id of a product. Its current or a former slug is accepted as well; one of digits alone only by `listProducts` with `slug`",
    ),
});

export const ProductQuery = z.strictObject({ fields: fieldsParameter(ProductDetail) });

/** Completes a URL. Plain paths of images are not parsed, because that would take a list of products a fortieth of its time. */
const absoluteUrl = (url: string, origin: string): string =>
  /^\/images\/\w+\.\w+$/.test(url) ? origin + url : new URL(url, origin).href;

/** The last category of a path. */
export function categoryAt(path: CategoryStep[] | null): Product["category"] {
  const category = path?.at(-1);
  return path && category ? { ...category, path } : null;
}

type ProductFacts = { currency: string; origin: string };

/** Converts a product row to JSON. `origin` completes relative image URLs, which are the deployment's own. */
export const toProduct = (row: ProductRow, { currency, origin }: ProductFacts): Product => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  sku: row.sku,
  type: row.type,
  status: row.status,
  description: row.description,
  brand: row.brand,
  barcode: row.barcode,
  condition: row.condition,
  withdrawal: row.withdrawal,
  renews: row.renews,
  price: toDecimal(row.price, currency),
  compare_at_price: toDecimalOrNull(row.compareAtPrice, currency),
  prior_price: priorPriceOf(row, currency),
  unit_pricing: toUnitPricing(row.price, row.options.length > 0 ? row.variantUnitPricing : row.unitPricing, currency),
  currency,
  category: categoryAt(row.categoryPath),
  tags: row.tags,
  images: row.images.map(({ url, alt }) => ({ url: absoluteUrl(url, origin), alt })),
  requires_shipping: row.requiresShipping,
  weight_grams: row.weightGrams,
  manage_stock: row.manageStock,
  stock_quantity: row.stockQuantity,
  in_stock: row.inStock,
  files: row.files,
  metadata: row.metadata,
  parent_id: row.parentId,
  options: row.options,
  option_values: row.optionValues,
  price_range: { min: toDecimal(row.price, currency), max: toDecimal(row.highestVariantPrice ?? row.price, currency) },
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** The variants of a product in the order of its options' values. */
export function inOptionOrder<Row extends Pick<VariantRow, "optionValues">>(
  options: ProductRow["options"],
  variants: readonly Row[],
): Row[] {
  const places = options.map(({ values }) => new Map(values.map((value, place) => [value, place])));
  return variants
    .map((row) => ({ row, at: row.optionValues.map(({ value }, option) => places[option]?.get(value) ?? 0) }))
    .sort((a, b) => {
      const differs = a.at.findIndex((place, option) => place !== b.at[option]);
      return (a.at[differs] ?? 0) - (b.at[differs] ?? 0);
    })
    .map(({ row }) => row);
}

/** The variants of a product as JSON, in the order of its options' values. */
const toVariants = ({ options, variants }: ProductWithVariants, { currency, origin }: ProductFacts): Variant[] =>
  inOptionOrder(options, variants).map((row) => ({
    id: row.id,
    sku: row.sku,
    option_values: row.optionValues,
    condition: row.condition,
    price: toDecimal(row.price, currency),
    compare_at_price: toDecimalOrNull(row.compareAtPrice, currency),
    prior_price: priorPriceOf(row, currency),
    unit_pricing: toUnitPricing(row.price, row.unitPricing, currency),
    in_stock: row.inStock,
    stock_quantity: row.stockQuantity,
    image: row.image === null ? null : absoluteUrl(row.image, origin),
    status: row.status,
  }));

/** Characters of a description that search engines show. */
const SEO_CHARACTERS = 160;

/** The beginning of a description as plain text, up to the end of a word. */
function beginningOf(description: string): string {
  const text = lineOfMarkdown(description);
  if (text.length <= SEO_CHARACTERS) return text;
  const beginning = text.slice(0, SEO_CHARACTERS).toWellFormed();
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(" "), SEO_CHARACTERS / 2))}…`;
}

/** Fields of a single product that would be too expensive in a list. */
export const toOneProduct = (row: ProductWithVariants, facts: ProductFacts) => ({
  description_html: htmlOfMarkdown(row.description),
  variants: toVariants(row, facts),
});

/** Title and description of a product for search engines and link previews. */
export const searchResultOf = (row: Pick<ProductRow, "name" | "description" | "seoTitle" | "seoDescription">) => ({
  seo_title: row.seoTitle ?? row.name,
  seo_description: row.seoDescription ?? beginningOf(row.description),
});

export const toProductDetail = (row: ProductWithVariants, facts: ProductFacts): z.output<typeof ProductDetail> => ({
  ...toProduct(row, facts),
  ...toOneProduct(row, facts),
  ...searchResultOf(row),
});
