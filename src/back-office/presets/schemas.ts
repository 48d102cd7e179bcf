import * as z from "zod";
import { coded } from "../../domain/fields.ts";
import { Money, Price } from "../../domain/money.ts";
import { Percentage } from "../../domain/percent.ts";
import { taxClasses } from "../../platform/db/schema.ts";
import { euCountries, singleCountries, states, taxingProvinces } from "./rates.ts";

const Home = Price.describe("Shipping price in the home country");
const Elsewhere = Price.nullable().default(null).describe("Shipping price. Null if the shop does not ship there");

export const EuPreset = z
  .strictObject({
    home_country: z.enum(euCountries),
    vat: z
      .enum(["destination", "home"])
      .default("destination")
      .describe("VAT rates in other member states. `home` is for shops below the One Stop Shop threshold"),
    shipping_prices: z.strictObject({ home: Home, eu: Elsewhere, world: Elsewhere }),
  })
  .meta({ id: "EuPreset" });
export type EuPreset = z.output<typeof EuPreset>;

export const UsPreset = z
  .strictObject({
    home_region: z.enum(states).describe("State, such as NY"),
    states: z
      .array(z.enum(states))
      .max(states.length)
      .default([])
      .describe("Other states for which the shop collects sales tax, such as CA"),
    shipping_prices: z.strictObject({ home: Home, world: Elsewhere }),
  })
  .meta({ id: "UsPreset" });
export type UsPreset = z.output<typeof UsPreset>;

export const CountryPreset = z
  .strictObject({
    home_country: z.enum(singleCountries),
    provinces: z
      .array(z.enum(taxingProvinces))
      .max(taxingProvinces.length)
      .default([])
      .describe("Provinces of Canada with a sales tax of their own for which the shop is registered"),
    shipping_prices: z.strictObject({ home: Home, world: Elsewhere }),
  })
  .refine(({ home_country, provinces }) => home_country === "CA" || provinces.length === 0, {
    path: ["provinces"],
    error: "are those of Canada only",
    ...coded("not_applicable"),
  })
  .meta({ id: "CountryPreset" });
export type CountryPreset = z.output<typeof CountryPreset>;

/** Result or preview of a preset. */
export const ShownPlan = z
  .object({
    preset: z.enum(["eu", "us", "country"]),
    figures_as_of: z
      .string()
      .meta({ format: "date" })
      .describe("Date of the included tax rates. Check for later changes"),
    currency: z.string(),
    home_country: z.string().nullable(),
    home_region: z.string().nullable(),
    prices_include_tax: z.boolean(),
    shipping_zones: z.array(
      z.object({
        name: z.string(),
        places: z.array(z.object({ country: z.string(), region: z.string().nullable() })),
        rest_of_world: z.boolean(),
        method: z.object({ name: z.string(), price: Money }),
      }),
    ),
    tax_rates: z.array(
      z.object({
        name: z.string(),
        country: z.string(),
        region: z.string().nullable(),
        tax_class: z.enum(taxClasses),
        rate: Percentage,
        taxes_shipping: z.boolean(),
      }),
    ),
  })
  .meta({ id: "ShopPreset" });
export type ShownPlan = z.output<typeof ShownPlan>;
