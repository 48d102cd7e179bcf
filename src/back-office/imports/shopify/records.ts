import type { CsvRow } from "../reading/csv-rows.ts";
import type { ReadRecords } from "../reading/mapping.ts";
import { type ImportRecord, UnreadableFile } from "../reading/record.ts";
import { refusedRow } from "../reading/refused-row.ts";
import { type Cells, Columns } from "../third-party/columns.ts";
import { lineOfText } from "../third-party/html-text.ts";
import { type ShopifyColumn, shopifyFields, shopifyNames } from "./names.ts";
import { type Group, recordsOfGroup } from "./product.ts";

/** What is kept of a product's rows until the last of them was read. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Reads Shopify's product CSV, where a product is the rows that have its handle: its variants, and more pictures. */
export function shopifyRecords(header: string[], rows: AsyncIterable<CsvRow>): ReadRecords {
  const columns = new Columns(header, shopifyNames);
  return {
    columns: columns.namesOf(shopifyFields),
    records: grouped(columns, rows),
    leftOut: () => columns.leftOut,
  };
}

async function* grouped(columns: Columns<ShopifyColumn>, rows: AsyncIterable<CsvRow>): AsyncGenerator<ImportRecord> {
  let group: Group | undefined;
  let characters = 0;
  for await (const row of rows) {
    const cells = columns.cellsOf(row.cells);
    if (row.problem) {
      yield refusedRow(row, { sku: cells("sku"), name: cells("title") });
      continue;
    }
    const handle = cells("handle") ?? cells("sku") ?? "";
    if (handle === "") {
      const field = columns.nameOf("handle") ?? "Handle";
      yield {
        line: row.line,
        fields: { sku: cells("sku"), name: cells("title") },
        failures: [{ line: row.line, field, code: "required", message: "is required" }],
      };
      continue;
    }
    if (!group || group.handle !== handle) {
      if (group) yield* recordsOfGroup(columns, group);
      group = { handle, product: cells, variants: [], pictures: [] };
      characters = 0;
    }
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > MOST_CHARACTERS)
      throw new UnreadableFile({ line: row.line, field: "Handle", code: "too_big", message: "has too many rows" });
    addRow(group, row.line, cells);
  }
  if (group) yield* recordsOfGroup(columns, group);
}

/** A row may be a variant, a picture of the product, or both. The first is a variant whatever it has. */
function addRow(group: Group, line: number, cells: Cells<ShopifyColumn>): void {
  const isVariant = group.variants.length === 0 || cells("option1") || cells("sku") || cells("price");
  if (isVariant) group.variants.push({ line, cells });
  const url = cells("image");
  if (url)
    group.pictures.push({
      url,
      alt: lineOfText(cells("imageAlt") ?? ""),
      position: Number(cells("imagePosition")) || 0,
    });
}
