import { bulkRunners } from "../back-office/bulk-actions/runners.ts";
import { importRunners } from "../back-office/imports/runners.ts";
import type { Runners } from "../platform/jobs/kind.ts";
import { runSlice } from "../platform/jobs/run-slice.ts";
import { startInstance } from "../platform/jobs/start.ts";

/** Lets requests in: the local runtime looks for new ones only when it has nothing else to do. */
const PAUSE_MS = 5;

/** Does slices of a job until a limit is reached, and says whether there is more to do. */
export async function runSlices(env: Env, jobId: number, limits: { slices: number; ms: number }): Promise<boolean> {
  const end = Date.now() + limits.ms;
  for (let done = 0; done < limits.slices && Date.now() < end; ) {
    const weight = await runSlice(env, runners, jobId);
    if (weight === 0) return false;
    done += weight;
    await scheduler.wait(PAUSE_MS);
  }
  return true;
}

export const handOver = (env: Env, id: number, instance: string): Promise<void> => startInstance(env, { id, instance });

/** How each kind of job is done. */
export const runners: Runners = { ...bulkRunners, ...importRunners };
