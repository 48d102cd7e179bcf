import { sum } from "./rounding.ts";
import type { Line, Method, Place, Rules, ShippingOption, Zone } from "./types.ts";

/** The zone of a place: that of its region, of its country, or of the rest of the world. */
export function zoneOf(zones: readonly Zone[], place: Place | null): Zone | undefined {
  const named = (region: string | null) =>
    zones.find(({ places }) => places.some((one) => one.country === place?.country && one.region === region));
  return (place?.region && named(place.region)) || named(null) || zones.find(({ restOfWorld }) => restOfWorld);
}

/**
 * The ways of sending the lines to a place, the cheapest first and picking up last: none where nothing is sent, or where
 * the shop has no zones. `goods` is what the lines cost after their discounts.
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

/** Undefined for what is too heavy to be sent this way. */
function priceOf({ kind, price, brackets, freeFrom }: Method, grams: number, goods: number): number | undefined {
  const full = kind === "weight" ? brackets.find(({ upToGrams }) => grams <= upToGrams)?.price : price;
  return full !== undefined && freeFrom !== null && goods >= freeFrom ? 0 : full;
}

const toOption = ({ id, name, kind, minDays, maxDays }: Method, price: number): ShippingOption => ({
  id,
  name,
  kind,
  min_days: minDays,
  max_days: maxDays,
  price,
});
