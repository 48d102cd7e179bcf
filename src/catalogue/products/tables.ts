import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { taxClasses } from "../../checkout/taxes/tables.ts";
import type { License } from "../../domain/license.ts";
import { limits } from "../../domain/limits.ts";
import { MAX_OPTIONS, type OptionValue } from "../../domain/option-values.ts";
import type { UnitPricing } from "../../domain/unit-pricing.ts";
import {
  createdAt,
  flag,
  foldedWordsColumn,
  foreignId,
  id,
  isFolded,
  rowId,
  sortNameColumn,
  updatedAt,
} from "../../platform/db/columns.ts";
import { productStatuses, productTypes } from "./listing/tables.ts";

/** Conditions of products, by the names that feeds and agents have for them. */
export const productConditions = ["new", "refurbished", "used"] as const;
export type ProductCondition = (typeof productConditions)[number];

/**
 * The right to withdraw from a purchase (directive 2011/83/EU, article 16), and why there is none: goods made to the buyer's
 * specifications (c), that expire rapidly (d), newspapers and periodicals (j), and services on a fixed date (l). Sealed
 * goods (e, i) can be returned while the seal is intact.
 */
export const withdrawalRules = [
  "standard",
  "sealed",
  "personalized",
  "perishable",
  "periodical",
  "dated_service",
] as const;
export type WithdrawalRule = (typeof withdrawalRules)[number];

export const renewalIntervals = ["month", "year"] as const;
export type RenewalInterval = (typeof renewalIntervals)[number];

export const categories = sqliteTable(
  "categories",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    parentId: integer("parent_id").references((): AnySQLiteColumn => categories.id),
    /** The categories from the top of the tree down to this one. Written by triggers. */
    path: text({ mode: "json" }).$type<{ id: number; name: string; slug: string }[]>().notNull().default([]),
    /** Sorts categories by name, each before its descendants. Written by triggers. */
    treeOrder: text("tree_order").notNull().default(""),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("category_within_levels", sql.raw(`json_array_length("path") <= ${limits.CATEGORY_LEVELS}`)),
    check("category_not_below_itself", sql.raw(`"parent_id" <> "id"`)),
    index("categories_by_name").on(sql`name COLLATE NOCASE`),
    index("categories_by_parent").on(table.parentId),
    index("categories_in_order").on(sql`tree_order COLLATE NOCASE`),
  ],
);

/** Slugs that categories had before they were renamed. Written by a trigger. */
export const formerCategorySlugs = sqliteTable(
  "former_category_slugs",
  {
    slug: text().primaryKey(),
    categoryId: foreignId("category_id", () => categories.id, { onDelete: "cascade" }),
  },
  (table) => [index("former_category_slugs_by_category").on(table.categoryId)],
);

/** Stock is low at this quantity or below, unless the product has its own threshold. */
export const LOW_STOCK = 5;

/** Conditions for active products with managed stock, and with low stock, in the words of their indexes. */
export const stockIsManaged = sql.raw(`manage_stock = 1 AND status = 'active'`);
export const stockIsLow = sql.raw(`manage_stock = 1 AND status = 'active' AND stock_quantity <= low_at`);

/** A price by its leading digits: 19.99 has qzp0x1999, qzp1x199, qzp2x19, qzp3x1, and so on. */
const priceWords = (prefix: string, price: string) =>
  Array.from({ length: 9 }, (_, cut) => `' ${prefix}${cut}x' || (${price} / ${10 ** cut})`).join(" || ");

/** Searched texts of a row. A variant has a value for each of up to three options. */
const SEARCHED_TEXT = `iif("parent_id" IS NULL, "name" || "sku" || ifnull("brand", '') || "description", "sku" || ${Array.from({ length: MAX_OPTIONS }, (_, n) => `ifnull("option_values" ->> '$[${n}].value', '')`).join(" || ")})`;

/** An option of a product with variants, such as Size, with its values. */
export type ProductOption = { name: string; values: string[] };

