import type { ZoneRow } from "../../checkout/shipping/zones.ts";
import { countries, countryName } from "../../domain/place.ts";
import { fold } from "../../domain/text.ts";
import type { Options } from "../../platform/administration/fields.ts";

/** Sort order of names in a list. */
export const byName = (one: string, other: string): number => one.localeCompare(other, "en");

/** Codes of all countries, sorted by name. */
export const countriesByName = (): string[] =>
  countries
    .map((code): [string, string] => [code, countryName(code)])
    .sort(([, one], [, other]) => byName(one, other))
    .map(([code]) => code);

/** All countries by name, after an empty choice. */
export const countryOptions = (none: string): Options => [
  ["", none],
  ...countriesByName().map((code): [string, string] => [code, countryName(code)]),
];

type CountryAndRegion = { country: string; region: string | null };

/** A country or region: "Canada", "United States, NY". */
export const placeName = ({ country, region }: CountryAndRegion): string =>
  [countryName(country), region].filter(Boolean).join(", ");

/** Other names of countries. */
const aliases = new Map(
  Object.entries({
    AE: ["UAE", "Emirates"],
    BA: ["Bosnia"],
    CD: ["DR Congo"],
    CI: ["Ivory Coast"],
    CZ: ["Czech Republic"],
    DE: ["Deutschland"],
    ES: ["España"],
    GB: ["UK", "Great Britain", "Britain", "England", "Scotland", "Wales", "Northern Ireland"],
    HK: ["Hong Kong"],
    KR: ["Korea"],
    MK: ["Macedonia"],
    MO: ["Macao", "Macau"],
    NL: ["Holland"],
    SZ: ["Swaziland"],
    TR: ["Turkey"],
    US: ["USA", "United States of America", "America"],
    VA: ["Vatican"],
    VN: ["Viet Nam"],
  }).flatMap(([code, names]) => names.map((name) => [normalized(name), code] as const)),
);

/** Normalizes a name: ignores case, accents, dots, "&" and "the". */
function normalized(name: string): string {
  return fold(name).replaceAll("&", "and").replaceAll(".", "").replace(/’/g, "'").replace(/^the /, "").trim();
}

/** Country codes by code, name and alias. Built on first use, because collecting all names takes time. */
let codes: Map<string, string> | undefined;

/** Returns the code of a country by name or code. */
export function countryCalled(text: string): string | undefined {
  codes ??= new Map([
    ...aliases,
    ...countries.map((code) => [normalized(countryName(code)), code] as const),
    ...countries.map((code) => [code.toLowerCase(), code] as const),
  ]);
  return codes.get(normalized(text));
}

const MOST_NAMED = 8;

/** A zone's places in words. */
export function placesOf({ places, restOfWorld }: Pick<ZoneRow, "places" | "restOfWorld">): string {
  const named = places.map(placeName).sort(byName).slice(0, MOST_NAMED);
  const others = places.length - named.length;
  const all = [...named, others > 0 && `${others} more`, restOfWorld && "All other places"];
  return all.filter(Boolean).join(" · ") || "No places yet";
}
