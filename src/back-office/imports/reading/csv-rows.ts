import Papa from "papaparse";
import type { LeftOutColumn } from "../../../platform/db/schema.ts";
import type { SharedSkus } from "../shopify/names.ts";
import type { Variations } from "../woocommerce/variations.ts";
import { type ImportRecord, MAX_COLUMNS, MAX_ROW_CHARACTERS, UnreadableFile } from "./record.ts";

/** Data that a row needs from the rows below it: SKUs that several variants share, or attributes used by variations. */
export type Survey = SharedSkus | Variations;

/** A row of a CSV file: its raw cells, its first line, and the reason if it cannot be read. */
export type CsvRow = { line: number; cells: string[]; problem: RowProblem | null };
type RowProblem = { code: string; message: string };

export const OTHER_CELLS: RowProblem = {
  code: "invalid_format",
  message: "has a different number of cells than the first line. Check its quotation marks",
};

/** Stands for bytes that are invalid in the file's encoding. */
export const REPLACEMENT = "\u{FFFD}";
export const BAD_BYTES: RowProblem = {
  code: "invalid_encoding",
  message: "has bytes that are invalid in the file's encoding. Save the file as UTF-8",
};

type ParsedChunk = { data: string[][]; errors: { row: number }[]; meta: { cursor: number } };

const tooLong = (line: number) =>
  new UnreadableFile({
    line,
    code: "too_big",
    message: `is longer than ${MAX_ROW_CHARACTERS} characters. Check for a missing quotation mark`,
  });

/** A line that tells spreadsheets the cell separator. */
const SEPARATOR_LINE = /^\s*"?sep=([,;|\t])"?[,;|\t\s]*$/i;

/** Detects cell and row separators from the first row, or from a separator line before it. */
function dialectOf(beginning: string) {
  const [newline = "\n"] = beginning.match(/\r\n|\n|\r/) ?? [];
  const head = beginning.split(newline).find((line) => line.trim() !== "") ?? "";
  const [separatorLine, named] = SEPARATOR_LINE.exec(head) ?? [];
  const bare = head.replaceAll(/"[^"]*"/g, "");
  const [likely = ","] = [",", ";", "\t", "|"].sort((a, b) => bare.split(b).length - bare.split(a).length);
  return { newline, delimiter: named ?? likely, hasSeparatorLine: separatorLine !== undefined } as const;
}

/** Reads the rows of a CSV file as its text arrives, with any separator and line ending, quoted or not. */
export async function* csvRows(text: AsyncIterable<string>, { hasBadBytes = false } = {}): AsyncGenerator<CsvRow> {
  let rest = "";
  let line = 1;
  let dialect: ReturnType<typeof dialectOf> | undefined;
  let isBeforeHeader = true;

  function problemOf(cells: string[], isMalformed: boolean): RowProblem | null {
    if (isMalformed) return OTHER_CELLS;
    return hasBadBytes && cells.some((cell) => cell.includes(REPLACEMENT)) ? BAD_BYTES : null;
  }

  function* rowsOf(isLast: boolean): Generator<CsvRow> {
    dialect ??= dialectOf(rest);
    const { delimiter, newline, hasSeparatorLine } = dialect;
    const parser = new Papa.Parser({ delimiter, newline: newlineOf(newline) });
    const { data, errors, meta }: ParsedChunk = parser.parse(rest, 0, !isLast);
    const malformed = new Set(errors.map(({ row }) => row));
    for (const [at, cells] of data.entries()) {
      if (cells.length > MAX_COLUMNS)
        throw new UnreadableFile({ line, code: "too_big", message: `has more than ${MAX_COLUMNS} columns` });
      if (cells.some((cell) => cell.length > MAX_ROW_CHARACTERS)) throw tooLong(line);
      if (cells.some((cell) => cell.trim() !== "")) {
        if (isBeforeHeader && hasSeparatorLine) isBeforeHeader = false;
        else yield { line, cells, problem: problemOf(cells, malformed.has(at)) };
      }
      line += 1 + linesWithin(cells);
    }
    rest = isLast ? "" : rest.slice(meta.cursor);
  }

  for await (const chunk of text) {
    rest += chunk;
    // Only the end of a row is worth searching again, and the character after the first ending shows whether it is
    // complete.
    if (/[\r\n]/.test(chunk) && /[\r\n]./s.test(rest)) yield* rowsOf(false);
    if (rest.length > MAX_ROW_CHARACTERS * 4) throw tooLong(line);
  }
  if (rest !== "") yield* rowsOf(true);
}

const newlineOf = (newline: string) => (newline === "\r\n" || newline === "\r" ? newline : "\n");

const linesWithin = (cells: string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

export type ReadRecords = {
  records: AsyncIterable<ImportRecord>;
  /** Column names in the file by field, where they differ from the field's. */
  columns: Record<string, string>;
  /** Returns the columns that are not imported. Call after reading the records. */
  leftOut: () => LeftOutColumn[];
  /** Examines all rows for the data needed to read the file again, instead of reading records. */
  survey?: () => Promise<Survey>;
};

/** Turns the rows of a CSV file below its header into records. */
export type RowMapping = (header: string[], rows: AsyncIterable<CsvRow>, surveyed?: Survey) => ReadRecords;

/** How people identify a row. */
export type RowNames = { sku?: unknown; name?: unknown };

/** The record of a row that cannot be read. */
export const refusedRow = ({ line, problem }: CsvRow, names: RowNames = {}): ImportRecord => ({
  line,
  fields: { ...names },
  failures: problem === null ? [] : [{ line, ...problem }],
});
