import { plainCharacters } from "./fields.ts";
import { decimalsOf, shopCurrency } from "./money.ts";

export const decimalSeparators = [".", ","] as const;
export type DecimalSeparator = (typeof decimalSeparators)[number];

/**
 * A number parsed from text. `separator` is the decimal separator that its spelling proves, or null. An ambiguous number such
 * as "1,000" has a value for each separator.
 */
export type ReadNumber = { value: number; separator: DecimalSeparator | null } | { readings: Readings };

type Readings = Readonly<Record<DecimalSeparator, number>>;

const PLAIN = /^-?\d+(?:\.(?:\d\d?)?)?$/;

/** Currency notations next to an amount. */
const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|Kč|zł|Ft|kr\.?|Fr\.|Rs\.?|Rp\.?|lei|руб\.?|лв\.?|元|円|원)`;
const BEFORE = new RegExp(`^${CURRENCY}\\s*`, "u");
const BEHIND = new RegExp(`\\s*${CURRENCY}$`, "u");

const other = (separator: string): DecimalSeparator => (separator === "." ? "," : ".");

/** Parses a number in any common notation. Returns null for anything else. */
export function readNumber(text: string): ReadNumber | null {
  if (PLAIN.test(text)) return { value: Number(text), separator: text.includes(".") ? "." : null };
  if (text.length > LONGEST) return null;
  const { digits, isNegative } = unsigned(normalized(text));
  const read = readUnsigned(digits);
  return read && isNegative ? negated(read) : read;
}

/** The currency notations next to an amount: "€" in "€ 5". */
export const currenciesIn = (text: string): string[] =>
  text.length > LONGEST ? [] : unsigned(normalized(text)).currencies;

/** Longer texts are not amounts, and matching them would be slow. */
const LONGEST = 64;

/** Converts full-width and other digits, separators and signs to ASCII, and drops invisible marks. */
const normalized = (text: string): string =>
  plainCharacters(text)
    .replaceAll(/[’ʼ´`٬]/g, "'")
    .replaceAll("،", ",");

/** Strips sign and currency, wherever they stand: "(5)" and "5-" are negative, "12.-" is a round amount. */
function unsigned(text: string) {
  const inner = /^\((.+)\)$/.exec(text)?.[1];
  let rest = (inner ?? text).trim().replace(/([.,])-{1,2}(?!\d)/, "$1");
  let isNegative = inner !== undefined;
  const currencies: string[] = [];
  const strip = (notation: string) => {
    currencies.push(notation.trim());
    return "";
  };
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(BEFORE, strip).replace(BEHIND, strip);
    if (!isNegative && /^-|-$/.test(rest)) {
      isNegative = true;
      rest = rest.replace(/^-\s*|\s*-$/, "");
    } else if (/^\+/.test(rest)) rest = rest.slice(1).trim();
  }
  return { digits: rest, isNegative, currencies };
}

const negated = (read: ReadNumber): ReadNumber =>
  "readings" in read
    ? { readings: { ".": -read.readings["."], ",": -read.readings[","] } }
    : { ...read, value: -read.value };

const WHOLE = /^\d+$/;
const DECIMAL = /^(\d*)([.,٫])(\d*)$/;
/** Thousands separated by spaces or apostrophes, which are never decimal separators. */
const SPACED = /^(\d{1,3}(?:([ '])\d{3})(?:\2\d{3})*)(?:([.,٫])(\d*))?$/;
/** Thousands or Indian lakhs separated by a point or a comma, with the other as decimal separator. */
const GROUPED = /^(\d{1,3}([.,])\d{3}(?:\2\d{3})*|\d{1,2}(?:(,)\d{2})+,\d{3})(?:([.,])(\d*))?$/;

function readUnsigned(text: string): ReadNumber | null {
  if (WHOLE.test(text)) return { value: Number(text), separator: null };
  const [, whole = "", separator = "", decimals = ""] = DECIMAL.exec(text) ?? [];
  if (separator !== "") return whole + decimals === "" ? null : readDecimal(whole, separator, decimals);
  const spaced = SPACED.exec(text);
  if (spaced) return exact(spaced[1], spaced[4], spaced[3]);
  const grouped = GROUPED.exec(text);
  if (!grouped) return null;
  const [, integer = "", , , mark, rest] = grouped;
  const thousands = integer.includes(",") ? "," : ".";
  return mark === thousands ? null : exact(integer, rest, other(thousands));
}

/** Three digits after a separator may be thousands, unless the digits before it cannot be a group. */
function readDecimal(whole: string, separator: string, decimals: string): ReadNumber {
  if (separator === "٫" || decimals.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole))
    return exact(whole, decimals, separator);
  const [fraction, thousands] = [Number(`${whole}.${decimals}`), Number(whole + decimals)];
  return { readings: separator === "." ? { ".": fraction, ",": thousands } : { ".": thousands, ",": fraction } };
}

function exact(whole = "", decimals = "", separator = ""): ReadNumber {
  const value = Number(`${whole.replaceAll(/\D/g, "") || "0"}.${decimals}`);
  return { value, separator: separator === "." || separator === "," ? separator : null };
}

/** Parses a price. If the currency has no decimals, three digits after a separator are thousands. */
export function readPrice(text: string): ReadNumber | null {
  const read = readNumber(text);
  if (!read || "value" in read || decimalsOf(shopCurrency()) > 0) return read;
  return { value: read.readings[thousandsBy(read.readings)], separator: null };
}

/**
 * Default decimal separator of an ambiguous price: a point before three digits in currencies with three decimals, as exports
 * write it.
 */
export function usualSeparator(readings: Readings): DecimalSeparator | undefined {
  return decimalsOf(shopCurrency()) === 3 && thousandsBy(readings) === "," ? "." : undefined;
}

/** Returns the decimal separator that makes the digits thousands. */
const thousandsBy = (readings: Readings): DecimalSeparator =>
  Math.abs(readings["."]) > Math.abs(readings[","]) ? "." : ",";

/** True if one limit or end is beyond another. Null stands for none. */
export const isBeyond = (after: number | null, before: number | null): boolean =>
  before !== null && (after === null || after > before);
