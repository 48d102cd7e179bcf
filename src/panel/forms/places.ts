import type { Place } from "../../platform/db/schema.ts";
import { countryCalled } from "../kit/countries.ts";
import type { FieldKind } from "./kinds.ts";

/** A country by name or code. Unknown input stays as typed, so that the schema refuses it. */
export const countryOrCode: FieldKind = ([value = ""]) => countryCalled(value) ?? (value.trim() || undefined);

/** Places as typed: "DE, AT, US-NY". */
export const placesText = (places: readonly Place[]): string =>
  places.map(({ country, region }) => (region === null ? country : `${country}-${region}`)).join(", ");

/**
 * Places separated by commas or lines: countries by code or name, regions after their country's code. Unknown input stays as
 * typed.
 */
export const places: FieldKind = ([typed = ""]) =>
  typed
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const country = countryCalled(entry);
      if (country) return { country };
      const [, of, region] = /^([a-z]{2})[-\s]+([^-\s].*)$/i.exec(entry) ?? [];
      return of && region ? { country: of, region } : { country: entry };
    });
