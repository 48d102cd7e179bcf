import { toDecimal } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import type { shippingZones, shop, taxRates } from "../../platform/db/schema.ts";
import type { ShownPlan } from "./admin-schemas.ts";

type PlannedZone = Pick<typeof shippingZones.$inferInsert, "name" | "places" | "restOfWorld"> & {
  /** What sending there costs, in minor units. */
  price: number;
};

type PlannedRate = Pick<
  typeof taxRates.$inferSelect,
  "name" | "country" | "region" | "taxClass" | "rate" | "taxesShipping"
>;

/** What a preset writes. */
export type Plan = {
  preset: "eu" | "us";
  asOf: string;
  shop: Pick<typeof shop.$inferSelect, "homeCountry" | "homeRegion" | "pricesIncludeTax">;
  zones: PlannedZone[];
  rates: PlannedRate[];
};

/** The one method that each zone of a preset gets. */
export const METHOD = "Standard";

/** A zone where a price was named; without one nothing is sent there. */
export const zoneAt = (price: number | null, zone: Omit<PlannedZone, "price">): PlannedZone[] =>
  price === null ? [] : [{ ...zone, price }];

export const restOfWorld = (price: number | null): PlannedZone[] =>
  zoneAt(price, { name: "Rest of the world", places: [], restOfWorld: true });

export const toPlan = ({ preset, asOf, shop, zones, rates }: Plan): ShownPlan => ({
  preset,
  figures_as_of: asOf,
  home_country: shop.homeCountry,
  home_region: shop.homeRegion,
  prices_include_tax: shop.pricesIncludeTax,
  shipping_zones: zones.map(({ name, places, restOfWorld: rest, price }) => ({
    name,
    places,
    rest_of_world: rest,
    method: { name: METHOD, price: toDecimal(price) },
  })),
  tax_rates: rates.map(({ name, country, region, taxClass, rate, taxesShipping }) => ({
    name,
    country,
    region,
    tax_class: taxClass,
    rate: toPercent(rate),
    taxes_shipping: taxesShipping,
  })),
});
