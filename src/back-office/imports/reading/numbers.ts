import { type ReadNumber, readNumber, readPrice } from "../../../domain/numbers.ts";

/** Parses an unambiguous number. Anything else stays text, which validation refuses. */
export const numberIn = (text: string): number | string => valueOr(text, readNumber(text.trim()));

/** Parses an unambiguous price. Anything else stays text. */
export const priceIn = (text: string): number | string => valueOr(text, readPrice(text.trim()));

const valueOr = (text: string, read: ReadNumber | null) => (read && "value" in read ? read.value : text);

/** Formats a number unambiguously: "1.2340" for 1.234, which could mean thousands. */
export const unambiguous = (value: number): string =>
  Number.isInteger(value) ? String(value) : `${value.toFixed(3)}0`;

/** Explains why a text is not a number. Null if there is nothing to add. */
export function problemOf(text: string): { code: string; message: string } | null {
  const read = readNumber(text.trim());
  if (read && "readings" in read) {
    const [one, two] = [read.readings["."], read.readings[","]].toSorted((a, b) => b - a);
    const message = `“${text.trim()}” can mean ${one} or ${two}: choose the decimal separator of the file`;
    return { code: "ambiguous_number", message };
  }
  if (/^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text.trim())) {
    const message = `“${text.trim()}” was shortened by a spreadsheet: write all digits of the number`;
    return { code: "invalid_format", message };
  }
  return null;
}
