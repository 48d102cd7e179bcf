import * as z from "zod";
import { coded, partialUpdate } from "../../domain/fields.ts";
import { License } from "../../domain/license.ts";
import { Money, toDecimalOrNull } from "../../domain/money.ts";
import { toUnitPricing } from "../../domain/unit-pricing.ts";
import { changeShape, newShape, type ResponseSchemas } from "../../platform/administration/fields.ts";
import { LOW_STOCK, taxClasses } from "../../platform/db/schema.ts";
import { cursorFields, hasCursor, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { productFields } from "./fields.ts";
import {
  type LookUp,
  looksUpOnly,
  lookUpFields,
  pricesInOrder,
  productFilters,
  sorts,
  variantsOrSearch,
} from "./listing/query.ts";
import {
  ofOneProduct,
  Product,
  type ProductRow,
  type ProductWithVariants,
  toOneProduct,
  toProduct,
} from "./schemas.ts";
import { countedStockIsManaged, managedStockIsCounted } from "./stock.ts";
import { ChosenValues, Inherits } from "./variants/fields.ts";

/** Filters and sort orders of the administration API's product list. */
export const allProductFilters = {
  ...productFilters,
  low_stock: z
    .literal("true")
    .optional()
    .describe(
      `Active products with low stock: at or below \`low_stock_threshold\`, or ${LOW_STOCK}. Limited to the 10,000 lowest`,
    ),
  sort: z
    .enum([...sorts, "stock"])
    .default("newest")
    .describe("`stock` lists the 10,000 active products with the lowest managed stock, lowest first"),
};

const followedFields = {
  ...cursorFields,
  updated_since: cursorFields.updated_since.describe(
    "Returns products that were edited or whose stock changed at or after this time, sorted by the time of the last change",
  ),
  variants: z
    .literal("true")
    .optional()
    .describe("Lists variants beside products. Only with `updated_since` or `after_id`"),
};

const fieldsOfAll = z.strictObject({ ...pageFields, ...lookUpFields, ...followedFields, ...allProductFilters });

const ofAllProducts = (query: z.output<typeof fieldsOfAll>) =>
  !hasCursor(query) ||
  (query.sort === "newest" && ![query.search, query.category, query.tag, query.brand, query.low_stock].some(Boolean));

export const AllProductsQuery = fieldsOfAll
  .refine(...looksUpOnly)
  .refine((query) => !query.variants || (hasCursor(query) && query.parent_id === undefined), {
    path: ["variants"],
    error: "requires updated_since or after_id, without parent_id",
    ...coded("not_applicable"),
  })
  .refine(...pricesInOrder)
  .refine(...withoutPages)
  .refine(...variantsOrSearch)
  .refine(ofAllProducts, {
    path: ["updated_since"],
    error:
      "and after_id cannot be combined with search, category, tag, brand, low_stock or sort, because products that leave such a list would not be reported",
    ...coded("not_applicable"),
  });
export type AllProductsQuery = z.output<typeof AllProductsQuery>;
export type AllProductFilters = Omit<
  AllProductsQuery,
  keyof typeof pageFields | keyof typeof followedFields | keyof LookUp
>;

/** The slug defaults to one derived from the name. Stock is managed if `stock_quantity` is sent. */
export const ProductCreate = z
  .strictObject(newShape(productFields))
  .refine(...managedStockIsCounted)
  .refine(...countedStockIsManaged)
  .meta({ id: "ProductCreate" });
export type ProductCreate = z.output<typeof ProductCreate>;

export const ProductUpdate = partialUpdate("ProductUpdate", {
  ...changeShape(productFields),
  option_values: ChosenValues,
  inherits: Inherits,
});
export type ProductUpdate = z.output<typeof ProductUpdate>;

/** A product in the administration API, with the files it grants. */
export const AdminProduct = z
  .object({
    ...Product.shape,
    seo_title: z.string().nullable(),
    seo_description: z.string().nullable(),
    cost: Money.nullable().describe(
      "Purchase cost of one unit, without tax. Null if unknown, and for API keys without products:write",
    ),
    external_id: z.string().nullable(),
    tax_class: z.enum(taxClasses),
    low_stock_threshold: z.int().nullable(),
    download_limit: z.int().nullable(),
    download_days: z.int().nullable(),
    license: License.nullable().describe("License key of each sold unit. Null if it has none"),
    inherits: Inherits,
    variant_count: z.int().describe("Number of variants, including inactive ones"),
  } satisfies ResponseSchemas<typeof productFields, "category_id" | "file_ids">)
  .meta({ id: "AdminProduct" });

/** A product in the administration API with its variants. */
export const AdminProductDetail = AdminProduct.extend(ofOneProduct).meta({ id: "AdminProductDetail" });

type AdminFacts = Parameters<typeof toProduct>[1] & { seesCosts: boolean };

export const toAdminProduct = (row: ProductRow, facts: AdminFacts): z.output<typeof AdminProduct> => ({
  ...toProduct(row, facts),
  status: row.ownStatus ?? row.status,
  inherits: row.inherits,
  variant_count: row.variantCount,
  unit_pricing: toUnitPricing(row.price, row.unitPricing),
  seo_title: row.seoTitle,
  seo_description: row.seoDescription,
  cost: facts.seesCosts ? toDecimalOrNull(row.cost) : null,
  external_id: row.externalId,
  tax_class: row.taxClass,
  low_stock_threshold: row.lowStockThreshold,
  download_limit: row.downloadLimit,
  download_days: row.downloadDays,
  license: row.license,
});

export const toAdminProductDetail = (
  row: ProductWithVariants,
  facts: AdminFacts,
): z.output<typeof AdminProductDetail> => ({ ...toAdminProduct(row, facts), ...toOneProduct(row, facts) });
