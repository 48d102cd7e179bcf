import * as z from "zod";
import { Money, toDecimal } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import { type OrderDiscount, type TaxLine as StoredTaxLine, shippingMethodKinds } from "../../platform/db/schema.ts";

// The parts of a total, in orders and in quotes.

export const TaxLine = z
  .object({
    name: z.string(),
    rate: z.number().describe("Rate in percent"),
    amount: Money,
    inclusive: z.boolean().describe("True if prices include this tax"),
  })
  .meta({ id: "TaxLine" });

export const toTaxLines = (lines: readonly StoredTaxLine[], inclusive: boolean): z.output<typeof TaxLine>[] =>
  lines.map(({ name, rate, amount }) => ({ name, rate: toPercent(rate), amount: toDecimal(amount), inclusive }));

export const DiscountLine = z
  .object({
    id: z
      .int()
      .nullable()
      .describe("Id of the discount. Null for tax that is not due and was taken out of prices that include it"),
    code: z.string().nullable().describe("Discount code. Null for an automatic discount"),
    name: z.string(),
    amount: Money,
  })
  .meta({ id: "DiscountLine" });

export const toDiscountLines = (lines: readonly OrderDiscount[]): z.output<typeof DiscountLine>[] =>
  lines.map(({ id, code, name, amount }) => ({ id, code, name, amount: toDecimal(amount) }));

export const ShippingMethod = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(shippingMethodKinds),
  min_days: z.int().nullable(),
  max_days: z.int().nullable(),
});
