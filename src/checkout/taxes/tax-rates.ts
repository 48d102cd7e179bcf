import { asc, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { line } from "../../domain/fields.ts";
import { Percentage, Rate, toPercent } from "../../domain/percent.ts";
import { Country, countries, placeAfter, Region } from "../../domain/place.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import { type TaxClass, taxClasses, taxRates } from "../../platform/db/schema.ts";

export type TaxRateRow = typeof taxRates.$inferSelect;

/** Exempt products have no rate. Typed like the column, which is shared with products. */
const TaxedClass: z.ZodType<TaxClass> = z.enum(taxClasses).exclude(["exempt"]);

export const classLabels: Partial<Record<TaxClass, string>> = {
  standard: "Standard",
  reduced: "Reduced",
  zero: "Zero rate",
};

/** Tax rate fields that administrators can edit. */
export const taxRateFields = declareFields<Omit<TaxRateRow, "id" | "createdAt" | "updatedAt">>()({
  name: {
    schema: line(100).describe("Name shown on orders, such as VAT or Sales tax"),
    input: { hint: "Shown on orders, such as VAT." },
  },
  country: { schema: Country, input: { as: "country" } },
  region: {
    schema: Region.nullable(),
    input: { hint: "State or province. Leave empty for the whole country. A region's rates replace its country's." },
  },
  tax_class: {
    schema: TaxedClass,
    initial: "standard",
    answer: z.enum(taxClasses),
    input: { as: "choice", options: Object.entries(classLabels) },
  },
  rate: {
    schema: Rate.describe("Rate in percent, with at most four decimals"),
    audited: toPercent,
    answer: Percentage,
    input: { as: "percent", label: "Rate in percent", hint: "Such as 19 or 8.875." },
  },
  taxes_shipping: {
    schema: z.boolean().describe("True if shipping of the taxed products is taxed at this rate too"),
    initial: true,
    input: { label: "Applies to shipping", hint: "Shipping is taxed like the items in the order." },
  },
});

/** By place, with countries in the order of `codes` and each before its regions, and then by class. */
export const byPlace = (codes: readonly string[]): SQL[] => [
  asc(sql`instr(${codes.join()}, ${taxRates.country})`),
  asc(taxRates.region),
  sql`${taxRates.taxClass} = 'standard' DESC`,
  asc(taxRates.taxClass),
  asc(taxRates.name),
];

export const taxRateResource = declareResource({
  table: taxRates,
  path: "/tax-rates",
  permission: "settings",
  names: { one: "tax rate", many: "tax rates" },
  subject: "tax_rate",
  fields: taxRateFields,
  filters: { country: { schema: Country.optional(), where: (country) => eq(taxRates.country, country) } },
  order: byPlace(countries),
  settle: (_row, { country, region }, before) => {
    const sent = { country, region };
    return { region: placeAfter(before ?? { country: null, region: null }, sent, "region").region };
  },
  refuses: ["tax_rate_exists"],
  refusals: () => ({
    "tax_rates.country": () =>
      badRequest(fieldError("name", "tax_rate_exists", "belongs to another rate of the same place and class")),
  }),
});
