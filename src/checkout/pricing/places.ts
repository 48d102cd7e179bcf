import { regionCode } from "../../domain/regions.ts";
import type { Place, Rules } from "./types.ts";

type Addressed = { country?: string | null | undefined; region?: string | null | undefined };

/** Where the shop is; null until it says so. */
export const homeOf = ({ homeCountry, homeRegion }: Rules): Place | null =>
  homeCountry === null ? null : { country: homeCountry, region: homeRegion };

/** Where an address is: at home, if it does not say. A region that is none of the country's is left out. */
export function placeOf(rules: Rules, address: Addressed | null): Place | null {
  if (address === null) return null;
  const { country, region } = address;
  if (!country)
    return region && rules.homeCountry ? withRegion(rules.homeCountry, region, rules.homeRegion) : homeOf(rules);
  return withRegion(country, region, null);
}

const withRegion = (country: string, written: string | null | undefined, otherwise: string | null): Place => ({
  country,
  region: (written && regionCode(country, written)) || otherwise,
});

/** Whether prices in a country depend on the region, so that an address there has to name one that is known. */
export const regionMatters = ({ zones, rates }: Rules, country: string): boolean =>
  rates.some((rate) => rate.country === country && rate.region !== null) ||
  zones.some(({ places }) => places.some((place) => place.country === country && place.region !== null));
