import * as z from "zod";
import { iso } from "../../domain/fields.ts";
import { momentOf, shopTimeZone } from "../../domain/time.ts";
import type { ShippingPlace } from "../../platform/db/schema.ts";
import { countryCalled } from "../kit/countries.ts";

/** Field values as a browser sends them: an unticked checkbox sends nothing. */
export type Values = Record<string, readonly string[]>;

export type Initial = string | number | boolean | null | readonly (string | number)[];

export const valuesFrom = (initial: { readonly [name: string]: Initial | undefined }): Values =>
  Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, toStrings(value)]));

function toStrings(value: Initial = null): readonly string[] {
  if (value === null || value === false) return [];
  if (value === true) return ["true"];
  return typeof value === "object" ? value.map(String) : [String(value).replaceAll("\r\n", "\n")];
}

/** True if a field has equal values in any order. */
export const hasSameValues = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  JSON.stringify(filledOf(one)) === JSON.stringify(filledOf(other));

const filledOf = (values: readonly string[]): string[] => values.filter((value) => value !== "").toSorted();

// Converts the strings of a form to the JSON of the API's schemas. Undefined for a field that was not sent.

export type FieldKind = (values: readonly string[]) => unknown;

/** Text as typed. An empty field is an empty string, which the schema may refuse. */
export const text: FieldKind = ([value]) => value;

/** An empty field is not sent. */
export const optional: FieldKind = ([value]) => (value?.trim() ? value : undefined);

/** A checkbox. */
export const flagKind: FieldKind = ([value]) => value === "true";

/** Checkboxes with one name. */
export const listKind: FieldKind = (values) => values;

/** True for a time to the minute on an existing day, without a zone. */
const isLocalTime = (typed: string): boolean =>
  /T\d\d:\d\d$/.test(typed) && z.iso.datetime({ local: true }).safeParse(typed).success;

/** A date and time field, in the shop's time zone. */
export const moment: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return isLocalTime(typed) ? iso(momentOf(shopTimeZone(), typed)) : typed;
};

/** An empty field clears the value. */
export const orNull =
  (kind: FieldKind): FieldKind =>
  (values) =>
    kind(values) ?? null;

// Lists as lines of text, between the form and the API.

export const linesOf = (typed = ""): string[] =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** One entry per line: "colour = red". */
export const metadata: FieldKind = ([typed]) =>
  Object.fromEntries(
    linesOf(typed).map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name.trim(), value.join("=").trim()];
    }),
  );

export const metadataLines = (entries: Record<string, string>): string =>
  Object.entries(entries)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");

/** A country by name or code. Unknown input stays as typed, so that the schema refuses it. */
export const countryOrCode: FieldKind = ([value = ""]) => countryCalled(value) ?? (value.trim() || undefined);

/** Places as typed: "DE, AT, US-NY". */
export const placesText = (places: readonly ShippingPlace[]): string =>
  places.map(({ country, region }) => (region === null ? country : `${country}-${region}`)).join(", ");

/**
 * Places separated by commas or lines: countries by code or name, regions after their country's code. Unknown input stays as
 * typed.
 */
export const placesKind: FieldKind = ([typed = ""]) =>
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
