import { connect } from "../db/client.ts";
import { isViolation, violates } from "../db/violation.ts";
import type { Runner, Runners, Slice, Work } from "./kind.ts";
import { findJob } from "./queries.ts";
import { isOpen, type JobRow } from "./schemas.ts";
import { applySlice } from "./slice-queries.ts";

/** Does the next slice of a job, and answers with its weight if there is more to do, else with 0. */
export async function runSlice(env: Env, runners: Partial<Runners>, id: number): Promise<number> {
  const db = connect(env.DB);
  const job = await findJob(db, id);
  if (!job || !isOpen(job)) return 0;
  const runner = await runners[job.kind]?.();
  if (!runner) throw new Error(`Nothing is known to do jobs of the kind ${job.kind}`);
  const now = Date.now();
  const author = { actor: job.createdBy, address: null, requestId: job.requestId, now };
  return attempt(runner, { env, db, job, author, limit: runner.limit });
}

/** A slice that the database refuses is done in halves: a row that is refused by itself has failed. */
async function attempt(runner: Runner, work: Work): Promise<number> {
  const slice = await read(runner, work);
  const { weight = 1 } = slice;
  try {
    await applySlice(work.db, work.job, slice, work.author.now);
  } catch (error) {
    // It was cancelled, another instance has done this slice, or a row was edited since it was read: looked at once more.
    if (violates(error, "row_changed")) return weight;
    if (!isViolation(error)) throw error;
    if (work.limit > 1) return attempt(runner, { ...work, limit: Math.floor(work.limit / 2) });
    await applySlice(work.db, work.job, refused(runner, slice, error), work.author.now);
  }
  return slice.cursor === null ? 0 : weight;
}

function read({ slice, undo }: Runner, work: Work): Promise<Slice> {
  if (work.job.undoOf === null) return slice(work);
  if (!undo) throw new Error(`Jobs of the kind ${work.job.kind} cannot be undone`);
  return undo(work);
}

function refused({ refusals = {} }: Runner, slice: Slice, error: unknown): Slice {
  const rule = Object.keys(refusals).find((name) => violates(error, name));
  const words = (rule && refusals[rule]) || { code: "conflict", message: "goes against what is in the shop already" };
  return { ...slice, writes: [], done: 0, failed: 1, failures: [{ ...slice.row, ...words }] };
}

/** What `cursor` a job's slice begins at. */
export const cursorOf = <Cursor>(job: JobRow, parse: (value: unknown) => Cursor, first: Cursor): Cursor =>
  job.cursor === null ? first : parse(JSON.parse(job.cursor));
