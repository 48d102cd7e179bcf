import { unneutralized } from "../../../domain/csv-cell.ts";
import { MAX_OPTIONS, splitValues } from "../../../domain/option-values.ts";
import { splitTags } from "../../../domain/tags.ts";
import { type ImportResource, inheritable } from "../../../platform/db/schema.ts";
import { ColumnMapping } from "../third-party/columns.ts";
import { type CsvRow, type RowMapping, refusedRow } from "./csv-rows.ts";
import { numberIn, priceIn } from "./numbers.ts";
import { type ColumnKind, columnKinds, fieldOf, optionColumns } from "./own-columns.ts";
import { type ImportRecord, UnreadableFile } from "./record.ts";

/** Reads rows whose columns are named like the API's fields. */
export const ownRecords =
  (resource: ImportResource): RowMapping =>
  (header, rows) => {
    const fields = header.map((name) => fieldOf(resource, name));
    requireOnce(fields, header);
    const columns = new ColumnMapping(header, {}, (name) => fieldOf(resource, name) !== undefined);
    const names = fields.flatMap((field, at) =>
      field === undefined || field === header[at] ? [] : [[field, header[at] ?? ""]],
    );
    return {
      records: ownRows(resource, fields, columns, rows),
      columns: Object.fromEntries(names),
      leftOut: () => columns.leftOut,
    };
  };

async function* ownRows(
  resource: ImportResource,
  fields: (string | undefined)[],
  columns: ColumnMapping<never>,
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<ImportRecord> {
  for await (const row of rows) {
    const read = fieldsOfCells(columnKinds[resource], fields, row.cells);
    if (row.problem) yield refusedRow(row, read);
    else {
      columns.noteUnused(row.cells);
      const blank = new Set(fields.flatMap((name, at) => (name !== undefined && !row.cells[at] ? [name] : [])));
      yield {
        line: row.line,
        fields: resource === "products" ? withOptions(read, blank) : read,
        // Most files of merchants list goods, and have no column for it. A variant has its product's type.
        ...(resource === "products" && !fields.includes("type") && !read.parent_sku && { ifNew: { type: "physical" } }),
      };
    }
  }
}

/** Refuses two columns with one name, which are ambiguous. */
function requireOnce(fields: (string | undefined)[], header: string[]): void {
  const at = fields.findIndex((field, place) => field !== undefined && fields.indexOf(field) < place);
  if (at < 0) return;
  throw new UnreadableFile({
    line: 1,
    field: header[at] ?? "",
    code: "repeated",
    message: "occurs in two columns",
  });
}

/** Values for empty cells. Other fields are cleared with null or left out. */
const empty = new Map<string, unknown>([
  ["description", ""],
  ["images", []],
  ["file_ids", []],
  ["metadata", {}],
  ["inherits", []],
  ["tags", []],
]);
const clearable = new Set([
  "compare_at_price",
  "cost",
  "unit_pricing",
  "brand",
  "barcode",
  "external_id",
  "seo_title",
  "seo_description",
  "category_id",
  "weight_grams",
  "stock_quantity",
  "download_limit",
  "download_days",
  "license",
  "renews",
  "low_stock_threshold",
  "phone",
  "company",
  "tax_exempt_reason",
]);

/** The fields of a row. */
function fieldsOfCells(
  kindsOf: ReadonlyMap<string, ColumnKind>,
  names: (string | undefined)[],
  cells: string[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    if (name === undefined) continue;
    const cell = cells[at] ?? "";
    // People type an apostrophe before a barcode, so that a spreadsheet does not shorten the number.
    const text = name === "barcode" ? cell.replace(/^'/, "") : unneutralized(cell);
    const value = cell === "" ? valueOfNothing(name) : readCell(kindsOf.get(name) ?? "text", text);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/**
 * Replaces the columns of options by the options of a product, or by the values of a variant. A variant inherits fields whose
 * cells are empty, unless `inherits` leaves them out.
 */
function withOptions(cells: Record<string, unknown>, blank: ReadonlySet<string>): Record<string, unknown> {
  const { parent_sku, inherits, ...fields } = Object.fromEntries(
    Object.entries(cells).filter(([name]) => !optionColumns.has(name)),
  );
  const options = Array.from({ length: MAX_OPTIONS }, (_, at) => ({
    name: cells[`option_${at + 1}_name`],
    value: String(cells[`option_${at + 1}_value`] ?? ""),
  })).filter(({ name }) => name !== undefined);
  if (!parent_sku) {
    const named = options.map(({ name, value }) => ({ name, values: splitValues(value) }));
    return { ...fields, ...(named.length > 0 && { options: named }) };
  }
  const listed: readonly string[] | undefined = Array.isArray(inherits) ? inherits : undefined;
  const taken = listed?.filter((name) => blank.has(name) || fields[name] === undefined);
  return {
    ...fields,
    parent_sku,
    option_values: options,
    inherits: taken ?? inheritable.filter((name) => blank.has(name)),
  };
}

const valueOfNothing = (name: string): unknown => empty.get(name) ?? (clearable.has(name) ? null : undefined);

/** A value of the wrong kind stays text, which validation refuses. */
function readCell(kind: ColumnKind, cell: string): unknown {
  const text = cell.trim();
  switch (kind) {
    case "number":
      return numberIn(cell);
    case "price":
      return priceIn(cell);
    case "flag":
      return /^(true|yes|1)$/i.test(text) ? true : /^(false|no|0)$/i.test(text) ? false : cell;
    case "json":
      return URL.canParse(text) ? [{ url: text }] : parsedOr(cell);
    case "ids":
      return text.split(/[\s,;]+/).map(Number);
    case "words":
      return text.split(/[\s,;]+/);
    case "tags":
      return splitTags(text);
    case "measures":
      return measuresIn(text);
    case "text":
      return cell;
  }
}

/** A content and its reference: "500 g / 1 kg". */
function measuresIn(text: string): unknown {
  const [, value = "", unit, reference, referenceUnit] =
    /^([^a-z]+)([a-z]+)\s*\/\s*(\d+)\s*([a-z]+)$/.exec(text.toLowerCase()) ?? [];
  if (unit === undefined) return text;
  return { measure: { value: Number(value), unit }, reference: { value: Number(reference), unit: referenceUnit } };
}

function parsedOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
