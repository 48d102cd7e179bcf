import { isInEuropeanUnion } from "../../domain/place.ts";
import type { Place } from "./types.ts";

/**
 * Postal codes of parts of member states outside the Union's VAT area (directive 2006/112/EC, article 6), which are third
 * countries for VAT. Those with a country code of their own, such as RE, are no member states anyway.
 */
const outside: Readonly<Record<string, RegExp>> = {
  // Heligoland and Büsingen.
  DE: /^(?:27498|78266)$/,
  // The Canary Islands, Ceuta and Melilla.
  ES: /^(?:35|38|51|52)\d{3}$/,
  // Åland.
  FI: /^22\d{3}$/,
  // The overseas departments and territories.
  FR: /^(?:97\d|98[1-9])\d{2}$/,
  // Mount Athos.
  GR: /^63086$/,
  // Livigno and Campione d'Italia.
  IT: /^(?:23041|22061)$/,
};

/** True if a place is a member state for VAT. A postal code with too many digits, which addresses may contain, counts as inside. */
export const isInVatArea = ({ country, zip }: Place): boolean =>
  isInEuropeanUnion(country) && !outside[country]?.test((zip ?? "").replaceAll(/\D/g, ""));

/**
 * The place by whose VAT a sale is taxed. Monaco counts as France (article 7), and Northern Ireland as a member state for goods
 * (Windsor Framework, annex 3), whose VAT IDs begin with XI.
 */
export function vatPlaceOf(place: Place | null, isShipped: boolean): Place | null {
  if (place?.country === "MC") return { ...place, country: "FR" };
  if (isShipped && place?.country === "GB" && /^BT\d/i.test(place.zip ?? "")) return { ...place, country: "XI" };
  return place;
}
