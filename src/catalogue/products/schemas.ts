import * as z from "zod";
import { coded, iso, Timestamp } from "../../domain/fields.ts";
import { Money, PriceText, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import type { productFiles, products } from "../../platform/db/schema.ts";
import {
  type ProductSortOrder,
  productSortOrders,
  productStatuses,
  productTypes,
} from "../../platform/db/tables/product-lists.ts";
import { afterIdField, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { fieldsParameter } from "../../platform/http/sparse-fieldsets.ts";

type Prices = { min_price?: number | undefined; max_price?: number | undefined };

export const pricesInOrder: [(prices: Prices) => boolean, { path: string[]; error: string }] = [
  ({ min_price, max_price }) => min_price === undefined || max_price === undefined || min_price <= max_price,
  { path: ["min_price"], error: "must not be above the maximum price" },
];

export const sorts = [...productSortOrders, "-price"] as const;

/** Filters and sort orders of product lists. Prices are parsed as minor units. */
export const productFilters = {
  category: z.string().max(100).optional().describe("Slug, id or name of a category, matched in that order"),
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Words to find in the name, SKU or description. The last word may be incomplete if it has at least two letters. Up to 8 different words are used, and at most the 10,000 newest matches are counted and sorted",
    ),
  status: z
    .enum(productStatuses)
    .optional()
    .describe(
      "Filters by status. Only staff and API keys with products:write see drafts; without this parameter they see both",
    ),
  type: z.enum(productTypes).optional(),
  min_price: PriceText.optional(),
  max_price: PriceText.optional(),
  in_stock: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  sort: z.enum(sorts).default("newest").describe("Sort order. `-price` lists the most expensive products first"),
};

export type ProductRow = Omit<
  typeof products.$inferSelect,
  "foldedWords" | "soldOut" | "facets" | "lowAt" | "priceBand"
> & {
  category: { id: number; name: string; slug: string } | null;
  files: { id: (typeof productFiles.$inferSelect)["fileId"]; name: string }[];
};

export const Product = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    sku: z.string(),
    type: z.enum(productTypes),
    status: z.enum(productStatuses),
    description: z.string(),
    price: Money,
    compare_at_price: Money.nullable().describe("Previous price, shown for comparison"),
    currency: z.string(),
    category: z.object({ id: z.int(), name: z.string(), slug: z.string() }).nullable(),
    images: z.array(z.object({ url: z.string(), alt: z.string() })),
    requires_shipping: z.boolean(),
    weight_grams: z.int().nullable(),
    manage_stock: z.boolean().describe("True if the stock of the product is managed"),
    stock_quantity: z.int().nullable().describe("Number of units that can be bought. Null if stock is not managed"),
    in_stock: z.boolean(),
    files: z.array(z.object({ id: z.int(), name: z.string() })).describe("Files that buyers can download"),
    metadata: z.record(z.string(), z.string()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Product" });
export type Product = z.output<typeof Product>;

/** A product with only the requested fields. */
const ProductPart = Product.partial().meta({ id: "ProductPart" });
export const ProductOrPart = z.union([Product, ProductPart]);

export const ProductQuery = z.strictObject({ fields: fieldsParameter(Product) });

export const ProductsQuery = z
  .strictObject({ ...pageFields, ...productFilters, ...afterIdField, fields: fieldsParameter(Product) })
  .refine(...pricesInOrder)
  .refine(...withoutPages)
  .refine(({ after_id, search, sort }) => after_id === undefined || (!search && sort === "newest"), {
    path: ["after_id"],
    error: "cannot be combined with search or sort, because the list is in id order",
    ...coded("not_applicable"),
  });
export type ProductsQuery = z.output<typeof ProductsQuery>;

/** Parsing the plain paths of uploaded images would cost a list of products a fortieth of its time. */
const absoluteUrl = (url: string, origin: string): string =>
  /^\/images\/\w+\.\w+$/.test(url) ? origin + url : new URL(url, origin).href;

/** Converts a product row to JSON. `origin` completes relative image URLs, which are the deployment's own. */
export const toProduct = (row: ProductRow, { currency, origin }: { currency: string; origin: string }): Product => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  sku: row.sku,
  type: row.type,
  status: row.status,
  description: row.description,
  price: toDecimal(row.price),
  compare_at_price: toDecimalOrNull(row.compareAtPrice),
  currency,
  category: row.category,
  images: row.images.map(({ url, alt }) => ({ url: absoluteUrl(url, origin), alt })),
  requires_shipping: row.requiresShipping,
  weight_grams: row.weightGrams,
  manage_stock: row.manageStock,
  stock_quantity: row.stockQuantity,
  in_stock: row.inStock,
  files: row.files,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

type Sort = (typeof sorts)[number];

/** The sort order behind each value of `sort`, and whether it is reversed. */
export const sortOrderOf: Record<Sort, { order: ProductSortOrder; backwards: boolean }> = {
  newest: { order: "newest", backwards: true },
  price: { order: "price", backwards: false },
  "-price": { order: "price", backwards: true },
  name: { order: "name", backwards: false },
};
