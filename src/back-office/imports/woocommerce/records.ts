import { unneutralized } from "../../../domain/csv-cell.ts";
import { lineOfText } from "../../../domain/html-markdown.ts";
import type { OptionValue } from "../../../domain/option-values.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { type CsvRow, type ReadRecords, type RowNames, refusedRow, type Survey } from "../reading/csv-rows.ts";
import type { ImportRecord } from "../reading/record.ts";
import { ColumnMapping } from "../third-party/columns.ts";
import type { DateOrder } from "./dates.ts";
import {
  ATTRIBUTE,
  ATTRIBUTE_VALUE,
  isUndecided,
  listIn,
  orderOf,
  type WooColumn,
  type WooRow,
  wooFields,
  wooNames,
} from "./fields.ts";
import { aloneRecordOf, parentOf, parentRecordOf, recordOf, referenceOf, variationRecordsOf } from "./product.ts";
import { type Parent, Parents, parentReferencesOf, Variations } from "./variations.ts";

/** Imported types. This shop has no equivalent of others, such as grouped products and plugin types. */
const IMPORTED = ["simple", "variable", "variation", "virtual", "downloadable"];

/** Rows whose reading is postponed to the end of the file, which may prove the order of their dates. */
const MOST_UNDECIDED = 20_000;

const NO_PARENT =
  "is neither a variable product above this row nor in the shop, and no product has the variation's SKU";

type FailedRow = Pick<WooRow, "line" | "columns"> & RowNames;

/**
 * Reads WooCommerce's product CSV. A variable product becomes a product with options, and its variations become
 * variants.
 */
export function wooRecords(header: string[], rows: AsyncIterable<CsvRow>, surveyed?: Survey): ReadRecords {
  const columns = new ColumnMapping(header, wooNames, (name) => ATTRIBUTE.test(name));
  const attributesOf = attributeReader(header);
  const variations = surveyed instanceof Variations ? surveyed : new Variations();
  const hasVariations = columns.has("parent") && columns.has("type");
  return {
    columns: columns.namesOf(wooFields),
    records: products({ columns, attributesOf, variations }, rows),
    leftOut: () => columns.leftOut,
    ...(!surveyed && hasVariations && { survey: () => survey({ columns, attributesOf }, rows) }),
  };
}

type AttributesOf = (cells: string[]) => OptionValue[];
type File = { columns: ColumnMapping<WooColumn>; attributesOf: AttributesOf; variations: Variations };

/** Reads the attributes of a row. One without a name is named by its number. */
function attributeReader(header: string[]): AttributesOf {
  const lower = header.map((name) => name.toLowerCase());
  const places = lower.flatMap((name, at) => {
    const number = ATTRIBUTE_VALUE.exec(name)?.[1];
    return number === undefined ? [] : [{ at, number, nameAt: lower.indexOf(`attribute ${number} name`) }];
  });
  return (cells) =>
    places.flatMap(({ at, number, nameAt }) => {
      const [name = "", value = ""] = [cells[nameAt], cells[at]].map((cell) => lineOfText(unneutralized(cell ?? "")));
      return name === "" && value === "" ? [] : [{ name: name || `Option ${number}`, value }];
    });
}

/** Examines a file for the attributes that variations use. */
async function survey({ columns, attributesOf }: Omit<File, "variations">, rows: AsyncIterable<CsvRow>) {
  const variations = new Variations();
  for await (const { cells: all, problem } of rows) {
    if (problem) continue;
    const cells = columns.cellsOf(all);
    const types = typesOf(cells);
    if (types.includes("variable"))
      variations.addProduct(parentReferencesOf({ id: cells("id") ?? "", sku: cells("sku") ?? "" }));
    else if (types.includes("variation")) variations.add(referenceOf({ cells }), attributesOf(all).map(single));
  }
  return variations;
}

/** A variation's attribute has one value, whose commas follow a backslash. */
const single = ({ name, value }: OptionValue): OptionValue => ({ name, value: value.replaceAll("\\,", ",") });

const typesOf = (cells: WooRow["cells"]): string[] => listIn((cells("type") ?? "").toLowerCase());

async function* products(
  { columns, attributesOf, variations }: File,
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<ImportRecord> {
  const now = Date.now();
  const parents = new Parents();
  const orders = new Set<DateOrder | null>();
  const undecided: { row: WooRow; parent: Parent | null }[] = [];
  const recordsOf = (row: WooRow, parent: Parent | null): ImportRecord[] =>
    parent ? variationRecordsOf(row, parent, variations) : [recordOf(row, null)];
  function* recordsOrWait(row: WooRow, parent: Parent | null): Generator<ImportRecord> {
    if (isUndecided(row) && undecided.length < MOST_UNDECIDED) undecided.push({ row, parent });
    else yield* recordsOf(row, parent);
  }
  for await (const read of rows) {
    const { line, cells: all } = read;
    const cells = columns.cellsOf(all);
    if (read.problem) {
      yield refusedRow(read, { sku: cells("sku"), name: cells("name") });
      continue;
    }
    const types = typesOf(cells);
    const row: WooRow = { line, cells, types, attributes: attributesOf(all), columns, now, dateOrder: null };
    orders.add(orderOf(row));
    const refused = types.find((type) => !IMPORTED.includes(type));
    const names = { ...row, sku: cells("sku"), name: cells("name") };
    if (refused) yield failed(names, "type", "not_applicable", `${refused} products are not imported`);
    else if (types.includes("variable")) {
      const parent = parentOf(row, variations);
      parents.add(parent);
      yield parent.options.length > 0
        ? parentRecordOf(row, parent)
        : failed(names, "type", "not_applicable", "is a variable product without variations in the file");
    } else if (types.includes("variation")) {
      const variation = { ...row, attributes: row.attributes.map(single) };
      const parent = parents.find(referenceOf(row));
      if (parent) yield* recordsOrWait(variation, parent);
      else yield aloneRecordOf(variation, failureOf(row, "parent", "unknown_reference", NO_PARENT));
    } else yield* recordsOrWait(row, null);
  }
  const [dateOrder = null, ...others] = [...orders].filter((order) => order !== null);
  for (const { row, parent } of undecided)
    yield* recordsOf({ ...row, dateOrder: others.length > 0 ? null : dateOrder }, parent);
}

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