/** Fields that a variant inherits from its parent unless it has its own value, by their names in requests. */
export const inheritable = [
  "name",
  "description",
  "brand",
  "seo_title",
  "seo_description",
  "type",
  "images",
  "requires_shipping",
  "weight_grams",
  "tax_class",
  "file_ids",
  "download_limit",
  "download_days",
  "license",
  "renews",
  "condition",
  "withdrawal",
  "unit_pricing",
] as const;
export type InheritableField = (typeof inheritable)[number];

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    sku: text().notNull().unique(),
    type: text({ enum: productTypes }).notNull(),
    status: text({ enum: productStatuses }).notNull(),
    /** Markdown. */
    description: text().notNull().default(""),
    brand: text(),
    /** GTIN. */
    barcode: text(),
    /** Id in another system, set by programs. */
    externalId: text("external_id"),
    condition: text({ enum: productConditions }).notNull().default("new"),
    withdrawal: text({ enum: withdrawalRules }).notNull().default("standard"),
    seoTitle: text("seo_title"),
    seoDescription: text("seo_description"),
    foldedWords: foldedWordsColumn(),
    sortName: sortNameColumn(),
    price: integer().notNull(),
    compareAtPrice: integer("compare_at_price"),
    /** Lowest price in the 30 days before the reduction. Written by a trigger. */
    priorPrice: integer("prior_price"),
    unitPricing: text("unit_pricing", { mode: "json" }).$type<UnitPricing>(),
    /** Purchase cost of one unit. For staff only. */
    cost: integer(),
    categoryId: integer("category_id").references(() => categories.id),
    /** Names of the tags, so that no product is read with its rows of `tags`. */
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    tagIds: text("tag_ids", { mode: "json" }).$type<number[]>().notNull().default([]),
    images: text({ mode: "json" }).$type<{ url: string; alt: string }[]>().notNull().default([]),
    requiresShipping: flag("requires_shipping").notNull(),
    taxClass: text("tax_class", { enum: taxClasses }).notNull().default("standard"),
    /** Used for weight-based shipping. Null counts as 0. */
    weightGrams: integer("weight_grams"),
    /** If false, the product never sells out and `stockQuantity` is null. */
    manageStock: flag("manage_stock").notNull(),
    stockQuantity: integer("stock_quantity"),
    /** The product's own low-stock threshold. */
    lowStockThreshold: integer("low_stock_threshold"),
    lowAt: integer("low_at").generatedAlwaysAs(sql.raw(`ifnull("low_stock_threshold", ${LOW_STOCK})`), {
      mode: "virtual",
    }),
    inStock: flag("in_stock")
      .generatedAlwaysAs(sql.raw(`iif("options" = '[]', "manage_stock" = 0 OR "stock_quantity" > 0, NOT "sold_out")`), {
        mode: "virtual",
      })
      .notNull(),
    /** True if out of stock; of a parent, if no variant can be bought. Written by triggers on change: an index of `inStock` would cost every sale a write. */
    soldOut: flag("sold_out").notNull().default(false),
    /** Status, type, stock, category, tags, brand and price as words for products_search. No typed word begins with `qz`. */
    facets: text().generatedAlwaysAs(
      sql.raw(
        `'qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '') || replace(replace(rtrim(tag_ids, ']'), '[', ' qzt'), ',', ' qzt') || iif(brand IS NULL, '', ' qzb' || hex(lower(brand))) || ${priceWords("qzp", "price")} || ifnull(iif(highest_variant_price > price, ' qzrange' || ${priceWords("qzh", "highest_variant_price")}, ''), '')`,
      ),
      { mode: "virtual" },
    ),
    /** Downloads granted by one sold unit of a product with files. Null if unlimited. */
    downloadLimit: integer("download_limit"),
    downloadDays: integer("download_days"),
    /** Terms of the license key that each sold unit issues. Null if none is. */
    license: text({ mode: "json" }).$type<License>(),
    /** Interval in which buyers pay again for further access. Null if they pay once. */
    renews: text({ enum: renewalIntervals }),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** The product that this row is a variant of. Variants are ordered and counted like products but not listed. */
    parentId: integer("parent_id").references((): AnySQLiteColumn => products.id, { onDelete: "cascade" }),
    /** A product with options is a parent: only its variants are for sale. */
    options: text({ mode: "json" }).$type<ProductOption[]>().notNull().default([]),
    /** One value for each of the parent's options, in their order. Empty unless the product is a variant. */
    optionValues: text("option_values", { mode: "json" }).$type<OptionValue[]>().notNull().default([]),
    /** Fields that a variant takes from its parent. Triggers copy them. */
    inherits: text({ mode: "json" }).$type<InheritableField[]>().notNull().default([]),
    /** The status set for a variant. Its `status` is active only while its parent is active too. */
    ownStatus: text("own_status", { enum: productStatuses }),
    // Data about the variants of a parent, besides `price`, the lowest of the active ones, and `sold_out`. Written by
    // triggers.
    highestVariantPrice: integer("highest_variant_price"),
    /** Content of the variant whose price is `price`. */
    variantUnitPricing: text("variant_unit_pricing", { mode: "json" }).$type<UnitPricing>(),
    /** Negative within a batch that writes many variants. */
    variantCount: integer("variant_count").notNull().default(0),
    /** SKUs and option values of the active variants, for the search. */
    variantWords: text("variant_words").notNull().default(""),
    /** SKUs and option values of draft variants, by which only staff find the product. */
    draftWords: text("draft_words").notNull().default(""),
    /**
     * `updated_at` if the change came from its variants or, for a variant, from its product. Such a change has no event
     * of its own.
     */
    relatedUpdatedAt: integer("related_updated_at"),
  },
  (table) => [
    isFolded("product_words_are_folded", SEARCHED_TEXT),
    check(
      "variant_has_a_parent",
      sql.raw(
        `("parent_id" IS NOT NULL) = ("option_values" <> '[]') AND ("parent_id" IS NOT NULL) = ("own_status" IS NOT NULL) AND ("parent_id" IS NULL OR "options" = '[]')`,
      ),
    ),
    check(
      "parent_is_not_for_sale",
      sql.raw(
        `"options" = '[]' OR "manage_stock" = 0 AND "compare_at_price" IS NULL AND "cost" IS NULL AND "barcode" IS NULL`,
      ),
    ),
    uniqueIndex("variants_differ").on(table.parentId, table.optionValues).where(sql.raw("parent_id IS NOT NULL")),
    index("products_by_parent")
      .on(table.parentId, table.ownStatus, table.price, table.soldOut)
      .where(sql.raw("parent_id IS NOT NULL")),
    check("price_not_negative", sql.raw(`"price" >= 0`)),
    check("cost_not_negative", sql.raw(`"cost" >= 0`)),
    check("weight_not_negative", sql.raw(`"weight_grams" >= 0`)),
    check("stock_not_negative", sql.raw(`"stock_quantity" >= 0`)),
    check("stock_kept_when_managed", sql.raw(`("manage_stock" = 1) = ("stock_quantity" IS NOT NULL)`)),
    index("products_running_out").on(table.stockQuantity, table.id).where(stockIsManaged),
    index("products_low").on(table.stockQuantity, table.id).where(stockIsLow),
    index("products_by_update").on(table.updatedAt),
    uniqueIndex("products_by_external_id").on(table.externalId).where(sql.raw("external_id IS NOT NULL")),
    index("products_by_barcode").on(table.barcode).where(sql.raw("barcode IS NOT NULL")),
  ],
);

