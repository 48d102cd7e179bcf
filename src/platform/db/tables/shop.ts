import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Address } from "../../../domain/address.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";

/** Settings of the shop. A single row. */
export const shop = sqliteTable(
  "shop",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** Address on invoices and for pickup. */
    address: text({ mode: "json" }).$type<Address>(),
    /** ISO 3166-1. Country of orders without one, and of the tax in inclusive prices. */
    homeCountry: text("home_country"),
    homeRegion: text("home_region"),
    pricesIncludeTax: flag("prices_include_tax").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [check("shop_is_one", sql.raw(`"id" = 1`))],
);

/**
 * A single row whose version changes with every input of prices: the shop's home, zones, methods, tax rates and automatic
 * discounts. An order is written only at the version at which it was calculated.
 */
export const pricingRules = sqliteTable("pricing_rules", {
  id: integer().primaryKey(),
  /** Random. Empty until there are rules. */
  version: text().notNull(),
});
