import * as z from "zod";
import { Country } from "../../domain/countries.ts";
import { line } from "../../domain/fields.ts";
import { Rate, toPercent } from "../../domain/percent.ts";
import { Region } from "../../domain/place.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { type TaxClass, taxClasses, type taxRates } from "../../platform/db/schema.ts";

export type TaxRateRow = typeof taxRates.$inferSelect;
export type TaxRateState = Omit<TaxRateRow, "id" | "createdAt" | "updatedAt">;

/** What is exempt has no rate. As wide as the column, which is that of products too. */
const TaxedClass: z.ZodType<TaxClass> = z.enum(taxClasses).exclude(["exempt"]);

/** The fields of a tax rate that administrators edit. */
export const taxRateFields = declareFields<TaxRateState>()({
  name: { column: "name", schema: line(100).describe("Name shown on orders, such as VAT or Sales tax") },
  country: { column: "country", schema: Country },
  region: { column: "region", schema: Region.nullable(), initial: null },
  tax_class: { column: "taxClass", schema: TaxedClass, initial: "standard" },
  rate: { column: "rate", schema: Rate.describe("Rate in percent, with at most four decimals"), audited: toPercent },
  taxes_shipping: {
    column: "taxesShipping",
    schema: z.boolean().describe("True if shipping of the taxed products is taxed at this rate too"),
    initial: true,
  },
});