/** Prices that ended within 30 days. Written by a trigger, and deleted by the schedule in the order of their ids. */
export const priceHistory = sqliteTable(
  "price_history",
  {
    id: rowId(),
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    price: integer().notNull(),
    endedAt: integer("ended_at").notNull(),
  },
  (table) => [index("price_history_by_product").on(table.productId, table.endedAt)],
);

/** Slugs that products and variants had before they were renamed. Written by a trigger. */
export const formerProductSlugs = sqliteTable(
  "former_product_slugs",
  {
    slug: text().primaryKey(),
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
  },
  (table) => [index("former_product_slugs_by_product").on(table.productId)],
);

const offer = {
  name: text().notNull(),
  sku: text().notNull(),
  type: text({ enum: productTypes }).notNull(),
  price: integer().notNull(),
  images: text({ mode: "json" }).$type<{ url: string; alt: string }[]>().notNull(),
  requiresShipping: flag("requires_shipping").notNull(),
  optionValues: text("option_values", { mode: "json" }).$type<OptionValue[]>().notNull(),
};

/** The last active version of a draft. Written and deleted by triggers. */
export const withdrawnProducts = sqliteTable("withdrawn_products", {
  productId: integer("product_id")
    .primaryKey()
    .references(() => products.id, { onDelete: "cascade" }),
  ...offer,
});

/**
 * Every product in the form that shoppers may see: active products as they are, drafts in their last active version.
 */
export const productOffers = sqliteView("product_offers", { id: integer().notNull(), ...offer }).existing();
