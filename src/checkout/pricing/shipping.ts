import { sum } from "../../domain/rounding.ts";
import type { Line, Place, RatedMethod, Rules, ShippingOption, Zone } from "./types.ts";

/** Returns the zone of a place: by region, by country, or the rest of the world. */
export function zoneOf(zones: readonly Zone[], place: Place | null): Zone | undefined {
  const named = (region: string | null) =>
    zones.find(({ places }) => places.some((one) => one.country === place?.country && one.region === region));
  return (place?.region && named(place.region)) || named(null) || zones.find(({ restOfWorld }) => restOfWorld);
}

/** Countries that an order can be shipped to, by code. Null if a zone covers the rest of the world, or there are no zones. */
export function shippingCountries({ zones, methods }: Rules): string[] | null {
  const served = zones.filter(({ id }) => methods.some(({ zoneId }) => zoneId === id));
  if (zones.length === 0 || served.some(({ restOfWorld }) => restOfWorld)) return null;
  return [...new Set(served.flatMap(({ places }) => places.map(({ country }) => country)))].sort();
}

/**
 * Returns the shipping options for the lines to a place, cheapest first and pickup last. Empty if nothing is shipped or the
 * shop has no zones. `goods` is the price of the lines after discounts.
 */
export function shippingOptions(
  rules: Rules,
  place: Place | null,
  lines: readonly Line[],
  goods: number,
): ShippingOption[] {
  const sent = lines.filter(({ requiresShipping }) => requiresShipping);
  const zone = sent.length === 0 ? undefined : zoneOf(rules.zones, place);
  if (!zone) return [];
  const grams = sum(sent.map(({ quantity, weightGrams }) => quantity * (weightGrams ?? 0)));
  return rules.methods
    .filter(({ zoneId }) => zoneId === zone.id)
    .flatMap((method) => {
      const price = priceOf(method, grams, goods);
      return price === undefined ? [] : [toOption(method, price)];
    })
    .toSorted((a, b) => Number(a.kind === "pickup") - Number(b.kind === "pickup") || a.price - b.price || a.id - b.id);
}

/** Returns undefined if the goods are too heavy for the method. */
function priceOf({ kind, price, brackets, freeFrom }: RatedMethod, grams: number, goods: number): number | undefined {
  const full = kind === "weight" ? brackets.find(({ upToGrams }) => grams <= upToGrams)?.price : price;
  return full !== undefined && freeFrom !== null && goods >= freeFrom ? 0 : full;
}

const toOption = ({ id, name, kind, minDays, maxDays }: RatedMethod, price: number): ShippingOption => ({
  id,
  name,
  kind,
  min_days: minDays,
  max_days: maxDays,
  price,
});
