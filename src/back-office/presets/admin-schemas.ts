import * as z from "zod";
import { Money, Price } from "../../domain/money.ts";
import { Percentage } from "../../domain/percent.ts";
import { taxClasses } from "../../platform/db/schema.ts";
import { euCountries } from "./eu-rates.ts";
import { states } from "./us-rates.ts";

const Home = Price.describe("To send something at home, 0 for nothing");
const Elsewhere = Price.nullable().default(null).describe("Null where nothing is sent");

export const EuSetUp = z
  .strictObject({
    home_country: z.enum(euCountries),
    vat: z
      .enum(["destination", "home"])
      .default("destination")
      .describe(
        "Whose rates are charged in the other member states: `home` is for shops below the threshold of the One Stop Shop",
      ),
    shipping_prices: z.strictObject({ home: Home, eu: Elsewhere, world: Elsewhere }),
  })
  .meta({ id: "EuSetUp" });
export type EuSetUp = z.output<typeof EuSetUp>;

export const UsSetUp = z
  .strictObject({
    home_region: z.enum(states),
    states: z
      .array(z.enum(states))
      .max(states.length)
      .default([])
      .describe("The others that sales tax is collected for: those where the shop has nexus"),
    shipping_prices: z.strictObject({ home: Home, world: Elsewhere }),
  })
  .meta({ id: "UsSetUp" });
export type UsSetUp = z.output<typeof UsSetUp>;

/** What a preset wrote, or would write. */
export const ShownPlan = z
  .object({
    preset: z.enum(["eu", "us"]),
    figures_as_of: z.string().meta({ format: "date" }).describe("The day of the tax rates: look up what changed since"),
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
