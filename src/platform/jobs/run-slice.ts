import { type SQL, sql } from "drizzle-orm";
import { beginningOf } from "../../domain/text.ts";
import type { WriteContext } from "../auth/caller.ts";
import { type Database, openDatabase, runAll, type Statement } from "../db/client.ts";
import { isViolation, violates } from "../db/statements.ts";
import { isTooBig, logFault } from "../http/log.ts";
import { AuthorLimits, findJob } from "./jobs.ts";
import { isOpen, type JobRow } from "./schemas.ts";

/** Runs the next slice of a job. Returns its weight, or 0 if nothing is left. */
export async function runSlice(env: Env, runners: Partial<Runners>, id: number): Promise<number> {
  const db = await openDatabase(env.DB);
  const job = await findJob(db, id);
  if (!job || !isOpen(job)) return 0;
  const runner = await runners[job.kind]?.();
  if (!runner) throw new Error(`There is no runner for jobs of the kind ${job.kind}`);
  const now = Date.now();
  const limits = AuthorLimits.parse(job.parameters);
  const author = { actor: job.createdBy, address: null, requestId: job.requestId, now, ...limits };
  return attempt(runner, { env, db, job, author, limit: runner.limit });
}

/** Runs a slice. If the database refuses it, runs it in halves: a single refused row has failed. */
async function attempt(runner: Runner, work: Work): Promise<number> {
  const { db, job, author } = work;
  let slice: Slice | undefined;
  try {
    slice = await read(runner, work);
    await applySlice(db, job, slice, author.now);
  } catch (error) {
    // The job was cancelled, another instance did this slice, or a row was edited since it was read: checked again.
    if (slice && violates(error, "row_changed")) return weightOf(slice);
    if (!isViolation(error) && !isTooBig(error)) throw error;
    if (work.limit > 1) return attempt(runner, { ...work, limit: Math.floor(work.limit / 2) });
    if (isTooBig(error) && !slice?.row) return endTooBig(db, job, author.now);
    if (!slice) throw error;
    await applySlice(db, job, refused(runner, slice, error), author.now);
  }
  return slice.cursor === null ? 0 : weightOf(slice);
}

const weightOf = ({ weight = 1 }: Slice): number => weight;

const TOO_BIG = { code: "payload_too_large", message: "takes more than 2 MB in the database" };

/** Ends a job whose progress is larger than the database stores. */
async function endTooBig(db: Database, job: JobRow, now: number): Promise<number> {
  const failed = sql`UPDATE jobs SET state = 'failed', updated_at = ${now}, finished_at = ${now} WHERE id = ${job.id}`;
  await runAll(db, [
    stillAt(job),
    insertFailures(job, [{ ...TOO_BIG, message: `The job ${TOO_BIG.message}` }]),
    failed,
  ]);
  return 0;
}

function read({ slice, undo }: Runner, work: Work): Promise<Slice> {
  if (work.job.undoOf === null) return slice(work);
  if (!undo) throw new Error(`Jobs of the kind ${work.job.kind} cannot be undone`);
  return undo(work);
}

function refused({ refusals = {} }: Runner, slice: Slice, error: unknown): Slice {
  const rule = Object.keys(refusals).find((name) => violates(error, name));
  if (rule === undefined) logFault("row rejected by a rule that has no error code", error);
  const other = isTooBig(error) ? TOO_BIG : { code: "conflict", message: "conflicts with existing data" };
  const words = (rule && refusals[rule]) || other;
  return { ...slice, writes: [], done: 0, failed: 1, failures: [{ ...slice.row, ...words }] };
}

/** The cursor at which a job's slice starts. */
export const cursorOf = <Cursor>(job: JobRow, parse: (value: unknown) => Cursor, first: Cursor): Cursor =>
  job.cursor === null ? first : parse(JSON.parse(job.cursor));

/** Failures stored per job. All are counted. */
const MOST_FAILURES = 1_000;

/** Refuses a slice of a job that was cancelled, or whose slice another instance has done. */
const stillAt = ({ id, cursor }: JobRow): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ${id} AND state IN ('queued', 'running') AND cursor IS ${cursor})`;

/** Names from a file may have any length. */
const LONGEST_TEXT = 500;
const LONGEST_NAME = 100;

const shortened = (failure: RowFailure): RowFailure => ({
  ...failure,
  ...(failure.field && { field: beginningOf(failure.field, LONGEST_TEXT) }),
  ...(failure.sku && { sku: beginningOf(failure.sku, LONGEST_NAME) }),
  ...(failure.name && { name: beginningOf(failure.name, LONGEST_NAME) }),
  message: beginningOf(failure.message, LONGEST_TEXT),
});

const insertFailures = ({ id }: JobRow, failures: RowFailure[]): SQL => sql`
  INSERT INTO job_failures (job_id, line, subject_id, sku, name, field, code, message, is_warning)
  SELECT ${id}, value ->> 'line', value ->> 'subjectId', value ->> 'sku', value ->> 'name', value ->> 'field', value ->> 'code', value ->> 'message',
    ifnull(value ->> 'isWarning', 0)
  FROM json_each(${JSON.stringify(failures.slice(0, MOST_FAILURES).map(shortened))})
  LIMIT max(0, ${MOST_FAILURES} - (SELECT count(*) FROM job_failures WHERE job_id = ${id}))`;

/** Number of lines with warnings that did not fail. */
const countWarned = ({ failures }: Slice): number =>
  new Set(failures.flatMap(({ isWarning, line, subjectId }) => (isWarning ? [`${line} ${subjectId}`] : []))).size;

const moveOn = ({ id }: JobRow, slice: Slice, now: number): SQL => {
  const isOver = slice.cursor === null;
  return sql`UPDATE jobs SET cursor = ${isOver ? null : JSON.stringify(slice.cursor)}, done = done + ${slice.done},
    failed = failed + ${slice.failed}, warnings = warnings + ${countWarned(slice)},
    total = coalesce(${slice.total ?? null}, total), state = ${isOver ? "completed" : "running"}, updated_at = ${now},
    starts = 0, finished_at = ${isOver ? now : null} WHERE id = ${id}`;
};

const markUndone = ({ undoOf }: JobRow, { cursor }: Slice): SQL[] =>
  undoOf === null || cursor !== null ? [] : [sql`UPDATE jobs SET state = 'undone' WHERE id = ${undoOf}`];

/** Writes a slice's effect and advances the job, in one batch. */
const applySlice = (db: Database, job: JobRow, slice: Slice, now: number): Promise<void> =>
  runAll(db, [
    stillAt(job),
    ...slice.writes,
    ...(slice.failures.length > 0 ? [insertFailures(job, slice.failures)] : []),
    moveOn(job, slice, now),
    ...markUndone(job, slice),
  ]);

/** Tells the schedule that a long slice is in progress. */
export const touchJob = (db: Database, id: number, now: number): Promise<unknown> =>
  db.run(sql`UPDATE jobs SET updated_at = ${now} WHERE id = ${id} AND state IN ('queued', 'running')`);

/** The statement that stores a slice's changes: JSON rows with `subjectId`, `before` and `version`. */
export const keepChanges = (jobId: number, rows: string | SQL): SQL => sql`
  INSERT INTO job_changes (job_id, subject_id, before, version)
  SELECT ${jobId}, value ->> 'subjectId', value -> 'before', value ->> 'version' FROM json_each(${rows})`;

/** The statement that deletes the stored changes of some rows, after undoing them. */
export const dropChanges = (jobId: number, subjectIds: number[]): SQL => sql`
  DELETE FROM job_changes WHERE job_id = ${jobId}
  AND subject_id IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`;

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
