import { createHash } from "node:crypto";
import { Gtin } from "../../../domain/gtin.ts";
import { MAX_TAG } from "../../../domain/tags.ts";
import { beginningInWords } from "../../../domain/text.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { numberIn, priceIn } from "../reading/numbers.ts";
import { lineOfText } from "./html-markdown.ts";

/** Parses an optional number. */
export const numberOrNull = (text: string): number | string | null => (text === "" ? null : numberIn(text));

/** Parses an optional price. */
export const priceOrNull = (text: string): number | string | null => (text === "" ? null : priceIn(text));

/** Reads an optional barcode. An invalid GTIN is left out with a warning. */
export function barcodeIn(
  cell: string | undefined,
  row: { line: number; field: string | undefined },
): { barcode?: string | null; warnings: RowFailure[] } {
  if (cell === undefined) return { warnings: [] };
  if (cell === "") return { barcode: null, warnings: [] };
  const { data } = Gtin.safeParse(cell);
  if (data !== undefined) return { barcode: data, warnings: [] };
  const message = `${beginningInWords(cell, 40)} is not a GTIN of 8, 12, 13 or 14 digits with a valid check digit, so it was left out`;
  return {
    warnings: [{ line: row.line, field: row.field ?? "", code: "invalid", message, isWarning: true }],
  };
}

export const isTrue = (text: string | undefined): boolean => /^(true|yes|1)$/i.test(text ?? "");

/** Parses a counted stock. Negative stock becomes 0. */
export function stockIn(text: string): number | string {
  const count = numberIn(text);
  return typeof count === "number" ? Math.max(0, Math.floor(count)) : count;
}

/** A category's path such as "Clothing > Shirts". */
export const categoryPathIn = (path: string): string => path.split(">").map(lineOfText).join(" > ");

/** Tags, each shortened to the maximum length, without the commas that separate them in lists. */
export const tagsIn = (cells: string[]): string[] =>
  cells.map((cell) => beginningInWords(lineOfText(cell.replaceAll(",", " ")), MAX_TAG)).filter((tag) => tag !== "");

/** Maximum length of a product's SKU. */
const LONGEST = 100;

/** Joins texts into one SKU. If it is too long, its end becomes a digest of the whole. */
export function madeSku(parts: string[]): string {
  const sku = parts.filter((part) => part !== "").join("-");
  if (sku.length <= LONGEST) return sku;
  return `${sku.slice(0, LONGEST - 11)}-${createHash("sha256").update(sku).digest("hex").slice(0, 10)}`;
}

/** Adds an option's new values, ignoring case. */
export function addValues(known: Map<string, string>, values: Iterable<string>): void {
  for (const value of values) if (!known.has(value.toLowerCase())) known.set(value.toLowerCase(), value);
}

/** A picture by its address. */
export type Picture = { url: string; alt: string };
