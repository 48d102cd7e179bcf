import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { iso } from "../../domain/fields.ts";
import { formatAmount, shopCurrency, toMinor } from "../../domain/money.ts";
import { currenciesIn, type ReadNumber, readNumber, readPrice, usualSeparator } from "../../domain/numbers.ts";
import { momentOf, shopTimeZone } from "../../domain/time.ts";
import type { ShippingPlace, WeightBracket } from "../../platform/db/schema.ts";
import { countryCalled } from "../kit/countries.ts";

// Numbers as people type them: "1 299,00", "10 %", "€ 5". A text that is not a number stays as typed, so that the schema
// refuses it.

/** The readings of "1,234" in order: 1.234 and 1234. */
const readingsOf = (read: Extract<ReadNumber, { readings: unknown }>) =>
  Object.values(read.readings).toSorted((one, other) => Math.abs(one) - Math.abs(other)) as [number, number];

/** A number without a currency; `choose` selects a reading of an ambiguous one. */
function plainNumber(typed: string, choose: (readings: [fraction: number, thousands: number]) => unknown) {
  if (typed === "") return undefined;
  const read = currenciesIn(typed).length > 0 ? null : readNumber(typed);
  if (!read) return typed;
  return "value" in read ? read.value : choose(readingsOf(read));
}

/** A whole number: "1,299" and "1.299" are 1299, because it has no decimals. */
export const number: FieldKind = ([value = ""]) => plainNumber(value.trim(), ([, thousands]) => thousands);

/** A number with decimals. The schema refuses one with two readings, such as "1,250". */
export const decimalNumber: FieldKind = ([value = ""]) => plainNumber(value.trim(), () => value);

export const numbers: FieldKind = (values) =>
  values.filter((value) => value.trim() !== "").map((value) => number([value]));

/** The lookbehind keeps long spaces from being matched from each of them. */
const PERCENT_SIGN = /^([+\-\u2212]?)\s*[%\u066a\ufe6a\uff05]\s*|(?<!\s)\s*[%\u066a\ufe6a\uff05]$/;

/** A percentage: "19", "8,875", "-10 %". Three digits after a separator are decimals, because percentages are small. */
export const percent: FieldKind = ([value = ""]) =>
  plainNumber(value.trim().replace(PERCENT_SIGN, "$1"), ([fraction]) => fraction);

/** An amount in the shop's currency: "12.50", "1.234,50", "€ 5". One with two readings or in another currency is refused. */
export const money =
  (name: string): FieldKind =>
  ([value = ""]) => {
    const typed = value.trim();
    if (typed === "") return undefined;
    const currency = shopCurrency();
    const foreign = currenciesIn(typed).find((notation) => !isNotationOf(notation, currency));
    if (foreign !== undefined) throw refused(name, `must be an amount in ${currency}, not in ${foreign}`);
    const read = readPrice(typed);
    if (!read) return typed;
    if ("value" in read) return read.value;
    // The panel itself fills forms with such amounts if the currency has three decimals.
    const separator = usualSeparator(read.readings);
    if (separator) return read.readings[separator];
    const [fraction, thousands] = readingsOf(read);
    const larger = formatAmount(toMinor(thousands));
    throw refused(name, `can mean ${larger} or ${fraction}. Enter it without a thousands separator`);
  };

const refused = (name: string, words: string) => badRequest(fieldError(name, "invalid", words));

/** Notations in the currency's own language. */
const LOCAL: Readonly<Record<string, string>> = { CHF: "Fr", CNY: "元", JPY: "円", KRW: "원" };

/**
 * True for a notation of the currency: "USD", "US$" and "$" for USD. A sign shared by several currencies matches each.
 */
function isNotationOf(notation: string, currency: string): boolean {
  const written = notation.replace(/\.$/, "");
  const signIn = (currencyDisplay: "symbol" | "narrowSymbol") =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === "currency")?.value;
  const sign = signIn("narrowSymbol");
  if ([currency, sign, signIn("symbol"), LOCAL[currency]].includes(written)) return true;
  const [, letters = "", bare] = /^([A-Z]{1,3})(\p{Sc})$/u.exec(written) ?? [];
  return bare !== undefined && bare === sign && currency.startsWith(letters);
}

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

/** One image per line: its address, a space, and its description. */
export const readImageLines = (typed = ""): { url: string; alt: string }[] =>
  linesOf(typed).map((line) => {
    const [url = "", ...alt] = line.split(/\s+/);
    return { url, alt: alt.join(" ") };
  });

export const imageLines = (rows: { url: string; alt: string }[]): string =>
  rows.map(({ url, alt }) => `${url} ${alt}`.trim()).join("\n");

/** One bracket of weight per line: "2000 = 4.90". */
export const brackets =
  (name: string): FieldKind =>
  ([typed]) =>
    linesOf(typed).map((line) => {
      const [grams = "", price = ""] = line.split("=");
      return { up_to_grams: number([grams]), price: money(name)([price]) };
    });

export const bracketLines = (rows: WeightBracket[]): string =>
  rows.map(({ upToGrams, price }) => `${upToGrams} = ${formatAmount(price)}`).join("\n");
