import { bulkRunners } from "../back-office/bulk-actions/runners.ts";
import { importRunners } from "../back-office/imports/runners.ts";
import { allowsMore, connect } from "../platform/db/client.ts";
import { onFirstUse } from "../platform/http/on-first-use.ts";
import { type Runners, runSlice } from "../platform/jobs/run-slice.ts";
import { startInstance } from "../platform/jobs/start.ts";

/** Milliseconds that let requests in on a developer's machine, where the runtime accepts new ones only when it is idle. */
const PAUSE_MS = 5;

/** Runs slices of a job until a limit, or that of queries, is reached. Returns true if work remains. */
export async function runSlices(env: Env, jobId: number, limits: { slices: number; ms: number }): Promise<boolean> {
  const end = Date.now() + limits.ms;
  const db = connect(env.DB);
  for (let done = 0; done < limits.slices && Date.now() < end && allowsMore(db); ) {
    const weight = await runSlice(env, runners, jobId);
    if (weight === 0) return false;
    done += weight;
    if (env.DEVELOPMENT === "true") await scheduler.wait(PAUSE_MS);
  }
  return true;
}

export const handOver = (env: Env, id: number, instance: string): Promise<void> => startInstance(env, { id, instance });

/** The runner of each kind of job. */
export const runners: Runners = {
  ...bulkRunners,
  ...importRunners,
  back_up: onFirstUse(async () => (await import("../back-office/backups/back-up.ts")).backUp),
};
