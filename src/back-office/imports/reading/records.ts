import { parsedJson } from "../../../domain/json.ts";
import type { DecimalSeparator } from "../../../domain/numbers.ts";
import type { AmbiguousColumn, ImportFormat, ImportResource } from "../../../platform/db/schema.ts";
import { shopifyNames, shopifyNumbers, shopifyPrices } from "../shopify/names.ts";
import { shopifyRecords } from "../shopify/records.ts";
import { namesIn } from "../third-party/columns.ts";
import { ATTRIBUTE, wooNames, wooNumbers, wooPrices } from "../woocommerce/fields.ts";
import { wooRecords } from "../woocommerce/records.ts";
import {
  BAD_BYTES,
  type CsvRow,
  csvRows,
  OTHER_CELLS,
  REPLACEMENT,
  type ReadRecords,
  type RowMapping,
  type Survey,
} from "./csv-rows.ts";
import { DecidedRows, decisiveRows, type Separators } from "./decided-rows.ts";
import { fieldOf, isNumeric, isPrice } from "./own-columns.ts";
import { ownRecords } from "./own-csv.ts";
import { type ImportRecord, MAX_ROW_CHARACTERS, UnreadableFile } from "./record.ts";

export type ReadFile = ReadRecords & {
  format: ImportFormat;
  ambiguous: () => AmbiguousColumn[];
  /** Returns the number of rows, after they were read. */
  rows: () => number;
};

/** How ambiguous numbers are read: one separator for all, one per column, or null while still undetermined. */
export type NumberReading = DecimalSeparator | Separators | null;

/** How to read a file. Without `surveyed`, a file of another program is examined first. */
type HowToRead = {
  numbers: NumberReading;
  hasBadBytes: boolean;
  columnFields: Record<string, string | null>;
  surveyed?: Survey | undefined;
};

/** Reads a file of any known format. */
export async function readRecords(
  text: AsyncIterable<string>,
  resource: ImportResource,
  { numbers, hasBadBytes, columnFields, surveyed }: HowToRead,
): Promise<ReadFile> {
  const chunks = text[Symbol.asyncIterator]();
  let beginning = "";
  for (let read = await chunks.next(); ; read = await chunks.next()) {
    if (!read.done) beginning += read.value;
    if (read.done || beginning.trim() !== "" || beginning.length > MAX_ROW_CHARACTERS) break;
  }
  const whole = rejoined(beginning, chunks);
  if (beginning.trimStart().startsWith("{")) return ndjson(whole, hasBadBytes);
  const rows = csvRows(whole, { hasBadBytes });
  const first = await rows.next();
  if (first.done) throw new UnreadableFile({ code: "too_small", message: "The file is empty" });
  const names = first.value.cells.map((name) => name.trim());
  // A column is read as if the file named it like its chosen field. One without a name is left out.
  const header = names.map((name) => (Object.hasOwn(columnFields, name) ? (columnFields[name] ?? "") : name));
  const { format, mapping, isNumeric, isPrice } = recognize(header, resource);
  const numeric = header
    .map((name, at) => ({ at, name: name.toLowerCase() }))
    .filter(({ name }) => isNumeric(name))
    .map(({ at, name }) => ({ at, isPrice: isPrice(name) }));
  let count = 0;
  const body = checked(header, rows, () => count++);
  const counted = { format, rows: () => count };
  const named = (read: ReadRecords): ReadRecords => ({
    ...read,
    columns: { ...read.columns, ...chosenNames(columnFields) },
  });
  if (numbers === null)
    return { ...counted, ...named(mapping(header, decisiveRows(body, numeric), surveyed)), ambiguous: () => [] };
  const separators = typeof numbers === "string" ? new Map(numeric.map(({ at }) => [at, numbers] as const)) : numbers;
  const decided = new DecidedRows(names);
  return {
    ...counted,
    ...named(mapping(header, decided.of(body, numeric, separators), surveyed)),
    ambiguous: () => decided.ambiguous,
  };
}

/** The file's names of columns, by their chosen field. */
const chosenNames = (columnFields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(columnFields).flatMap(([name, field]) => (field === null ? [] : [[field, name]])));

async function* rejoined(beginning: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield beginning;
  for (let read = await rest.next(); !read.done; read = await rest.next()) yield read.value;
}

