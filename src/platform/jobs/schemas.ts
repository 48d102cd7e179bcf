import * as z from "zod";
import { Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { type Caller, may } from "../auth/caller.ts";
import { readAll } from "../auth/roles.ts";
import { type JobKind, type jobFailures, jobKinds, jobStates, type jobs } from "../db/schema.ts";
import { pageFields } from "../http/pagination.ts";

export type JobRow = typeof jobs.$inferSelect;

/** A job with the job that undoes it, if any. */
export type JobWithUndo = JobRow & { undoneBy: number | null };

export const JobsQuery = z.strictObject({
  ...pageFields,
  kind: z.enum(jobKinds).optional(),
  state: z.enum(jobStates).optional(),
});
export type JobsQuery = z.output<typeof JobsQuery>;

export const isOpen = ({ state }: Pick<JobRow, "state">): boolean => state === "queued" || state === "running";

/** Days for which a job's changes are kept. */
export const UNDO_DAYS = 30;

/** True if a job can be undone: it ended recently and is neither undone nor being undone. */
export const canUndo = ({ kind, state, undoOf, undoneBy, finishedAt }: JobWithUndo): boolean =>
  undoable.has(kind) &&
  undoOf === null &&
  undoneBy === null &&
  finishedAt !== null &&
  finishedAt > Date.now() - UNDO_DAYS * 86_400_000 &&
  (state === "completed" || state === "cancelled" || state === "failed");

export const Job = z
  .object({
    id: z.int(),
    kind: z.enum(jobKinds),
    state: z.enum(jobStates),
    total: z.int().nullable().describe("Number of rows. Null until they are counted"),
    done: z.int(),
    failed: z.int().describe("Number of failed rows. `/failures` lists the reasons"),
    warnings: z.int().describe("Number of rows done with a warning. `/failures` lists the warnings"),
    can_undo: z.boolean(),
    undo_of: z.int().nullable().describe("Id of the job that this job undoes"),
    undone_by: z.int().nullable().describe("Id of the job that undoes this job"),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp.describe("Time of the last progress"),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: "Job" });

export const toJob = (row: JobWithUndo): z.output<typeof Job> =>
  toRecord(Job, row, {
    can_undo: canUndo(row),
  });

export const JobFailure = z
  .object({
    line: z.int().nullable().describe("Line of the file, starting at 1"),
    subject_id: z.int().nullable().describe("Id of the product, order or account"),
    sku: z.string().nullable().describe("SKU in the row. Null for customers and for rows without one"),
    name: z.string().nullable().describe("Product name in the row. Null for customers and for rows without one"),
    field: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    is_warning: z.boolean().describe("True if the row was done despite this message"),
  })
  .meta({ id: "JobFailure" });

export const toJobFailure = (row: typeof jobFailures.$inferSelect): z.output<typeof JobFailure> =>
  toRecord(JobFailure, row, {});

/**
 * The resource that each kind of job changes or stores: its read permission shows jobs, its write permission starts, cancels and undoes
 * them.
 */
export const resourceOf = {
  check_products: "products",
  check_customers: "users",
  import_products: "products",
  import_customers: "users",
  change_products: "products",
  change_customers: "users",
  adjust_stock: "products",
  change_orders: "orders",
  back_up: "settings",
} as const satisfies Record<JobKind, "products" | "users" | "orders" | "settings">;

/** Kinds of jobs that can be undone. */
const undoable: ReadonlySet<JobKind> = new Set([
  "import_products",
  "import_customers",
  "change_products",
  "change_customers",
]);

/** Kinds of jobs visible to the caller. */
export const readableKinds = (caller: Caller): JobKind[] =>
  jobKinds.filter((kind) => may(caller, readAll(resourceOf[kind])));
