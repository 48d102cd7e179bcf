import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Address } from "../../../domain/address.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";

/** What a merchant says of the shop as a whole: one row. */
export const shop = sqliteTable(
  "shop",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** Where it is: on invoices, and where goods are picked up. */
    address: text({ mode: "json" }).$type<Address>(),
    /** ISO 3166-1: where an order goes that names no country, and whose tax is in prices that include tax. */
    homeCountry: text("home_country"),
    homeRegion: text("home_region"),
    pricesIncludeTax: flag("prices_include_tax").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [check("shop_is_one", sql.raw(`"id" = 1`))],
);

/**
 * One row, whose version becomes another whenever what prices are calculated from does: the shop's home, zones, methods, tax rates
 * and discounts without a code. An order is written at the version that it was calculated at, or not at all.
 */
export const pricingRules = sqliteTable("pricing_rules", {
  id: integer().primaryKey(),
  /** Random; empty until there are any. */
  version: text().notNull(),
});
