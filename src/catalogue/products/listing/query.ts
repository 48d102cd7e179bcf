import * as z from "zod";
import { BooleanText, coded, ExternalId, IdText, MetadataText } from "../../../domain/fields.ts";
import { Gtin } from "../../../domain/gtin.ts";
import { PriceText } from "../../../domain/money.ts";
import { Slug } from "../../../domain/slug.ts";
import { TagFilter } from "../../../domain/tags.ts";
import { afterIdField, MAX_PER_PAGE, pageFields, withoutPages } from "../../../platform/http/pagination.ts";
import { fieldsParameter } from "../../../platform/http/sparse-fieldsets.ts";
import { Product } from "../schemas.ts";
import { type ProductSortOrder, productSortOrders, productStatuses, productTypes } from "./tables.ts";

type Prices = { min_price?: number | undefined; max_price?: number | undefined };

export const pricesInOrder: [(prices: Prices) => boolean, { path: string[]; error: string }] = [
  ({ min_price, max_price }) => min_price === undefined || max_price === undefined || min_price <= max_price,
  { path: ["min_price"], error: "must not be above the maximum price" },
];

export const sorts = [...productSortOrders, "-price"] as const;

/** Filters and sort orders of product lists. Prices are parsed as minor units. */
export const productFilters = {
  category: z
    .string()
    .max(100)
    .optional()
    .describe("Slug, id or name of a category, matched in that order. Includes subcategories"),
  tag: TagFilter.optional().describe(
    "Tags that a product must all have: several parameters, or one with commas. Case and accents do not matter. At most the 10,000 newest products with the tags are counted and sorted",
  ),
  brand: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe(
      "Exact name of a brand; case of A to Z does not matter. At most the 10,000 newest products of the brand are counted and sorted",
    ),
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Words of the name, SKU or description, or of the variants' option values and SKUs. The last word may be incomplete if it has at least two letters\n\nOnly staff and API keys with products:write find a product by variants that are drafts. Singulars, plurals and compounds (`tshirt`, `t-shirt`) are found too, and words that differ by a letter if nothing else is. Up to 8 different words are used, and at most the 10,000 newest matches are counted and sorted",
    ),
  status: z
    .enum(productStatuses)
    .optional()
    .describe(
      "Filters by status. Only staff and API keys with products:write see drafts; without this parameter they see both",
    ),
  type: z
    .enum(productTypes)
    .optional()
    .describe("At most the 10,000 newest products of the type are counted and sorted"),
  parent_id: IdText.optional().describe(
    "Id of a product with options. Lists its variants, which other lists leave out",
  ),
  min_price: PriceText.optional().describe(
    "Finds a product with variants if any of their prices reaches this. At most the 10,000 newest products in the range are counted and sorted",
  ),
  max_price: PriceText.optional(),
  in_stock: BooleanText.optional().describe("At most the 10,000 newest products found are counted and sorted"),
  sort: z.enum(sorts).default("newest").describe("Sort order. `-price` lists the most expensive products first"),
};

/** Filters that name products exactly. They find variants as well, which lists leave out. */
export const lookUpFields = {
  ids: z
    .string()
    .regex(/^\d{1,16}(,\d{1,16}){0,99}$/, "must be up to 100 ids with commas between them")
    .transform((text) => text.split(",").map(Number))
    .optional()
    .describe("Up to 100 ids of products and variants, separated by commas"),
  slug: Slug.optional().describe("Current or former slug"),
  sku: z
    .union([z.string(), z.array(z.string())])
    .transform((sent) => [sent].flat())
    .pipe(z.array(z.string().trim().max(100)).max(MAX_PER_PAGE))
    .optional()
    .describe("SKU of a product or variant. Several parameters find up to 100"),
  barcode: Gtin.optional().describe("GTIN of a product or variant"),
  external_id: ExternalId.optional().describe("Id of a product or variant in another system"),
  metadata: MetadataText.optional().describe(
    "Name and text in `metadata`, such as `channel:market`. Finds products and variants among the 10,000 newest",
  ),
};
export type LookUp = z.output<z.ZodObject<typeof lookUpFields>>;

export const looksUp = ({ ids, slug, sku, barcode, external_id, metadata }: LookUp): boolean =>
  (ids ?? slug ?? sku ?? barcode ?? external_id ?? metadata) !== undefined;

const besideLookUp = new Set([...Object.keys(lookUpFields), "page", "per_page", "fields"]);

/** Arguments of `refine` that refuse other filters and orders beside exact names. */
export const looksUpOnly = [
  (query: LookUp & { sort: string }) =>
    !looksUp(query) ||
    Object.entries(query).every(
      ([name, value]) => value === undefined || besideLookUp.has(name) || (name === "sort" && value === "newest"),
    ),
  {
    path: ["ids"] as PropertyKey[],
    error: "and slug, sku, barcode, external_id and metadata cannot be combined with other filters",
    ...coded("not_applicable"),
  },
] as const;

/** Variants are no search results: the search finds their products. */
export const variantsOrSearch: [
  (query: { parent_id?: number | undefined; search?: string | undefined }) => boolean,
  { path: string[]; error: string; params: ReturnType<typeof coded>["params"] },
] = [
  ({ parent_id, search }) => parent_id === undefined || !search,
  {
    path: ["parent_id"],
    error: "cannot be combined with search, which finds products by their variants",
    ...coded("not_applicable"),
  },
];

export const ProductsQuery = z
  .strictObject({
    ...pageFields,
    ...lookUpFields,
    ...productFilters,
    ...afterIdField,
    fields: fieldsParameter(Product),
  })
  .refine(...looksUpOnly)
  .refine(...pricesInOrder)
  .refine(...withoutPages)
  .refine(...variantsOrSearch)
  .refine(
    ({ after_id, search, tag, brand, sort, parent_id }) =>
      after_id === undefined || (!search && !tag && !brand && sort === "newest" && parent_id === undefined),
    {
      path: ["after_id"],
      error: "cannot be combined with search, tag, brand, sort or parent_id, because the list is in id order",
      ...coded("not_applicable"),
    },
  );
export type ProductsQuery = z.output<typeof ProductsQuery>;

type Sort = (typeof sorts)[number];

/** The sort order behind each value of `sort`, and whether it is reversed. */
export const sortOrderOf: Record<Sort, { order: ProductSortOrder; backwards: boolean }> = {
  newest: { order: "newest", backwards: true },
  price: { order: "price", backwards: false },
  "-price": { order: "price", backwards: true },
  name: { order: "name", backwards: false },
};
