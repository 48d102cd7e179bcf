import { countries } from "../../domain/countries.ts";
import { countryName } from "../../domain/country-name.ts";
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

/** The code of the country that is called so, or whose code it is. */
export function countryCalled(text: string): string | undefined {
  const written = text.trim().toLowerCase();
  return countries.find((code) => code.toLowerCase() === written || countryName(code).toLowerCase() === written);
}
