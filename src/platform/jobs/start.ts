import { env as isolate } from "cloudflare:workers";
import type { Context } from "hono";
import { connect } from "../db/client.ts";
import { inBackground } from "../http/background.ts";
import { workOff } from "../queues/work-off.ts";
import { claimInstance, failHopelessJobs, findStalled } from "./instance-queries.ts";
import type { JobRow } from "./schemas.ts";

export type JobParameters = { jobId: number };

/** Has a new instance of the workflow do the job from where it is, in place of the one that did. */
export async function startInstance(env: Env, job: Pick<JobRow, "id" | "instance">): Promise<void> {
  const instance = crypto.randomUUID();
  if (!(await claimInstance(connect(env.DB), job, instance))) return;
  await env.JOBS.create({ id: instance, params: { jobId: job.id } satisfies JobParameters });
}

/** Starts a job after the answer. The schedule does if this fails. */
export const startInBackground = (c: Pick<Context, "executionCtx">, id: number): void =>
  inBackground(c, `start the job ${id}`, startInstance(isolate, { id, instance: null }));

/**
 * Starts jobs again that do not get on: their instance was never made, has failed, or was lost with its machine. One that is
 * only slow does no harm beside the new one, since a slice is written once.
 */
export async function restartJobs(env: Env, now: number): Promise<void> {
  const db = connect(env.DB);
  await failHopelessJobs(db, now);
  await workOff(db, now, {
    queue: "restart_jobs",
    find: () => findStalled(db, now),
    idOf: ({ id }) => id,
    run: async (job) => {
      await terminate(env, job);
      await startInstance(env, job);
    },
  });
}

/** Ends an instance, if it is still there. */
async function terminate(env: Env, { instance }: JobRow): Promise<void> {
  if (instance === null) return;
  try {
    await (await env.JOBS.get(instance)).terminate();
  } catch {
    // It has ended, or is unknown.
  }
}
