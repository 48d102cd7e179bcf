import { lineOfText } from "../../../domain/html-markdown.ts";
import { type CsvRow, type ReadRecords, refusedRow, type Survey } from "../reading/csv-rows.ts";
import { type ImportRecord, UnreadableFile } from "../reading/record.ts";
import { type Cells, ColumnMapping } from "../third-party/columns.ts";
import { SharedSkus, type ShopifyColumn, shopifyFields, shopifyNames } from "./names.ts";
import { optionNames, type ProductRows, recordsOfGroup } from "./product.ts";

/** Maximum characters kept of a product's rows until the last one is read. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * Reads Shopify's product CSV, where a product consists of all rows with its handle: its variants, and more pictures.
 */
export function shopifyRecords(header: string[], rows: AsyncIterable<CsvRow>, surveyed?: Survey): ReadRecords {
  const columns = new ColumnMapping(header, shopifyNames);
  return {
    columns: columns.namesOf(shopifyFields),
    records: recordsOf(columns, rows, surveyed instanceof SharedSkus ? surveyed : new SharedSkus()),
    leftOut: () => columns.leftOut,
    ...(!surveyed && { survey: () => findShared(columns, rows) }),
  };
}

async function findShared(columns: ColumnMapping<ShopifyColumn>, rows: AsyncIterable<CsvRow>): Promise<SharedSkus> {
  const shared = new SharedSkus();
  // Without handles, rows are identified by their SKUs alone.
  if (!columns.has("handle")) return shared;
  for await (const read of grouped(columns, rows)) {
    if (!("variants" in read)) continue;
    for (const { cells } of read.variants)
      shared.add({ sku: cells("sku") ?? "", handle: read.handle, options: optionNames(cells) });
  }
  return shared;
}

async function* recordsOf(
  columns: ColumnMapping<ShopifyColumn>,
  rows: AsyncIterable<CsvRow>,
  shared: SharedSkus,
): AsyncGenerator<ImportRecord> {
  for await (const read of grouped(columns, rows)) {
    if ("variants" in read) yield* recordsOfGroup(columns, read, shared);
    else yield read;
  }
}

async function* grouped(
  columns: ColumnMapping<ShopifyColumn>,
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<ProductRows | ImportRecord> {
  let group: ProductRows | undefined;
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
      if (group) yield group;
      group = { handle, product: cells, variants: [], pictures: [] };
      characters = 0;
    }
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > MOST_CHARACTERS)
      throw new UnreadableFile({ line: row.line, field: "Handle", code: "too_big", message: "has too many rows" });
    addRow(group, row.line, cells);
  }
  if (group) yield group;
}

/** A row may be a variant, a picture of the product, or both. The first is always a variant. */
function addRow(group: ProductRows, line: number, cells: Cells<ShopifyColumn>): void {
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
