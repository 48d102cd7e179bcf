import type { LeftOutColumn } from "../../../platform/db/schema.ts";
import type { SharedSkus } from "../shopify/shared-skus.ts";
import type { CsvRow } from "./csv-rows.ts";
import type { ImportRecord } from "./record.ts";

export type ReadRecords = {
  records: AsyncIterable<ImportRecord>;
  /** What the columns of the file are called, by the fields that are made of them, where that is another name. */
  columns: Record<string, string>;
  /** What the file has that is not imported, once the records were read. */
  leftOut: () => LeftOutColumn[];
  /** Finds out, in place of reading the records, which SKUs several of them have; these are needed to read the file again. */
  findShared?: () => Promise<SharedSkus>;
};

/** Turns the rows of a CSV file below its header into records. */
export type Mapping = (header: string[], rows: AsyncIterable<CsvRow>, shared?: SharedSkus) => ReadRecords;
