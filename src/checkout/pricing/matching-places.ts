import { regionCode } from "../../domain/place.ts";
import type { Place, Rules } from "./types.ts";

type AddressParts = { [Part in "country" | "region" | "zip"]?: string | null | undefined };

/** The shop's location. Null until it is set. */
export const homeOf = ({ homeCountry, homeRegion }: Rules): Place | null =>
  homeCountry === null ? null : { country: homeCountry, region: homeRegion };

/**
 * Location of an address, or of the shop if the address names no country. A region that does not belong to the country is
 * dropped.
 */
export function placeOf(rules: Rules, address: AddressParts | null): Place | null {
  if (address === null) return null;
  const { country, region, zip } = address;
  const place = country ? withRegion(country, region, null) : homeWith(rules, region);
  return place && { ...place, zip };
}

const homeWith = (rules: Rules, region: string | null | undefined): Place | null =>
  region && rules.homeCountry ? withRegion(rules.homeCountry, region, rules.homeRegion) : homeOf(rules);

const withRegion = (country: string, written: string | null | undefined, otherwise: string | null): Place => ({
  country,
  region: (written && regionCode(country, written)) || otherwise,
});

/** Returns true if prices in a country depend on the region, so that an address there must name a known region. */
export const regionMatters = ({ zones, rates }: Rules, country: string): boolean =>
  rates.some((rate) => rate.country === country && rate.region !== null) ||
  zones.some(({ places }) => places.some((place) => place.country === country && place.region !== null));
