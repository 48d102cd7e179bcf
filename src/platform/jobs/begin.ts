import type { Context } from "hono";
import { allowsMore, connect } from "../db/client.ts";
import { JOB_QUERIES, limited, QueryBudget } from "../db/d1-limits.ts";
import { findJob } from "./jobs.ts";
import { type Runners, runSlice } from "./run-slice.ts";
import type { JobWithUndo } from "./schemas.ts";
import { startInBackground } from "./start.ts";

/** Rows processed before the response. A workflow does the rest. */
const AT_ONCE = 100;

/** A refused row takes its own slice and about 15 queries, so a workflow continues after this many. */
const MOST_SLICES = 12;

/** Runs a small job, and starts a workflow for a large one or the remaining rows. */
export async function begin(
  c: Pick<Context, "executionCtx"> & { env: Env },
  runners: Partial<Runners>,
  job: JobWithUndo,
): Promise<JobWithUndo> {
  const slices = (job.total ?? 0) > AT_ONCE ? 0 : MOST_SLICES;
  const env = { ...c.env, DB: limited(c.env.DB, new QueryBudget(JOB_QUERIES)) };
  const db = connect(env.DB);
  let isOpen = true;
  for (let n = 0; n < slices && isOpen && allowsMore(db); n++) isOpen = (await runSlice(env, runners, job.id)) > 0;
  if (isOpen) startInBackground(c, job.id);
  return slices === 0 ? job : ((await findJob(db, job.id)) ?? job);
}