/** Lines of JSON with the field names of the API, so that no column has to be mapped. */
function ndjson(text: AsyncIterable<string>, hasBadBytes: boolean): ReadFile {
  let count = 0;
  async function* records() {
    for await (const record of ndjsonRecords(text, hasBadBytes)) {
      count++;
      yield record;
    }
  }
  return {
    format: "ndjson",
    records: records(),
    columns: {},
    leftOut: () => [],
    ambiguous: () => [],
    rows: () => count,
  };
}

/** A row with more cells than the header is malformed as well. */
async function* checked(header: string[], rows: AsyncIterable<CsvRow>, count: () => void): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    count();
    const surplus = row.cells.slice(header.length).some((cell) => cell !== "");
    yield surplus ? { ...row, problem: OTHER_CELLS } : row;
  }
}

/** Reads one object per line. */
async function* ndjsonRecords(text: AsyncIterable<string>, hasBadBytes: boolean): AsyncGenerator<ImportRecord> {
  let rest = "";
  let line = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_ROW_CHARACTERS)
      throw new UnreadableFile({
        line: line + 1,
        code: "too_big",
        message: `is longer than ${MAX_ROW_CHARACTERS} characters`,
      });
    for (const each of lines) yield* recordOf(++line, each, hasBadBytes);
  }
  yield* recordOf(++line, rest, hasBadBytes);
}

function* recordOf(line: number, text: string, hasBadBytes: boolean): Generator<ImportRecord> {
  if (text.trim() === "") return;
  const fields = parsedJson(text);
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  if (hasBadBytes && text.includes(REPLACEMENT))
    yield { line, ...(isObject && { fields: { ...fields } }), failures: [{ line, ...BAD_BYTES }] };
  else if (isObject) yield { line, fields: { ...fields } };
  else yield { line, failures: [{ line, code: "invalid_json", message: "is not a JSON object" }] };
}

type CsvFormat = {
  format: ImportFormat;
  knows: (column: string) => boolean;
  /** Columns that identify rows. The file needs all columns of one list. */
  identifiers: readonly (readonly string[])[];
  isNumeric: (column: string) => boolean;
  isPrice: (column: string) => boolean;
  mapping: RowMapping;
};

const own = (resource: ImportResource, identifier: string): CsvFormat => ({
  format: "csv",
  knows: (column) => fieldOf(resource, column) !== undefined,
  identifiers: [[identifier]],
  isNumeric: (column) => isNumeric(resource, column),
  isPrice: (column) => isPrice(resource, column),
  mapping: ownRecords(resource),
});

const wooColumns = namesIn(wooNames);
const wooNumeric = namesIn(wooNumbers);
const wooPriceNames = namesIn(wooPrices);
const shopifyColumns = namesIn(shopifyNames);
const shopifyNumeric = namesIn(shopifyNumbers);
const shopifyPriceNames = namesIn(shopifyPrices);

/** The CSV formats of each resource. */
const csvFormats: Record<ImportResource, readonly CsvFormat[]> = {
  products: [
    own("products", "sku"),
    {
      format: "woocommerce",
      knows: (column) => wooColumns.has(column) || ATTRIBUTE.test(column),
      identifiers: [["sku"], ["id", "regular price"]],
      isNumeric: (column) => wooNumeric.has(column),
      isPrice: (column) => wooPriceNames.has(column),
      mapping: wooRecords,
    },
    {
      format: "shopify",
      knows: (column) => shopifyColumns.has(column),
      identifiers: [["sku"], ["variant sku"], ["handle"], ["url handle"]],
      isNumeric: (column) => shopifyNumeric.has(column),
      isPrice: (column) => shopifyPriceNames.has(column),
      mapping: shopifyRecords,
    },
  ],
  customers: [own("customers", "email")],
};

const MOST_NAMES = 300;

/** Returns the format that recognizes most of a file's columns. The first wins a tie. */
function recognize(header: string[], resource: ImportResource): CsvFormat {
  const names = header.map((name) => name.toLowerCase());
  const [best] = csvFormats[resource]
    .filter(({ identifiers }) => identifiers.some((each) => each.every((name) => names.includes(name))))
    .map((format) => ({ format, score: names.filter((name) => format.knows(name)).length }))
    .toSorted((a, b) => b.score - a.score);
  if (best) return best.format;
  const identifiers = resource === "products" ? "SKU, ID (WooCommerce) or Handle (Shopify)" : "email";
  const message = `No column identifies the ${resource}. The first line needs ${identifiers}, but has ${header.join(", ").slice(0, MOST_NAMES)}`;
  throw new UnreadableFile({ line: 1, code: "invalid_format", message }, header);
}
