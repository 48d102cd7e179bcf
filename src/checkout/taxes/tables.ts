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

export const vatIdStatuses = ["valid", "invalid", "unavailable", "other_name"] as const;

/** An answer about a buyer's VAT ID, kept as evidence with the order that it was asked for. */
export type VatCheck = {
  vatId: string;
  /** `other_name` is a valid ID of somebody else. `unavailable` is no answer. */
  status: (typeof vatIdStatuses)[number];
  /** Name under which the ID is registered. Null if the member state keeps it to itself. */
  name: string | null;
  /** Proof for tax authorities of the check and its time. */
  consultationNumber: string | null;
  checkedAt: number;
};

/** Answers of VIES of the last day. */
export const vatChecks = sqliteTable("vat_checks", {
  vatId: text("vat_id").primaryKey(),
  /** The shop's own VAT ID, to which the consultation number was issued. */
  requester: text().notNull(),
  status: text({ enum: vatIdStatuses }).notNull(),
  name: text(),
  consultationNumber: text("consultation_number"),
  checkedAt: integer("checked_at").notNull(),
});
