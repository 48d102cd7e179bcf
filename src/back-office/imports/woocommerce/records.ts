import type { JobFailure } from "../../../platform/jobs/kind.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { malformed } from "../reading/malformed.ts";
import type { ReadRecords } from "../reading/mapping.ts";
import type { ImportRecord } from "../reading/record.ts";
import { Columns } from "../third-party/columns.ts";
import { listIn } from "./cells.ts";
import { ATTRIBUTE, ATTRIBUTE_VALUE, type WooColumn, wooFields, wooNames } from "./names.ts";
import { Parents } from "./parents.ts";
import { parentOf, recordOf, type WooRow } from "./product.ts";

/** Types that this shop has no products of. */
const NOT_IMPORTED = ["grouped", "external"];

/** Reads WooCommerce's product CSV: each variation is a product of its own, with what it has from the variable one above. */
export function wooRecords(header: string[], rows: AsyncIterable<CsvRow>): ReadRecords {
  const columns = new Columns(header, wooNames, (name) => ATTRIBUTE.test(name));
  const values = header.flatMap((name, at) => (ATTRIBUTE_VALUE.test(name.toLowerCase()) ? [at] : []));
  return {
    columns: columns.namesOf(wooFields),
    records: products(columns, values, rows),
    leftOut: () => columns.leftOut,
  };
}

async function* products(
  columns: Columns<WooColumn>,
  valuesAt: number[],
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<ImportRecord> {
  const now = Date.now();
  const parents = new Parents();
  for await (const { line, cells: all, isMalformed } of rows) {
    if (isMalformed) {
      yield malformed(line);
      continue;
    }
    const cells = columns.cellsOf(all);
    const types = listIn((cells("type") ?? "").toLowerCase());
    const attributes = valuesAt.map((at) => (all[at] ?? "").trim()).filter((value) => value !== "");
    const row: WooRow = { line, cells, types, attributes, columns, now };
    const refused = types.find((type) => NOT_IMPORTED.includes(type));
    if (refused) yield failed(row, "type", "not_applicable", `${refused} products are not imported`);
    else if (types.includes("variable"))
      yield* parents.add(parentOf(row)).flatMap((parent) => withoutVariations(columns, parent));
    else if (types.includes("variation")) {
      const parent = parents.find(cells("parent") ?? "");
      if (parent) parent.hasVariations = true;
      yield parent
        ? recordOf(row, parent)
        : failed(row, "parent", "unknown_reference", "is no variable product that stands above this row");
    } else yield recordOf(row, null);
  }
  for (const parent of parents.all()) yield* withoutVariations(columns, parent);
}

const withoutVariations = (
  columns: Columns<WooColumn>,
  { line, hasVariations }: { line: number; hasVariations: boolean },
) =>
  hasVariations
    ? []
    : [
        failed(
          { line, columns },
          "type",
          "not_applicable",
          "is a variable product, of which the file has no variations",
        ),
      ];

function failed({ line, columns }: Pick<WooRow, "line" | "columns">, key: WooColumn, code: string, message: string) {
  const failure: JobFailure = { line, field: columns.nameOf(key) ?? "", code, message };
  return { line, failures: [failure] };
}
