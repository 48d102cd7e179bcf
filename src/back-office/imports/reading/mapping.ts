import type { LeftOutColumn } from "../../../platform/db/schema.ts";
import type { SharedSkus } from "../shopify/shared-skus.ts";
import type { CsvRow } from "./csv-rows.ts";
import type { ImportRecord } from "./record.ts";

export type ReadRecords = {
  records: AsyncIterable<ImportRecord>;
  /** Column names in the file by field, where they differ from the field's. */
  columns: Record<string, string>;
  /** Returns the columns that are not imported. Call after reading the records. */
  leftOut: () => LeftOutColumn[];
  /** Finds the SKUs shared by several records, instead of reading them. They are needed to read the file again. */
  findShared?: () => Promise<SharedSkus>;
};

/** Turns the rows of a CSV file below its header into records. */
export type Mapping = (header: string[], rows: AsyncIterable<CsvRow>, shared?: SharedSkus) => ReadRecords;
