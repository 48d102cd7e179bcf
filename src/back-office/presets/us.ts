import { Rate } from "../../domain/percent.ts";
import type { UsSetUp } from "./admin-schemas.ts";
import { type Plan, restOfWorld, zoneAt } from "./plan.ts";
import { salesTaxes, states, US_RATES_AS_OF } from "./us-rates.ts";

const COUNTRY = "US";

/** A shop in the United States: tax is added to prices, in the states where the merchant has to collect it. */
export function usPlan({ home_region, states: chosen, shipping_prices: { home, world } }: UsSetUp): Plan {
  return {
    preset: "us",
    asOf: US_RATES_AS_OF,
    shop: { homeCountry: COUNTRY, homeRegion: home_region, pricesIncludeTax: false },
    zones: [
      ...zoneAt(home, { name: "United States", places: [{ country: COUNTRY, region: null }], restOfWorld: false }),
      ...restOfWorld(world),
    ],
    rates: states
      .filter((state) => state === home_region || chosen.includes(state))
      .flatMap((region) => {
        const tax = salesTaxes[region];
        if (tax === null) return [];
        const [percent, taxesShipping] = tax;
        const rate = Rate.parse(percent);
        return [{ name: "Sales tax", country: COUNTRY, region, taxClass: "standard", rate, taxesShipping }];
      }),
  };
}
