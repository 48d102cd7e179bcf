import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, sqliteView, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, oneOf, updatedAt } from "./columns.ts";

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

export const productTypes = ["physical", "digital", "service"] as const;
export const productStatuses = ["active", "draft"] as const;

/** A price by its digits from the left: what costs 19.99 has qzp0x1999, qzp1x199, qzp2x19, qzp3x1, and so on. */
const priceWords = Array.from({ length: 9 }, (_, cut) => ` || ' qzp${cut}x' || (price / ${10 ** cut})`).join("");

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    sku: text().notNull().unique(),
    type: text({ enum: productTypes }).notNull(),
    status: text({ enum: productStatuses }).notNull().default("draft"),
    description: text().notNull().default(""),
    price: integer().notNull(),
    compareAtPrice: integer("compare_at_price"),
    categoryId: integer("category_id").references(() => categories.id),
    images: text({ mode: "json" }).$type<{ url: string; alt: string }[]>().notNull().default([]),
    requiresShipping: flag("requires_shipping").notNull(),
    /** Without it the product never runs out, and `stockQuantity` is null. */
    manageStock: flag("manage_stock").notNull(),
    stockQuantity: integer("stock_quantity"),
    inStock: flag("in_stock")
      .generatedAlwaysAs(sql`("manage_stock" = 0 OR "stock_quantity" > 0)`, { mode: "virtual" })
      .notNull(),
    /** That it is not in stock, written when that changes: an index of `inStock` itself is written with every sale. */
    soldOut: flag("sold_out").notNull().default(false),
    /** Status, type and stock as one number from 0 to 11, under which listing_nodes counts the product. */
    kind: integer().generatedAlwaysAs(
      sql`(status = 'draft') * 6 + CASE type WHEN 'physical' THEN 0 WHEN 'digital' THEN 2 ELSE 4 END + in_stock`,
      { mode: "virtual" },
    ),
    /** The same and its category and price as words for products_search; `qz` begins none that people type. */
    facets: text().generatedAlwaysAs(
      sql.raw(
        `'qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '')${priceWords}`,
      ),
      { mode: "virtual" },
    ),
    /** What one sold unit grants when files hang on the product; null is without limit. */
    downloadLimit: integer("download_limit"),
    downloadDays: integer("download_days"),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    oneOf("product_type", "type", productTypes),
    oneOf("product_status", "status", productStatuses),
    check("price_not_negative", sql.raw(`"price" >= 0`)),
    check("stock_not_negative", sql.raw(`"stock_quantity" >= 0`)),
    check("stock_kept_when_managed", sql.raw(`("manage_stock" = 1) = ("stock_quantity" IS NOT NULL)`)),
    index("products_running_out")
      .on(table.stockQuantity, table.id)
      .where(sql.raw(`manage_stock = 1 AND status = 'active'`)),
    index("products_by_update").on(table.updatedAt),
    ...listingIndexes(table),
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

/** What a draft was when it was last on sale. Triggers write and delete it. */
export const withdrawnProducts = sqliteTable("withdrawn_products", {
  productId: integer("product_id")
    .primaryKey()
    .references(() => products.id, { onDelete: "cascade" }),
  ...offer,
});

/** Every product as shoppers may know it: what is on sale as it is, a draft as it last was. */
export const productOffers = sqliteView("product_offers", { id: integer().notNull(), ...offer }).existing();

/**
 * An index for each order of each list: whatever a list is narrowed by, its rows stand in a few runs of one of these, by
 * status and stock, and are merged from them without a row too many. The id that every index ends with is left unsaid: SQLite
 * does not seek by one that is said.
 */
function listingIndexes(table: Record<"status" | "type" | "categoryId" | "soldOut" | "price", AnySQLiteColumn>) {
  const lists = {
    "": [table.status],
    _of_type: [table.type, table.status],
    _of_category: [table.categoryId, table.status],
    _of_category_and_type: [table.categoryId, table.type, table.status],
  } as const;
  const orders = { _newest: [], _by_price: [table.price], _by_name: [sql`name COLLATE NOCASE`] };
  return Object.entries(lists).flatMap(([list, [first, ...more]]) =>
    Object.entries(orders).map(([order, key]) =>
      index(`products${list}${order}`).on(first, ...more, table.soldOut, ...key),
    ),
  );
}
