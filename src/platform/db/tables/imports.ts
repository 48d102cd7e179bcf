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
