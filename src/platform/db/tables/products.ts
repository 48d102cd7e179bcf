import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, sqliteView, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foldedWordsColumn, id, isFolded, updatedAt } from "./columns.ts";
import { PRICE_BAND, productIndexes, productStatuses, productTypes } from "./product-lists.ts";
import { taxClasses } from "./taxes.ts";

export const categories = sqliteTable(
  "categories",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [index("categories_by_name").on(sql`name COLLATE NOCASE`)],
);

/** Stock is low at this quantity or below, unless the product has its own threshold. */
export const LOW_STOCK = 5;

/** Conditions for active products with managed stock, and with low stock, in the words of their indexes. */
export const stockIsManaged = sql.raw(`manage_stock = 1 AND status = 'active'`);
export const stockIsLow = sql.raw(`manage_stock = 1 AND status = 'active' AND stock_quantity <= low_at`);

/** A price by its leading digits: 19.99 has qzp0x1999, qzp1x199, qzp2x19, qzp3x1, and so on. */
const priceWords = Array.from({ length: 9 }, (_, cut) => ` || ' qzp${cut}x' || (price / ${10 ** cut})`).join("");

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    sku: text().notNull().unique(),
    type: text({ enum: productTypes }).notNull(),
    status: text({ enum: productStatuses }).notNull(),
    description: text().notNull().default(""),
    foldedWords: foldedWordsColumn(),
    price: integer().notNull(),
    compareAtPrice: integer("compare_at_price"),
    categoryId: integer("category_id").references(() => categories.id),
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
      .generatedAlwaysAs(sql`("manage_stock" = 0 OR "stock_quantity" > 0)`, { mode: "virtual" })
      .notNull(),
    /** True if out of stock. Written by triggers on change: an index of `inStock` would cost every sale a write. */
    soldOut: flag("sold_out").notNull().default(false),
    priceBand: integer("price_band").generatedAlwaysAs(sql.raw(PRICE_BAND), { mode: "virtual" }),
    /** Status, type, stock, category and price as words for products_search. No typed word begins with `qz`. */
    facets: text().generatedAlwaysAs(
      sql.raw(
        `'qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '')${priceWords}`,
      ),
      { mode: "virtual" },
    ),
    /** Downloads granted by one sold unit of a product with files. Null if unlimited. */
    downloadLimit: integer("download_limit"),
    downloadDays: integer("download_days"),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("product_words_are_folded", `("name" || "sku" || "description")`),
    check("price_not_negative", sql.raw(`"price" >= 0`)),
    check("weight_not_negative", sql.raw(`"weight_grams" >= 0`)),
    check("stock_not_negative", sql.raw(`"stock_quantity" >= 0`)),
    check("stock_kept_when_managed", sql.raw(`("manage_stock" = 1) = ("stock_quantity" IS NOT NULL)`)),
    index("products_running_out").on(table.stockQuantity, table.id).where(stockIsManaged),
    index("products_low").on(table.stockQuantity, table.id).where(stockIsLow),
    index("products_by_update").on(table.updatedAt),
    ...productIndexes(table.categoryId),
  ],
);

const offer = {
  name: text().notNull(),
  sku: text().notNull(),
  type: text({ enum: productTypes }).notNull(),
  price: integer().notNull(),
  images: text({ mode: "json" }).$type<{ url: string; alt: string }[]>().notNull(),
  requiresShipping: flag("requires_shipping").notNull(),
};

/** The last active version of a draft. Written and deleted by triggers. */
export const withdrawnProducts = sqliteTable("withdrawn_products", {
  productId: integer("product_id")
    .primaryKey()
    .references(() => products.id, { onDelete: "cascade" }),
  ...offer,
});

/** Every product as shoppers may see it: active products as they are, drafts in their last active version. */
export const productOffers = sqliteView("product_offers", { id: integer().notNull(), ...offer }).existing();
