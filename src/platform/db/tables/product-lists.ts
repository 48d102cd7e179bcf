import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "./columns.ts";

// What lists of products are read from. The indexes and counts of a new status, type or sort order follow from its value here.

export const productTypes = ["physical", "digital", "service"] as const;
export type ProductType = (typeof productTypes)[number];
export const productStatuses = ["active", "draft"] as const;
export type ProductStatus = (typeof productStatuses)[number];

export const productSortOrders = ["newest", "price", "name"] as const;
export type ProductSortOrder = (typeof productSortOrders)[number];

/** What each order sorts by. Ids come last, so that no two products are alike; the newest product has the greatest. */
export const sortColumns: Record<ProductSortOrder, readonly string[]> = {
  newest: ["id"],
  price: ["price", "id"],
  name: ["name COLLATE NOCASE", "id"],
};

/** What a list is narrowed by beside its status and its category; its index carries them, so that no product is looked up. */
const NARROWING = ["type", "sold_out", "price"] as const;

/** Lists that have indexes: of one status or of all of them, in one category or in all of them. */
export type ProductList = { status?: ProductStatus | undefined; inCategory: boolean };

/** The name of the index that has a list in an order. */
export const productIndex = ({ status, inCategory }: ProductList, order: ProductSortOrder): string =>
  ["products", status, inCategory && "in_category", order === "newest" ? order : `by_${order}`]
    .filter(Boolean)
    .join("_");

/** In the words of the index of that status, without which SQLite does not read it. */
export const hasStatus = (status: ProductStatus): SQL => sql.raw(`status = '${status}'`);

export const productIndexes = (categoryId: AnySQLiteColumn) =>
  [undefined, ...productStatuses].flatMap((status) =>
    [false, true].flatMap((inCategory) =>
      productSortOrders.map((order) => {
        const sorted = sortColumns[order];
        const carried = NARROWING.filter((name) => !sorted.includes(name));
        const [first = "id", ...more] = [...sorted, ...carried];
        const [leading, ...others] = inCategory ? [categoryId, sql.raw(first)] : [sql.raw(first)];
        const columns = [...others, ...more.map((name) => sql.raw(name))];
        const made = index(productIndex({ status, inCategory }, order)).on(leading, ...columns);
        return status ? made.where(hasStatus(status)) : made;
      }),
    ),
  );

const kind = {
  categoryId: integer("category_id").notNull(),
  status: text({ enum: productStatuses }).notNull(),
  type: text({ enum: productTypes }).notNull(),
  soldOut: flag("sold_out").notNull(),
};

/** How many products there are of each kind, in each category and, as category 0, in all. Triggers of products write it. */
export const productCounts = sqliteTable("product_counts", { ...kind, items: integer().notNull() }, (table) => [
  primaryKey({ columns: [table.categoryId, table.status, table.type, table.soldOut] }),
]);

/** The same for each band of prices: a range is counted by the bands that it has whole. */
export const productPriceCounts = sqliteTable(
  "product_price_counts",
  { ...kind, priceBand: integer("price_band").notNull(), items: integer().notNull() },
  (table) => [primaryKey({ columns: [table.categoryId, table.status, table.priceBand, table.type, table.soldOut] })],
);

/** The band of a price is the lowest price with the same two leading digits: 1,900 is that of 1,999. */
export const PRICE_BAND = `"price" - "price" % CAST(substr('1000000000', 1, max(1, length("price") - 1)) AS INTEGER)`;

const bandWidth = (price: number): number => 10 ** Math.max(0, String(price).length - 2);

/** What PRICE_BAND is of a price. */
export const priceBandOf = (price: number): number => price - (price % bandWidth(price));

/** The band above that of a price. */
export const priceBandAbove = (price: number): number => priceBandOf(price) + bandWidth(price);
