import type { CsvRow } from "./csv-rows.ts";
import type { ImportRecord } from "./record.ts";

/** How people identify a row. */
export type RowNames = { sku?: unknown; name?: unknown };

/** The record of a row that cannot be read. */
export const refusedRow = ({ line, problem }: CsvRow, names: RowNames = {}): ImportRecord => ({
  line,
  fields: { ...names },
  failures: problem === null ? [] : [{ line, ...problem }],
});
