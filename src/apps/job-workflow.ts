import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import type { JobParameters } from "../platform/jobs/start.ts";

/** A step is as many slices as are done in a few seconds: each is kept by the database, so a step may be repeated. */
const STEP_MS = 5_000;
const SLICES_PER_STEP = 25;

/** An instance has 10,000 subrequests and 1,024 steps; what is left then is for the next one. */
const STEPS_PER_INSTANCE = 50;

/** After these the instance has failed, and the schedule starts another one. */
const RETRIES = { retries: { limit: 3, delay: "1 second", backoff: "exponential" }, timeout: "5 minutes" } as const;

/** Does a job, slice by slice. */
export class JobWorkflow extends WorkflowEntrypoint<Env, JobParameters> {
  override async run({ payload: { jobId }, instanceId }: Readonly<WorkflowEvent<JobParameters>>, step: WorkflowStep) {
    const { handOver, runSlices } = await import("./job-steps.ts");
    const limits = { slices: SLICES_PER_STEP, ms: STEP_MS };
    for (let n = 1; n <= STEPS_PER_INSTANCE; n++) {
      if (!(await step.do(`slices ${n}`, RETRIES, () => runSlices(this.env, jobId, limits)))) return;
    }
    await step.do("hand over", RETRIES, () => handOver(this.env, jobId, instanceId));
  }
}
