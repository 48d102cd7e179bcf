import type { Author } from "../auth/author.ts";
import type { Database, Statement } from "../db/client.ts";
import type { JobRow } from "./schemas.ts";

/** What a slice works with. `author` is whoever made the job; `limit` is how many rows the slice may do. */
export type Work = { env: Env; db: Database; job: JobRow; author: Author; limit: number };

/** A row that a job could not do, or did with a warning. */
export type JobFailure = {
  line?: number;
  subjectId?: number;
  sku?: string;
  name?: string;
  field?: string;
  code: string;
  message: string;
  isWarning?: true;
};

/** A part of a job's rows: statements that do all of it, and where the next part begins. */
export type Slice = {
  writes: Statement[];
  /** Null when there is nothing left. */
  cursor: unknown;
  done: number;
  failed: number;
  failures: JobFailure[];
  /** What it took of the platform's subrequests, where that is more than most slices do: as many as so many of them. */
  weight?: number;
  /** How many rows there are in all, by the slice that knows it. */
  total?: number;
  /** The row of a slice that has one, should the database refuse it. */
  row?: Pick<JobFailure, "line" | "subjectId">;
};

/** How a kind of job is done. A slice reads, and says what is to be written; nothing of it happens beside its writes. */
export type Runner = {
  limit: number;
  slice: (work: Work) => Promise<Slice>;
  /** A slice of undoing `job.undoOf`. */
  undo?: (work: Work) => Promise<Slice>;
  /** What is wrong with a row that violates a rule of the database, by the rule's name. */
  refusals?: Record<string, Omit<JobFailure, "line" | "subjectId">>;
};

/** Loads the runner of a kind when one of its jobs runs. */
export type Runners = Record<JobRow["kind"], () => Promise<Runner>>;
