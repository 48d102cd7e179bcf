import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What a day sold, kept by triggers: a chart reads a row a day, however many orders there were. */
export const dailySales = sqliteTable("daily_sales", {
  /** YYYY-MM-DD in UTC. */
  day: text().primaryKey(),
  orders: integer().notNull().default(0),
  /** Minor units that were paid on the day. */
  revenue: integer().notNull().default(0),
  /** Minor units that went back on the day. */
  refunded: integer().notNull().default(0),
  /** Of the revenue: what was paid for shipping before its discount, tax, and what discounts took off before that. */
  discounts: integer().notNull().default(0),
  shipping: integer().notNull().default(0),
  tax: integer().notNull().default(0),
  /** Of what went back: tax. */
  refundedTax: integer("refunded_tax").notNull().default(0),
});
