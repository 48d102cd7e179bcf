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

/** How long a job may stand still before the schedule looks after it. */
const STILL_MS = 15_000;

/** How often a job is started without getting on before it has failed. */
const MOST_STARTS = 10;

/** How many jobs one run of the schedule looks after. */
const MOST_STALLED = 20;

/** How many jobs one statement ends. */
const MOST_ENDED = 100;

/** Writes down which instance does a job from now on; false if another one does, or the job is over. */
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

/** Open jobs that have not got on for a while; those that were started least often come first, so that none is kept waiting. */
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

/** Ends jobs that never get on. What they have done stays done, and can be undone. */
const failHopelessJobs = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "end_jobs",
    id: sql`jobs.id`,
    atOnce: MOST_ENDED,
    due: (which) => sql`
      SELECT id FROM jobs WHERE state IN ('queued', 'running') AND updated_at < ${now - STILL_MS} AND starts >= ${MOST_STARTS}
        AND ${which} LIMIT ${MOST_ENDED}`,
    write: (ids) => sql`
      UPDATE jobs SET state = 'failed', updated_at = ${now}, finished_at = ${now} WHERE id IN (${ids}) RETURNING 1`,
  });
