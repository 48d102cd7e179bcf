import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "../../../platform/db/columns.ts";

// Indexes and counts that product lists read. Those of a new status, type or sort order follow from its value here.

export const productTypes = ["physical", "digital", "service"] as const;
export type ProductType = (typeof productTypes)[number];
export const productStatuses = ["active", "draft"] as const;
export type ProductStatus = (typeof productStatuses)[number];

export const productSortOrders = ["newest", "price", "name"] as const;
export type ProductSortOrder = (typeof productSortOrders)[number];

/** Columns of each sort order. Ids come last, so that the order is total. The newest product has the greatest id. */
export const sortColumns: Record<ProductSortOrder, readonly string[]> = {
  newest: ["id"],
  price: ["price", "id"],
  name: ["name COLLATE NOCASE", "id"],
};

/** Filters besides status and category. The indexes include them, so that no product has to be looked up. */
const NARROWING = ["type", "sold_out", "price", "highest_variant_price"] as const;

/** Name of the index for a list of all products, or of one status, in a sort order. */
export const productIndex = (status: ProductStatus | undefined, order: ProductSortOrder): string =>
  ["products", status, order === "newest" ? order : `by_${order}`].filter(Boolean).join("_");

/** The condition in the exact words of the index, without which SQLite ignores the index. Lists leave out variants. */
export const isListed = (status: ProductStatus | undefined): SQL =>
  sql.raw(status ? `status = '${status}' AND parent_id IS NULL` : "parent_id IS NULL");

/** Columns of a sort order, followed by filtered columns. */
const coveringColumns = (order: ProductSortOrder): SQL[] => {
  const sorted = sortColumns[order];
  return [...sorted, ...NARROWING.filter((name) => !sorted.includes(name))].map((name) => sql.raw(name));
};

export const productIndexes = () =>
  [undefined, ...productStatuses].flatMap((status) =>
    productSortOrders.map((order) => {
      const [first = sql.raw("id"), ...more] = coveringColumns(order);
      return index(productIndex(status, order))
        .on(first, ...more)
        .where(isListed(status));
    }),
  );

const kind = {
  categoryId: integer("category_id").notNull(),
  status: text({ enum: productStatuses }).notNull(),
  type: text({ enum: productTypes }).notNull(),
  soldOut: flag("sold_out").notNull(),
};

/** Name of the index for the products of a category in a sort order. For the newest it is SQLite's name of the primary key. */
export const categoryIndex = (order: ProductSortOrder): string =>
  order === "newest" ? "sqlite_autoindex_category_products_1" : `category_products_by_${order}`;

/**
 * Products by category. Each is listed under its own category and all ancestors, so that the list of any of them is
 * read from one index. Written by triggers.
 */
export const categoryProducts = sqliteTable(
  "category_products",
  {
    categoryId: kind.categoryId,
    status: kind.status,
    id: integer().notNull(),
    name: text().notNull(),
    price: integer().notNull(),
    type: kind.type,
    soldOut: kind.soldOut,
    highestVariantPrice: integer("highest_variant_price"),
  },
  (table) => [
    primaryKey({ columns: [table.categoryId, table.status, table.id] }),
    ...productSortOrders
      .filter((order) => order !== "newest")
      .map((order) => index(categoryIndex(order)).on(table.categoryId, table.status, ...coveringColumns(order))),
  ],
);

/**
 * Number of products of each kind, by category including its descendants and, as category 0, in total. Written by
 * triggers.
 */
export const productCounts = sqliteTable("product_counts", { ...kind, items: integer().notNull() }, (table) => [
  primaryKey({ columns: [table.categoryId, table.status, table.type, table.soldOut] }),
]);

/** Number of products by price band. A range is counted by the bands that it contains. */
export const productPriceCounts = sqliteTable(
  "product_price_counts",
  { ...kind, priceBand: integer("price_band").notNull(), items: integer().notNull() },
  (table) => [primaryKey({ columns: [table.categoryId, table.status, table.priceBand, table.type, table.soldOut] })],
);

/**
 * Products whose variants differ in price, by price band: plus one in the band of the lowest price, minus one in that of the
 * highest. The sum of the bands below a price is the number of products that cost less and more than it.
 */
export const productRangeCounts = sqliteTable(
  "product_range_counts",
  { ...kind, priceBand: integer("price_band").notNull(), items: integer().notNull() },
  (table) => [primaryKey({ columns: [table.categoryId, table.status, table.priceBand, table.type, table.soldOut] })],
);

/** Tables that are stored in the order of their primary key, so that a row is written and read once. */
export const storedByKey = [categoryProducts, productCounts, productPriceCounts, productRangeCounts];

/** The band of a price is the lowest price with the same two leading digits: 1,900 for 1,999. */
const bandOf = (price: string) =>
  `"${price}" - "${price}" % CAST(substr('1000000000', 1, max(1, length("${price}") - 1)) AS INTEGER)`;
export const PRICE_BAND = bandOf("price");
export const HIGHEST_PRICE_BAND = bandOf("highest_variant_price");

const bandWidth = (price: number): number => 10 ** Math.max(0, String(price).length - 2);

/** The value of PRICE_BAND for a price. */
export const priceBandOf = (price: number): number => price - (price % bandWidth(price));

/** The band after that of a price. */
export const priceBandAbove = (price: number): number => priceBandOf(price) + bandWidth(price);
