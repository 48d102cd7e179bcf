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
  changes: z.record(z.string(), z.unknown()).describe("The fields that an update changes"),
});

export const Import = z
  .object({
    id: z.int(),
    resource: z.enum(importResources),
    file_name: z.string(),
    size_bytes: z.int(),
    format: z.enum(importFormats).nullable().describe("What the file turned out to be, null until it was read"),
    left_out: z
      .array(z.object({ column: z.string(), rows: z.int().describe("Rows that have something in it") }))
      .describe("Columns of the file that are not imported"),
    state: z
      .enum(states)
      .describe("`checking` is the dry run; what is `ready` waits to be started; then it is the job's"),
    rows: z.int().nullable(),
    to_create: z.int(),
    to_update: z.int(),
    unchanged: z.int(),
    failed: z.int().describe("Rows that are wrong: the failures of the check's job say why"),
    samples: z.array(Sample).describe("The first rows that change something"),
    check_job_id: z.int(),
    job_id: z.int().nullable().describe("The job that writes the rows, once it was started"),
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
