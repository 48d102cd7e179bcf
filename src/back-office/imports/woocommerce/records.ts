import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { type CsvRow, type ReadRecords, type RowNames, refusedRow } from "../reading/csv-rows.ts";
import type { ImportRecord } from "../reading/record.ts";
import { ColumnMapping } from "../third-party/columns.ts";
import type { DateOrder } from "./dates.ts";
import { listIn, type WooRow } from "./fields.ts";
import { ATTRIBUTE, ATTRIBUTE_VALUE, type WooColumn, wooFields, wooNames } from "./names.ts";
import { type Parent, Parents } from "./parents.ts";
import { aloneRecordOf, parentOf, recordOf } from "./product.ts";
import { isUndecided, orderOf } from "./sale.ts";

/** Imported types. This shop has no equivalent of others, such as grouped products and plugin types. */
const IMPORTED = ["simple", "variable", "variation", "virtual", "downloadable"];

/** Rows that wait for the end of the file, which may tell the order of their dates. */
const MOST_UNDECIDED = 20_000;

const NO_PARENT = "is not a variable product above this row, and no product in the shop has the variation's SKU";

type FailedRow = Pick<WooRow, "line" | "columns"> & RowNames;

/** Reads WooCommerce's product CSV. Each variation becomes its own product, with its parent's values. */
export function wooRecords(header: string[], rows: AsyncIterable<CsvRow>): ReadRecords {
  const columns = new ColumnMapping(header, wooNames, (name) => ATTRIBUTE.test(name));
  const values = header.flatMap((name, at) => (ATTRIBUTE_VALUE.test(name.toLowerCase()) ? [at] : []));
  return {
    columns: columns.namesOf(wooFields),
    records: products(columns, values, rows),
    leftOut: () => columns.leftOut,
  };
}

async function* products(
  columns: ColumnMapping<WooColumn>,
  valuesAt: number[],
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<ImportRecord> {
  const now = Date.now();
  const parents = new Parents();
  const orders = new Set<DateOrder | null>();
  const undecided: { row: WooRow; parent: Parent | null }[] = [];
  function* recordOrWait(row: WooRow, parent: Parent | null): Generator<ImportRecord> {
    if (isUndecided(row) && undecided.length < MOST_UNDECIDED) undecided.push({ row, parent });
    else yield recordOf(row, parent);
  }
  for await (const read of rows) {
    const { line, cells: all } = read;
    const cells = columns.cellsOf(all);
    if (read.problem) {
      yield refusedRow(read, { sku: cells("sku"), name: cells("name") });
      continue;
    }
    const types = listIn((cells("type") ?? "").toLowerCase());
    const attributes = valuesAt.map((at) => (all[at] ?? "").trim()).filter((value) => value !== "");
    const row: WooRow = { line, cells, types, attributes, columns, now, dateOrder: null };
    orders.add(orderOf(row));
    const refused = types.find((type) => !IMPORTED.includes(type));
    if (refused)
      yield failed(
        { ...row, sku: cells("sku"), name: cells("name") },
        "type",
        "not_applicable",
        `${refused} products are not imported`,
      );
    else if (types.includes("variable"))
      yield* parents.add(parentOf(row)).flatMap((parent) => withoutVariations(columns, parent));
    else if (types.includes("variation")) {
      const parent = parents.find(cells("parent") ?? "");
      if (parent) parent.hasVariations = true;
      if (parent) yield* recordOrWait(row, parent);
      else yield aloneRecordOf(row, failureOf(row, "parent", "unknown_reference", NO_PARENT));
    } else yield* recordOrWait(row, null);
  }
  const [dateOrder = null, ...others] = [...orders].filter((order) => order !== null);
  for (const { row, parent } of undecided)
    yield recordOf({ ...row, dateOrder: others.length > 0 ? null : dateOrder }, parent);
  for (const parent of parents.all()) yield* withoutVariations(columns, parent);
}

const withoutVariations = (
  columns: ColumnMapping<WooColumn>,
  { line, sku, name, hasVariations }: Pick<Parent, "line" | "sku" | "name" | "hasVariations">,
): ImportRecord[] =>
  hasVariations
    ? []
    : [
        failed(
          { line, columns, sku, name },
          "type",
          "not_applicable",
          "is a variable product without variations in the file",
        ),
      ];

function failed(row: FailedRow, key: WooColumn, code: string, message: string): ImportRecord {
  const { line, sku, name } = row;
  return { line, fields: { sku, name }, failures: [failureOf(row, key, code, message)] };
}

const failureOf = (
  { line, columns }: Pick<WooRow, "line" | "columns">,
  key: WooColumn,
  code: string,
  message: string,
): RowFailure => ({ line, field: columns.nameOf(key) ?? "", code, message });
