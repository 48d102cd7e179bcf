import type { WriteContext } from "../auth/write-context.ts";
import type { Statement } from "../db/client.ts";
import type { JobRow } from "./schemas.ts";

/** Context of a slice. `author` created the job; `limit` is the maximum number of rows. */
export type Work = Pick<WriteContext, "env" | "db" | "author"> & { job: JobRow; limit: number };

/** A row that failed, or was done with a warning. */
export type RowFailure = {
  line?: number;
  subjectId?: number;
  sku?: string;
  name?: string;
  field?: string;
  code: string;
  message: string;
  isWarning?: true;
};

/** A part of a job's rows: the statements that process it, and the start of the next part. */
export type Slice = {
  writes: Statement[];
  /** Null if nothing is left. */
  cursor: unknown;
  done: number;
  failed: number;
  failures: RowFailure[];
  /** Subrequests used, in multiples of an average slice, if more than 1. */
  weight?: number;
  /** Total number of rows, from the slice that knows it. */
  total?: number;
  /** The row of a single-row slice, in case the database refuses it. */
  row?: Pick<RowFailure, "line" | "subjectId">;
};

/** The implementation of a kind of job. A slice reads and returns its writes, and has no other effects. */
export type Runner = {
  limit: number;
  slice: (work: Work) => Promise<Slice>;
  /** A slice that undoes `job.undoOf`. */
  undo?: (work: Work) => Promise<Slice>;
  /** Errors of rows by violated database rule. */
  refusals?: Record<string, Omit<RowFailure, "line" | "subjectId">>;
};

/** Loaders of runners by kind, used when a job runs. */
export type Runners = Record<JobRow["kind"], () => Promise<Runner>>;
