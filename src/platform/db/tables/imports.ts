import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { jobs } from "./jobs.ts";

export const importResources = ["products", "customers"] as const;
export type ImportResource = (typeof importResources)[number];

export const importFormats = ["csv", "ndjson", "woocommerce", "shopify"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row of an import as the dry run shows it. */
export type ImportSample = {
  line: number;
  action: "create" | "update";
  name: string;
  changes: Record<string, unknown>;
};

/** What a file has of a column that is not imported: in how many rows there is something. */
export type LeftOutColumn = { column: string; rows: number };

/** Numbers of a column that can be read in two ways, such as "1,000", and that nothing decides. */
export type AmbiguousColumn = { column: string; rows: number; example: string };

/** Encodings of text that a file may have, by their names in the Encoding Standard. */
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

/** A file of products or customers that was uploaded: what it would change, and the jobs that find this out and do it. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    resource: text({ enum: importResources }).notNull(),
    fileName: text("file_name").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The upload, and its rows in our own format once they have been read. Both are deleted after some days. */
    r2Key: text("r2_key").notNull(),
    recordsKey: text("records_key"),
    format: text({ enum: importFormats }),
    /** What its columns are called, by the fields that are made of them, where that is another name. */
    columns: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** The encoding that the file was read in, and some texts of it that depend on the encoding. */
    encoding: text({ enum: importEncodings }),
    encodingExamples: text("encoding_examples", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** How the file is to be read, null for what its content decides. */
    chosenEncoding: text("chosen_encoding", { enum: importEncodings }),
    decimalSeparator: text("decimal_separator", { enum: decimalSeparators }),
    ambiguousColumns: text("ambiguous_columns", { mode: "json" }).$type<AmbiguousColumn[]>().notNull().default([]),
    /** Rows that are no product of their own. */
    skipped: integer().notNull().default(0),
    leftOut: text("left_out", { mode: "json" }).$type<LeftOutColumn[]>().notNull().default([]),
    /** What the dry run has found. */
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
