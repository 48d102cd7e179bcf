import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { jobs } from "./jobs.ts";

export const importResources = ["products", "customers"] as const;
export type ImportResource = (typeof importResources)[number];

export const importFormats = ["csv", "ndjson", "woocommerce", "shopify"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row of an import in the dry run's preview. */
export type ImportSample = {
  line: number;
  action: "create" | "update";
  name: string;
  changes: Record<string, unknown>;
};

/** A column that is not imported, with the number of rows that have a value. */
export type LeftOutColumn = { column: string; rows: number };

/** Ambiguous numbers of a column, such as "1,000", that nothing decides. */
export type AmbiguousColumn = { column: string; rows: number; example: string };

/** Encodings of imported files, by their names in the Encoding Standard. */
export const importEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "macintosh",
  "koi8-r",
  "ibm866",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export type ImportEncoding = (typeof importEncodings)[number];

export const decimalSeparators = [".", ","] as const;
export type DecimalSeparator = (typeof decimalSeparators)[number];

/** An uploaded file of products or customers, its planned changes, and the jobs that check and import it. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    resource: text({ enum: importResources }).notNull(),
    fileName: text("file_name").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The upload, and its rows in our own format once read. Both are deleted after some days. */
    r2Key: text("r2_key").notNull(),
    recordsKey: text("records_key"),
    format: text({ enum: importFormats }),
    /** Names of the file's columns by field, where they differ. */
    columns: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** Encoding in which the file was read, with texts that depend on it. */
    encoding: text({ enum: importEncodings }),
    encodingExamples: text("encoding_examples", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Chosen options for reading the file. Null if the content decides. */
    chosenEncoding: text("chosen_encoding", { enum: importEncodings }),
    decimalSeparator: text("decimal_separator", { enum: decimalSeparators }),
    ambiguousColumns: text("ambiguous_columns", { mode: "json" }).$type<AmbiguousColumn[]>().notNull().default([]),
    /** Rows that are not a product of their own. */
    skipped: integer().notNull().default(0),
    leftOut: text("left_out", { mode: "json" }).$type<LeftOutColumn[]>().notNull().default([]),
    /** Results of the dry run. */
    toCreate: integer("to_create").notNull().default(0),
    toUpdate: integer("to_update").notNull().default(0),
    unchanged: integer().notNull().default(0),
    samples: text({ mode: "json" }).$type<ImportSample[]>().notNull().default([]),
    checkJobId: integer("check_job_id")
      .notNull()
      .references(() => jobs.id),
    jobId: integer("job_id").references(() => jobs.id),
    createdAt: createdAt(),
  },
  (table) => [index("imports_by_check").on(table.checkJobId), index("imports_by_job").on(table.jobId)],
);
