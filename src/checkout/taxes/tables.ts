import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "../../platform/db/columns.ts";

/** Tax classes of products. `exempt` has no tax; `zero` is taxed at a rate of 0. */
export const taxClasses = ["standard", "reduced", "zero", "exempt"] as const;
export type TaxClass = (typeof taxClasses)[number];

/** A tax of a place on a class of products. All rates of the most specific place with rates for the class are added. */
export const taxRates = sqliteTable(
  "tax_rates",
  {
    id: id(),
    name: text().notNull(),
    /** ISO 3166-1. */
    country: text().notNull(),
    /** Null for the whole country. */
    region: text(),
    taxClass: text("tax_class", { enum: taxClasses }).notNull(),
    /** Millionths: 190000 is 19 %. */
    rate: integer().notNull(),
    /** True if the tax also applies to the shipping of taxed items. */
    taxesShipping: flag("taxes_shipping").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("tax_rate_in_range", sql.raw(`"rate" BETWEEN 0 AND 1000000`)),
    check("tax_rate_not_exempt", sql.raw(`"tax_class" <> 'exempt'`)),
    uniqueIndex("tax_rates_of_country").on(table.country, table.taxClass, table.name).where(sql.raw("region IS NULL")),
    uniqueIndex("tax_rates_of_region")
      .on(table.country, table.region, table.taxClass, table.name)
      .where(sql.raw("region IS NOT NULL")),
  ],
);
