import * as z from "zod";
import { changesSomething, coded } from "../../domain/fields.ts";
import { type Answered, changeShape, newShape } from "../../platform/administration/fields.ts";
import { LOW_STOCK, taxClasses } from "../../platform/db/schema.ts";
import { cursorFields, hasCursor, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { productFields } from "./fields.ts";
import {
  ofOneProduct,
  Product,
  type ProductRow,
  type ProductWithVariants,
  pricesInOrder,
  productFilters,
  sorts,
  toProduct,
  toVariants,
  variantsOrSearch,
} from "./schemas.ts";
import { countedStockIsManaged, managedStockIsCounted } from "./stock-schemas.ts";
import { ChosenValues, Inherits } from "./variants/fields.ts";

/** Filters and sort orders of the administration API's product list. */
export const allProductFilters = {
  ...productFilters,
  low_stock: z
    .literal("true")
    .optional()
    .describe(
      `Returns active products with low managed stock: at or below their \`low_stock_threshold\`, or ${LOW_STOCK} if they have none. Limited to the 10,000 lowest`,
    ),
  sort: z
    .enum([...sorts, "stock"])
    .default("newest")
    .describe("Sort order. `stock` lists the 10,000 active products with the lowest managed stock, lowest first"),
};

const fieldsOfAll = z.strictObject({ ...pageFields, ...cursorFields, ...allProductFilters });

const ofAllProducts = (query: z.output<typeof fieldsOfAll>) =>
  !hasCursor(query) || (query.sort === "newest" && !query.search && !query.category && !query.low_stock);

export const AllProductsQuery = fieldsOfAll
  .refine(...pricesInOrder)
  .refine(...withoutPages)
  .refine(...variantsOrSearch)
  .refine(ofAllProducts, {
    path: ["updated_since"],
    error:
      "and after_id cannot be combined with search, category, low_stock or sort, because a product that leaves the list would not be reported",
    ...coded("not_applicable"),
  });
export type AllProductsQuery = z.output<typeof AllProductsQuery>;
export type AllProductFilters = Omit<AllProductsQuery, keyof typeof pageFields | keyof typeof cursorFields>;

/** The slug defaults to one derived from the name. Stock is managed if `stock_quantity` is sent. */
export const NewProduct = z
  .strictObject(newShape(productFields))
  .refine(...managedStockIsCounted)
  .refine(...countedStockIsManaged)
  .meta({ id: "NewProduct" });
export type NewProduct = z.output<typeof NewProduct>;

export const ProductChange = z
  .strictObject({ ...changeShape(productFields), option_values: ChosenValues, inherits: Inherits })
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ProductChange", description: "Fields to change. Fields that are not sent keep their values" });
export type ProductChange = z.output<typeof ProductChange>;

/** A product in the administration API, with the files it grants. */
export const AdminProduct = z
  .object({
    ...Product.shape,
    tax_class: z.enum(taxClasses),
    low_stock_threshold: z.int().nullable(),
    download_limit: z.int().nullable(),
    download_days: z.int().nullable(),
    inherits: Inherits,
    variant_count: z.int().describe("Number of variants, including inactive ones"),
  } satisfies Answered<typeof productFields, "category_id" | "file_ids">)
  .meta({ id: "AdminProduct" });

/** A product in the administration API with its variants. */
export const AdminProductDetail = AdminProduct.extend(ofOneProduct).meta({ id: "AdminProductDetail" });

export const toAdminProduct = (
  row: ProductRow,
  facts: Parameters<typeof toProduct>[1],
): z.output<typeof AdminProduct> => ({
  ...toProduct(row, facts),
  status: row.ownStatus ?? row.status,
  inherits: row.inherits,
  variant_count: row.variantCount,
  tax_class: row.taxClass,
  low_stock_threshold: row.lowStockThreshold,
  download_limit: row.downloadLimit,
  download_days: row.downloadDays,
});

export const toAdminProductDetail = (
  row: ProductWithVariants,
  facts: Parameters<typeof toProduct>[1],
): z.output<typeof AdminProductDetail> => ({ ...toAdminProduct(row, facts), variants: toVariants(row, facts) });
