import type { ImportFormat, ImportResource } from "../../../platform/db/schema.ts";
import { MAX_ROW_CHARACTERS } from "../limits.ts";
import { shopifyRecords } from "../shopify/records.ts";
import { wooRecords } from "../woocommerce/records.ts";
import { type CsvRow, csvRows } from "./csv-rows.ts";
import { malformed } from "./malformed.ts";
import type { Mapping, ReadRecords } from "./mapping.ts";
import { ndjsonRecords } from "./ndjson-records.ts";
import { fieldsOfCells } from "./own-csv.ts";
import { type ImportRecord, UnreadableFile } from "./record.ts";

export type ReadFile = ReadRecords & { format: ImportFormat };

type CsvFormat = { format: ImportFormat; columns: string[][]; mapping: Mapping };

/** The formats of CSV that each resource has, the columns that tell each of them, and how its rows become records. */
const csvFormats: Record<ImportResource, CsvFormat[]> = {
  products: [
    { format: "csv", columns: [["sku"]], mapping: ownRecords },
    { format: "woocommerce", columns: [["Type", "Name", "Regular price"]], mapping: wooRecords },
    {
      format: "shopify",
      columns: [
        ["Handle", "Variant Price"],
        ["URL handle", "Price"],
      ],
      mapping: shopifyRecords,
    },
  ],
  customers: [{ format: "csv", columns: [["email"]], mapping: ownRecords }],
};

/** Reads a file of any format that is known. */
export async function readRecords(text: AsyncIterable<string>, resource: ImportResource): Promise<ReadFile> {
  const chunks = text[Symbol.asyncIterator]();
  let beginning = "";
  for (let read = await chunks.next(); ; read = await chunks.next()) {
    if (!read.done) beginning += read.value;
    if (read.done || beginning.trim() !== "" || beginning.length > MAX_ROW_CHARACTERS) break;
  }
  const whole = rejoined(beginning, chunks);
  if (beginning.trimStart().startsWith("{")) return { format: "ndjson", records: ndjsonRecords(whole), ...asNamed };
  const rows = csvRows(whole);
  const first = await rows.next();
  if (first.done) throw new UnreadableFile({ code: "too_small", message: "The file is empty" });
  const header = first.value.cells.map((name) => name.trim());
  for (const { format, columns, mapping } of csvFormats[resource]) {
    if (columns.some((names) => names.every((name) => header.includes(name))))
      return { format, ...mapping(header, checked(header, rows)) };
  }
  throw new UnreadableFile({
    line: first.value.line,
    code: "invalid_format",
    message: `The first line has the columns of no format of ${resource} that is known: docs/import.md lists them`,
  });
}

async function* rejoined(beginning: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield beginning;
  for (let read = await rest.next(); !read.done; read = await rest.next()) yield read.value;
}

/** A format whose fields are called what the API calls them, and all of which is imported. */
const asNamed = { columns: {}, leftOut: () => [] };

/** A row with more cells than the header is malformed as well. */
async function* checked(header: string[], rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    const surplus = row.cells.slice(header.length).some((cell) => cell !== "");
    yield surplus ? { ...row, isMalformed: true } : row;
  }
}

function ownRecords(header: string[], rows: AsyncIterable<CsvRow>): ReadRecords {
  requireOnce(header);
  return { records: ownRows(header, rows), ...asNamed };
}

async function* ownRows(header: string[], rows: AsyncIterable<CsvRow>): AsyncGenerator<ImportRecord> {
  for await (const { line, cells, isMalformed } of rows) {
    yield isMalformed ? malformed(line) : { line, fields: fieldsOfCells(header, cells) };
  }
}

/** Which of two columns with one name is meant, nobody can tell. */
function requireOnce(header: string[]): void {
  const twice = header.find((name, at) => name !== "" && header.indexOf(name) < at);
  if (twice !== undefined)
    throw new UnreadableFile({ line: 1, field: twice, code: "repeated", message: "is the name of two columns" });
}
