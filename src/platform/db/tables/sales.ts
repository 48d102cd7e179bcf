import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What sales are broken down by. */
export const salesDimensions = ["shop", "product", "category", "country"] as const;

/**
 * Sums of what was sold, added up from `order_history` and `refund_lines` after it happened (sales/add-up-queries.ts), so that
 * a report reads a row a day, however many orders there were. Money is in minor units, without tax unless it says so.
 */
export const sales = sqliteTable(
  "sales",
  {
    dimension: text({ enum: salesDimensions }).notNull(),
    /** A day, "2026-10-05", or a whole month, "2026-10", in UTC. */
    period: text().notNull(),
    /** The product's or category's id, the country's code; empty for the whole shop, and where it is not known. */
    key: text().notNull(),
    /** Orders that were paid; of a product and a category its order lines. */
    orders: integer().notNull().default(0),
    units: integer().notNull().default(0),
    returnedUnits: integer("returned_units").notNull().default(0),
    /** Goods after their discounts. */
    goods: integer().notNull().default(0),
    returnedGoods: integer("returned_goods").notNull().default(0),
    /** After its discount. */
    shipping: integer().notNull().default(0),
    returnedShipping: integer("returned_shipping").notNull().default(0),
    tax: integer().notNull().default(0),
    returnedTax: integer("returned_tax").notNull().default(0),
    /** What discounts took off goods and shipping. */
    discounts: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.dimension, table.period, table.key] })],
);

/** How far the sums have come: the ids of the last rows that they contain. */
export const salesProgress = sqliteTable("sales_progress", {
  id: integer().primaryKey(),
  historyId: integer("history_id").notNull(),
  refundLineId: integer("refund_line_id").notNull(),
});
