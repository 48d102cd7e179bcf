import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import { JOB_QUERIES, limited, QueryBudget } from "../platform/db/d1-limits.ts";
import type { JobParameters } from "../platform/jobs/start.ts";

/** Milliseconds of slices in one step. The database records each slice, so a step may be repeated. */
const STEP_MS = 5_000;
const SLICES_PER_STEP = 25;

/**
 * A Workflow instance has 10,000 steps (developers.cloudflare.com/workflows/reference/limits). They may be one invocation, with the
 * queries and subrequests of one. The next instance continues.
 */
const STEPS_PER_INSTANCE = 50;

/** After these retries the instance has failed, and the schedule starts another one. */
const RETRIES = { retries: { limit: 3, delay: "1 second", backoff: "exponential" }, timeout: "5 minutes" } as const;

/** Runs a job slice by slice. */
export class JobWorkflow extends WorkflowEntrypoint<Env, JobParameters> {
  override async run({ payload: { jobId }, instanceId }: Readonly<WorkflowEvent<JobParameters>>, step: WorkflowStep) {
    const { handOver, runSlices } = await import("./job-steps.ts");
    const limits = { slices: SLICES_PER_STEP, ms: STEP_MS };
    const queries = new QueryBudget(JOB_QUERIES);
    const env = { ...this.env, DB: limited(this.env.DB, queries) };
    for (let n = 1; n <= STEPS_PER_INSTANCE && queries.allowsMore(); n++) {
      if (!(await step.do(`slices ${n}`, RETRIES, () => runSlices(env, jobId, limits)))) return;
    }
    await step.do("hand over", RETRIES, () => handOver(this.env, jobId, instanceId));
  }
}
