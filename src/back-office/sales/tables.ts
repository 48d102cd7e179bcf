import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Dimensions of the sales report. */
export const salesDimensions = ["shop", "product", "category", "country"] as const;

/**
 * Sums of sales, added up from `order_history` and `refund_lines` in the background (sales/add-up.ts), so that a report
 * reads one row per day, whatever the number of orders. Money is in minor units, without tax unless stated otherwise.
 */
export const sales = sqliteTable(
  "sales",
  {
    dimension: text({ enum: salesDimensions }).notNull(),
    /** A day, "2026-10-05", or a month, "2026-10", in the shop's time zone. */
    period: text().notNull(),
    /** Id of the product or category, or country code. Empty for the whole shop and if unknown. */
    key: text().notNull(),
    /** Paid orders. For products and categories, line items. */
    orders: integer().notNull().default(0),
    units: integer().notNull().default(0),
    returnedUnits: integer("returned_units").notNull().default(0),
    /** Goods after discounts. */
    goods: integer().notNull().default(0),
    returnedGoods: integer("returned_goods").notNull().default(0),
    /** After its discount. */
    shipping: integer().notNull().default(0),
    returnedShipping: integer("returned_shipping").notNull().default(0),
    tax: integer().notNull().default(0),
    returnedTax: integer("returned_tax").notNull().default(0),
    /** Discounts on goods and shipping. */
    discounts: integer().notNull().default(0),
    /** Goods after discounts and returned units, of line items with a known cost and of the others. */
    costedGoods: integer("costed_goods").notNull().default(0),
    uncostedGoods: integer("uncosted_goods").notNull().default(0),
    /** Cost of the costed goods. */
    cost: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.dimension, table.period, table.key] })],
);

/** Ids of the last rows included in the sums. */
export const salesProgress = sqliteTable("sales_progress", {
  id: integer().primaryKey(),
  historyId: integer("history_id").notNull(),
  refundLineId: integer("refund_line_id").notNull(),
  /** Time at which the sums last included a row. */
  movedAt: integer("moved_at").notNull(),
});
