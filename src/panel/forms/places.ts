import type { Place } from "../../platform/db/schema.ts";
import { countryCalled } from "../kit/countries.ts";
import type { FieldKind } from "./kinds.ts";

/** A country by its name or its code; what is neither stays what was typed, so that the schema says so. */
export const countryOrCode: FieldKind = ([value = ""]) => countryCalled(value) ?? (value.trim() || undefined);

/** Places as they are typed: "DE, AT, US-NY". */
export const placesText = (places: readonly Place[]): string =>
  places.map(({ country, region }) => (region === null ? country : `${country}-${region}`)).join(", ");

/** Places by commas or lines: countries by their codes or names, regions behind the code of theirs. What is neither stays as typed. */
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
