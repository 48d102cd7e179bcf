import { env as isolate } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "hono";
import { connect, type Database } from "../db/client.ts";
import { jobs } from "../db/schema.ts";
import { inBackground } from "../http/background.ts";
import { isFree } from "../queues/failed-items.ts";
import { workOff, workOffInBulk } from "../queues/work-off.ts";
import type { JobRow } from "./schemas.ts";

export type JobParameters = { jobId: number };

/** Starts a new workflow instance that continues the job in place of the previous one. */
export async function startInstance(env: Env, job: Pick<JobRow, "id" | "instance">): Promise<void> {
  const instance = crypto.randomUUID();
  if (!(await claimInstance(connect(env.DB), job, instance))) return;
  await env.JOBS.create({ id: instance, params: { jobId: job.id } satisfies JobParameters });
}

/** Starts a job after the response. The schedule starts it if this fails. */
export const startInBackground = (c: Pick<Context, "executionCtx">, id: number): void =>
  inBackground(c, `start the job ${id}`, startInstance(isolate, { id, instance: null }));

/**
 * Restarts jobs without progress: their instance was never created, failed, or was lost. A slow instance is harmless beside
 * the new one, since each slice is written once.
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

/** Terminates an instance if it still exists. */
async function terminate(env: Env, { instance }: JobRow): Promise<void> {
  if (instance === null) return;
  try {
    await (await env.JOBS.get(instance)).terminate();
  } catch {
    // The instance has ended or is unknown.
  }
}

/** Milliseconds without progress after which the schedule checks a job. */
const STILL_MS = 15_000;

/** Starts without progress after which a job has failed. */
const MOST_STARTS = 10;

/** Jobs checked per scheduled run. */
const MOST_STALLED = 20;

/** Records the instance that runs a job from now on. False if another one does, or the job has ended. */
async function claimInstance(
  db: Database,
  { id, instance }: Pick<JobRow, "id" | "instance">,
  next: string,
): Promise<boolean> {
  const claimed = await db
    .update(jobs)
    .set({ instance: next, starts: sql`starts + 1` })
    .where(and(eq(jobs.id, id), sql`instance IS ${instance}`, sql`state IN ('queued', 'running')`))
    .returning({ id: jobs.id })
    .all();
  return claimed.length > 0;
}

/** Open jobs without recent progress, least started first, so that none is starved. */
const findStalled = (db: Database, now: number): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(
      sql`state IN ('queued', 'running') AND updated_at < ${now - STILL_MS} AND ${isFree("restart_jobs", jobs.id, now)}`,
    )
    .orderBy(jobs.starts, jobs.updatedAt)
    .limit(MOST_STALLED)
    .all();

/** Ends jobs that never progress. Their completed work stays, and can be undone. */
const failHopelessJobs = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "end_jobs",
    id: jobs.id,
    where: sql`state IN ('queued', 'running') AND updated_at < ${now - STILL_MS} AND starts >= ${MOST_STARTS}`,
    write: (ids) => sql`
      UPDATE jobs SET state = 'failed', updated_at = ${now}, finished_at = ${now} WHERE id IN (${ids}) RETURNING 1`,
  });
