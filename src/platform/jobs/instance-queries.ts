import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { jobs } from "../db/schema.ts";
import { isFree } from "../queues/failed-item-queries.ts";
import { workOffInBulk } from "../queues/work-off.ts";
import type { JobRow } from "./schemas.ts";

/** How long a job may stand still before the schedule looks after it. */
const STILL_MS = 15_000;

/** How often a job is started without getting on before it has failed. */
const MOST_STARTS = 10;

/** How many jobs one run of the schedule looks after. */
const MOST_STALLED = 20;

/** How many jobs one statement ends. */
const MOST_ENDED = 100;

/** Writes down which instance does a job from now on; false if another one does, or the job is over. */
export async function claimInstance(
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
export const findStalled = (db: Database, now: number): Promise<JobRow[]> =>
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
export const failHopelessJobs = (db: Database, now: number): Promise<void> =>
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
