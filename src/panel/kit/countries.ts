import { countries, countryName } from "../../domain/countries.ts";
import { fold } from "../../domain/fold.ts";
import type { Options } from "./fields.tsx";

/** In which order names stand in a list. */
export const byName = (one: string, other: string): number => one.localeCompare(other, "en");

/** The codes of all countries, in the order of their names. */
export const countriesByName = (): string[] =>
  countries
    .map((code): [string, string] => [code, countryName(code)])
    .sort(([, one], [, other]) => byName(one, other))
    .map(([code]) => code);

/** All countries by their names, below a choice of none. */
export const countryOptions = (none: string): Options => [
  ["", none],
  ...countriesByName().map((code): [string, string] => [code, countryName(code)]),
];

type Located = { country: string; region: string | null };

/** A country or a region of it: "Canada", "United States, NY". */
export const placeName = ({ country, region }: Located): string =>
  [countryName(country), region].filter(Boolean).join(", ");

/** Other names that people use for countries. */
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

/** A name without the differences in how people write it: case, accents, dots, "&" and "the". */
function normalized(name: string): string {
  return fold(name).replaceAll("&", "and").replaceAll(".", "").replace(/’/g, "'").replace(/^the /, "").trim();
}

/** Country codes by code, name and alias. Built on first use, because looking up every name takes time. */
let codes: Map<string, string> | undefined;

/** The code of the country that is called so, or whose code it is. */
export function countryCalled(text: string): string | undefined {
  codes ??= new Map([
    ...aliases,
    ...countries.map((code) => [normalized(countryName(code)), code] as const),
    ...countries.map((code) => [code.toLowerCase(), code] as const),
  ]);
  return codes.get(normalized(text));
}
