import { Rate } from "../../domain/percent.ts";
import type { EuSetUp } from "./admin-schemas.ts";
import { EU_RATES_AS_OF, euCountries, euRates } from "./eu-rates.ts";
import { type Plan, restOfWorld, zoneAt } from "./plan.ts";

const NAME = "VAT";

/**
 * A shop in the European Union: prices include tax, and each member state has its rates. Of the home's alone nothing else is
 * written: they are due on sales to member states that have none.
 */
export function euPlan({ home_country, vat, shipping_prices: { home, eu, world } }: EuSetUp): Plan {
  const others = euCountries.filter((country) => country !== home_country);
  return {
    preset: "eu",
    asOf: EU_RATES_AS_OF,
    shop: { homeCountry: home_country, homeRegion: null, pricesIncludeTax: true },
    zones: [
      ...zoneAt(home, { name: "Home", places: [{ country: home_country, region: null }], restOfWorld: false }),
      ...zoneAt(eu, {
        name: "European Union",
        places: others.map((country) => ({ country, region: null })),
        restOfWorld: false,
      }),
      ...restOfWorld(world),
    ],
    rates: (vat === "home" ? [home_country] : euCountries).flatMap((country) => {
      const [standard, reduced] = euRates[country];
      const rate = { name: NAME, country, region: null, taxesShipping: true };
      return [
        { ...rate, taxClass: "standard" as const, rate: Rate.parse(standard) },
        ...(reduced === null ? [] : [{ ...rate, taxClass: "reduced" as const, rate: Rate.parse(reduced) }]),
      ];
    }),
  };
}
