import * as z from "zod";
import { Country } from "../../domain/countries.ts";
import { iso, Timestamp } from "../../domain/fields.ts";
import { Percentage, toPercent } from "../../domain/percent.ts";
import { changesSomething } from "../../domain/rules.ts";
import { type Answered, changeShape, newShape } from "../../platform/administration/fields.ts";
import { taxClasses } from "../../platform/db/schema.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { type TaxRateRow, taxRateFields } from "./fields.ts";

export const TaxRatesQuery = z.strictObject({ ...pageFields, country: Country.optional() });
export type TaxRatesQuery = z.output<typeof TaxRatesQuery>;

export const NewTaxRate = z.strictObject(newShape(taxRateFields)).meta({ id: "NewTaxRate" });
export type NewTaxRate = z.output<typeof NewTaxRate>;

export const TaxRateChange = z
  .strictObject(changeShape(taxRateFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "TaxRateChange", description: "Fields to change. Fields that are not sent keep their values" });
export type TaxRateChange = z.output<typeof TaxRateChange>;

export const TaxRate = z
  .object({
    id: z.int(),
    name: z.string(),
    country: z.string(),
    region: z.string().nullable(),
    tax_class: z.enum(taxClasses),
    rate: Percentage,
    taxes_shipping: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof taxRateFields>)
  .meta({ id: "TaxRate" });

export const toTaxRate = (row: TaxRateRow): z.output<typeof TaxRate> => ({
  id: row.id,
  name: row.name,
  country: row.country,
  region: row.region,
  tax_class: row.taxClass,
  rate: toPercent(row.rate),
  taxes_shipping: row.taxesShipping,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
