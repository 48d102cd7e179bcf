import { asc, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../domain/time.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { failingDuties, scheduleRuns } from "../../platform/db/schema.ts";

/** Time without a finished run after which the schedule, which runs every minute, counts as stopped. */
const STOPPED_AFTER_MS = 5 * MINUTE_MS;

const MAX_REASON = 500;

/** The last run of the schedule. */
export type ScheduleState = {
  startedAt: number | null;
  /** Time at which a run last reached its end, and how long it took. */
  finishedAt: number | null;
  durationMs: number | null;
  isStopped: boolean;
};

export type FailingDuty = typeof failingDuties.$inferSelect;

/** Records that a run of the schedule begins. */
export const recordRunStart = (db: Database, startedAt: number) =>
  db
    .insert(scheduleRuns)
    .values({ id: 1, startedAt })
    .onConflictDoUpdate({ target: scheduleRuns.id, set: { startedAt } });

type FinishedRun = {
  finishedAt: number;
  durationMs: number;
  /** Duties that failed in this run. All others succeeded. */
  failures: { duty: string; reason: string }[];
};

/** Records the end of a run with the duties that failed in it. */
export function recordRun(db: Database, { finishedAt, durationMs, failures }: FinishedRun): Promise<void> {
  const failed = JSON.stringify(failures.map(({ duty, reason }) => ({ duty, reason: reason.slice(0, MAX_REASON) })));
  return runAll(db, [
    sql`UPDATE schedule_runs SET finished_at = ${finishedAt}, duration_ms = ${durationMs}`,
    sql`DELETE FROM failing_duties WHERE duty NOT IN (SELECT value ->> 'duty' FROM json_each(${failed}))`,
    sql`INSERT INTO failing_duties (duty, attempts, reason, created_at, failed_at)
      SELECT value ->> 'duty', 1, value ->> 'reason', ${finishedAt}, ${finishedAt} FROM json_each(${failed}) WHERE TRUE
      ON CONFLICT DO UPDATE SET attempts = attempts + 1, reason = excluded.reason, failed_at = excluded.failed_at`,
  ]);
}

/** The query for the last run. */
export const lastRun = (db: Database) => db.select().from(scheduleRuns);

/** The query for duties whose last run failed, longest failing first. */
export const dutiesFailing = (db: Database) =>
  db.select().from(failingDuties).orderBy(asc(failingDuties.createdAt), asc(failingDuties.duty));

/** A shop whose schedule never ran has stopped too: nothing has been sent since it was created. */
export function toScheduleState(run: typeof scheduleRuns.$inferSelect | undefined, now: number): ScheduleState {
  const { startedAt = null, finishedAt = null, durationMs = null } = run ?? {};
  return { startedAt, finishedAt, durationMs, isStopped: finishedAt === null || finishedAt < now - STOPPED_AFTER_MS };
}
