import { badRequest, fieldError } from "../../domain/errors.ts";
import { decimalsOf, formatAmount, shopCurrency, toMinor } from "../../domain/money.ts";
import type { Place } from "../../platform/db/schema.ts";
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
export const isSame = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  JSON.stringify(filledOf(one)) === JSON.stringify(filledOf(other));

const filledOf = (values: readonly string[]): string[] => values.filter((value) => value !== "").toSorted();

// Converts the strings of a form to the JSON of the API's schemas. Undefined for a field that was not sent.

export type FieldKind = (values: readonly string[]) => unknown;

/** Text as typed. An empty field is an empty string, which the schema may refuse. */
export const text: FieldKind = ([value]) => value;

/** An empty field is not sent. */
export const optional: FieldKind = ([value]) => (value?.trim() ? value : undefined);

/** Invalid numbers stay as typed, so that the schema refuses them. */
export const number: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
};

/** A percentage with a decimal point or comma: "19", "8,875", "8.875 %". Digits are never grouped. */
export const percent: FieldKind = ([value = ""]) => number([value.trim().replace(/%$/, "").replace(",", ".")]);

/** A checkbox. */
export const flag: FieldKind = ([value]) => value === "true";

/** Checkboxes with one name. */
export const list: FieldKind = (values) => values;

export const numbers: FieldKind = (values) =>
  values.filter((value) => value.trim() !== "").map((value) => number([value]));

/** A date and time field in UTC. */
export const moment: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? `${typed}:00Z` : typed;
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

/**
 * "1,234" and "1.234" mean a thousand or a fraction, depending on the user. A wrong guess changes a price by a factor of a
 * thousand.
 */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Digits grouped in threes by one separator, then a point or comma before the decimals. */
const GROUPED = /^([+-]?)([1-9]\d{0,2}(?:([.,' \u00a0\u202f’])\d{3})(?:\3\d{3})*)(?:([.,])(\d+))?$/;

/** An amount with a decimal point or comma: "12.50", "12,50", "1,234.50", "1.234,50". */
export const money =
  (name: string): FieldKind =>
  ([value = ""]) => {
    const typed = value.trim();
    const decimals = decimalsOf(shopCurrency());
    if (AMBIGUOUS.test(typed) && decimals > 0) {
      // The panel fills forms with such amounts.
      if (decimals === 3 && typed.includes(".")) return number([typed]);
      throw ambiguous(name, typed);
    }
    const [, sign = "", whole = "", separator, decimal, fraction = ""] = GROUPED.exec(typed) ?? [];
    if (separator === undefined || separator === decimal) return number([typed.replace(",", ".")]);
    return number([`${sign}${whole.replaceAll(separator, "")}${fraction && `.${fraction}`}`]);
  };

function ambiguous(name: string, typed: string) {
  const plain = typed.replace(/[.,]/, "");
  const words = `is ambiguous. Enter ${plain} or, for the larger amount, ${formatAmount(toMinor(Number(plain)))}`;
  return badRequest(fieldError(name, "invalid", words));
}

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
