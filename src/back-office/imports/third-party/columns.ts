import { createHash } from "node:crypto";
import { unneutralized } from "../../../domain/csv-cell.ts";
import { Gtin } from "../../../domain/gtin.ts";
import { lineOfText } from "../../../domain/html-markdown.ts";
import { MAX_TAG } from "../../../domain/tags.ts";
import { beginningInWords } from "../../../domain/text.ts";
import type { LeftOutColumn } from "../../../platform/db/schema.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { numberIn, priceIn } from "../reading/numbers.ts";

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

/** Names of a column in the known versions of a format, in any case. */
export type ColumnNames<Key extends string> = Readonly<Record<Key, readonly string[]>>;

/** The cells of a row by meaning. Undefined for a column that the file does not have. */
export type Cells<Key extends string> = (key: Key) => string | undefined;

/** Column names in lower case. */
export const namesIn = (names: ColumnNames<string>): ReadonlySet<string> =>
  new Set(Object.values(names).flatMap((alternatives) => alternatives.map((name) => name.toLowerCase())));

/** A column of row numbers, which table programs put first. */
const INDEX = /^(|#|index|unnamed: \d+)$/;

/** A cell without information: exports contain every column, most of them with an empty value. */
const NOTHING = /^(|0|false|no)$/i;

/** Columns of another program's file, and which unsupported ones contain values. */
export class ColumnMapping<Key extends string> {
  readonly #header: string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #unused: number[];
  readonly #leftOut = new Map<string, number>();

  /** `isUsed` returns true for further columns that are imported. */
  constructor(header: string[], names: ColumnNames<Key>, isUsed: (name: string) => boolean = () => false) {
    this.#header = header;
    const lower = header.map((name) => name.toLowerCase());
    this.#places = new Map(
      Object.entries<readonly string[]>(names).flatMap(([key, alternatives]) => {
        const at = alternatives.map((name) => lower.indexOf(name.toLowerCase())).find((each) => each >= 0);
        return at === undefined ? [] : [[key, at] as const];
      }),
    );
    const used = new Set(this.#places.values());
    this.#unused = lower.flatMap((name, at) => (INDEX.test(name) || used.has(at) || isUsed(name) ? [] : [at]));
  }

  /** Returns the column's name in this file. */
  nameOf(key: Key): string | undefined {
    const at = this.#places.get(key);
    return at === undefined ? undefined : this.#header[at];
  }

  /** Returns true if the file has any of the columns. */
  has(...keys: Key[]): boolean {
    return keys.some((key) => this.#places.has(key));
  }

  /** Returns the file's column names by the field made from each. */
  namesOf(fields: Readonly<Record<string, Key>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([field, key]) => {
        const name = this.nameOf(key);
        return name === undefined ? [] : [[field, name]];
      }),
    );
  }

  /** The cells of a row. Cells without a field are counted. */
  cellsOf(cells: string[]): Cells<Key> {
    this.noteUnused(cells);
    return (key) => {
      const at = this.#places.get(key);
      return at === undefined ? undefined : unneutralized(cells[at] ?? "").trim();
    };
  }

  /** Counts a row's cells that have no field. */
  noteUnused(cells: string[]): void {
    for (const at of this.#unused) if (!NOTHING.test((cells[at] ?? "").trim())) this.leaveOut(this.#header[at] ?? "");
  }

  /** Counts a row with data that is not imported. */
  leaveOut(what: string): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
  }

  get leftOut(): LeftOutColumn[] {
    return [...this.#leftOut].map(([column, rows]) => ({ column, rows }));
  }
}
