import * as z from "zod";
import { line, Timestamp } from "../../domain/fields.ts";
import { decimalSeparators } from "../../domain/numbers.ts";
import { toRecord } from "../../domain/record.ts";
import {
  importEncodings,
  importFormats,
  importResources,
  type imports,
  type JobState,
  jobStates,
} from "../../platform/db/schema.ts";
import { isUnicode } from "./reading/text.ts";

/** Maximum length of a column name, which a file may choose freely. */
export const LONGEST_COLUMN = 200;

/** An import with the states of its jobs. */
export type ImportRow = typeof imports.$inferSelect & {
  checkState: JobState;
  checkFailed: number;
  total: number | null;
  jobState: JobState | null;
};

/** How to read a file. Values that are null or left out are detected. */
const DetectedFormat = z
  .strictObject({
    encoding: z.enum(importEncodings).nullable().describe("Encoding of the text in the file. Null to detect it"),
    decimal_separator: z
      .enum(decimalSeparators)
      .nullable()
      .describe(
        "Decimal separator for numbers such as `1,000`. Null to infer it from the other numbers in each column",
      ),
  })
  .partial();

/** Fields of an import's upload. */
export const NewImport = DetectedFormat.meta({ id: "NewImport" });

const MOST_CHOSEN = 100;

const ColumnFields = z
  .record(z.string().max(LONGEST_COLUMN), line(50).nullable())
  .refine((chosen) => Object.keys(chosen).length <= MOST_CHOSEN, `must be at most ${MOST_CHOSEN} columns`)
  .describe("Fields of a CSV file's columns, by the column's name. Null leaves the column out");

export const ReadAs = DetectedFormat.extend({ column_fields: ColumnFields.optional() }).meta({ id: "ReadAs" });
export type ReadAs = z.output<typeof ReadAs>;

const states = ["checking", "unreadable", "ready", ...jobStates] as const;
export type ImportState = (typeof states)[number];

export function stateOf({ checkState, jobState, recordsKey }: ImportRow): ImportState {
  if (jobState !== null) return jobState;
  if (checkState === "queued" || checkState === "running") return "checking";
  if (checkState !== "completed") return checkState;
  return recordsKey === null ? "unreadable" : "ready";
}

export const isEncodingGuessed = ({ encoding, chosenEncoding }: ImportRow): boolean =>
  encoding !== null && chosenEncoding === null && !isUnicode(encoding);

/** Number of rows in the file, as far as it was read. */
export const countRows = ({ total, skipped }: ImportRow): number | null => (total === null ? null : total + skipped);

const Sample = z.object({
  line: z.int(),
  action: z.enum(["create", "update"]),
  name: z.string(),
  changes: z.record(z.string(), z.unknown()).describe("Fields that the update changes"),
});

export const Import = z
  .object({
    id: z.int(),
    resource: z.enum(importResources),
    file_name: z.string(),
    size_bytes: z.int(),
    format: z.enum(importFormats).nullable().describe("Format of the file. Null until the file was read"),
    left_out: z
      .array(z.object({ column: z.string(), rows: z.int().describe("Number of rows with a value in this column") }))
      .describe("Columns of the file that are not imported. All columns, if none of them identifies the rows"),
    column_fields: z
      .record(z.string(), z.string().nullable())
      .describe("Chosen fields of the file's columns, by the column's name. Null leaves a column out"),
    state: z
      .enum(states)
      .describe(
        "State of the import. `checking`: the file is being checked. `ready`: it can be started. Afterwards, the state of its job",
      ),
    encoding: z
      .enum(importEncodings)
      .nullable()
      .describe("Encoding used to read the file. Null until the file has been read"),
    encoding_guessed: z
      .boolean()
      .describe(
        "True if the encoding was guessed by the frequency of characters. Compare the examples before you start the import",
      ),
    encoding_examples: z
      .array(z.string())
      .describe(
        "Up to three texts from the file in this encoding, to compare with the original. Empty for Unicode encodings",
      ),
    decimal_separator: z
      .enum(decimalSeparators)
      .nullable()
      .describe("Decimal separator chosen for the file. Null if it is inferred for each column"),
    ambiguous_columns: z
      .array(z.object({ column: z.string(), rows: z.int(), example: z.string() }))
      .describe(
        "Columns whose numbers have two possible readings. Their rows fail until a decimal separator is chosen",
      ),
    rows: z
      .int()
      .nullable()
      .describe("Number of rows in the file, the sum of the next five fields. Null until the file has been read"),
    to_create: z.int(),
    to_update: z.int(),
    unchanged: z.int(),
    skipped: z
      .int()
      .describe("Rows merged into others: the parent rows of variations, and rows with additional pictures"),
    failed: z
      .int()
      .describe("Number of rows that cannot be imported. The failures of the check's job list the reasons"),
    samples: z.array(Sample).describe("The first rows that create or change something"),
    check_job_id: z.int(),
    job_id: z.int().nullable().describe("Id of the job that writes the rows. Null until the import is started"),
    created_at: Timestamp,
  })
  .meta({ id: "Import" });

export const toImport = (row: ImportRow): z.output<typeof Import> =>
  toRecord(Import, row, {
    state: stateOf(row),
    encoding_guessed: isEncodingGuessed(row),
    rows: countRows(row),
    failed: row.checkFailed,
  });
