import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { importFormats, importResources, type imports, type JobState, jobStates } from "../../platform/db/schema.ts";

/** An import with the states of its jobs. */
export type ImportRow = typeof imports.$inferSelect & {
  checkState: JobState;
  checkFailed: number;
  total: number | null;
  jobState: JobState | null;
};

/** The form has nothing beside its file. */
export const NewImport = z.strictObject({});

const states = ["checking", "unreadable", "ready", ...jobStates] as const;
export type ImportState = (typeof states)[number];

export function stateOf({ checkState, jobState, recordsKey }: ImportRow): ImportState {
  if (jobState !== null) return jobState;
  if (checkState === "queued" || checkState === "running") return "checking";
  if (checkState !== "completed") return checkState;
  return recordsKey === null ? "unreadable" : "ready";
}

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
      .describe("Columns of the file that are not imported"),
    state: z
      .enum(states)
      .describe(
        "State of the import. `checking`: the file is being checked. `ready`: it can be started. Afterwards, the state of its job",
      ),
    rows: z.int().nullable(),
    to_create: z.int(),
    to_update: z.int(),
    unchanged: z.int(),
    failed: z
      .int()
      .describe("Number of rows that cannot be imported. The failures of the check's job list the reasons"),
    samples: z.array(Sample).describe("The first rows that create or change something"),
    check_job_id: z.int(),
    job_id: z.int().nullable().describe("Id of the job that writes the rows. Null until the import is started"),
    created_at: Timestamp,
  })
  .meta({ id: "Import" });

export const toImport = (row: ImportRow): z.output<typeof Import> => ({
  id: row.id,
  resource: row.resource,
  file_name: row.fileName,
  size_bytes: row.sizeBytes,
  format: row.format,
  left_out: row.leftOut,
  state: stateOf(row),
  rows: row.total,
  to_create: row.toCreate,
  to_update: row.toUpdate,
  unchanged: row.unchanged,
  failed: row.checkFailed,
  samples: row.samples,
  check_job_id: row.checkJobId,
  job_id: row.jobId,
  created_at: iso(row.createdAt),
});
