import { asc, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../domain/time.ts";
import { readHealth } from "../../integrations/webhooks/public.ts";
import { type Database, requireFirst, runAll, statement } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { limitTo } from "../../platform/db/page.ts";
import {
  failedItems,
  failingDuties,
  type PauseReason,
  type QueueName,
  SHOWN_ATTEMPTS,
  scheduleRuns,
  webhookEndpoints,
} from "../../platform/db/schema.ts";
import { canSend } from "../../platform/email/mailer.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { MOST_COUNTED, type QueueKind, type QueueKindName, queueKindNames, queueKinds } from "./queue-table.ts";

/** The state of a queue at a given time. */
type QueueState = {
  name: QueueKindName;
  /** Number of waiting items, at most MOST_COUNTED. */
  depth: number;
  /** False if there are more items than were counted. */
  depthIsExact: boolean;
  /** How long the oldest item has waited, in seconds. Null if nothing waits. */
  oldestSeconds: number | null;
  /** Items that failed at least three times in a row. */
  failing: number;
  /** True if the queue is not processed because a setting is missing. Its items are not late. */
  isOff: boolean;
  isStuck: boolean;
};

/** A webhook endpoint and its deliveries. */
type EndpointState = {
  id: number;
  url: string;
  enabled: boolean;
  pauseReason: PauseReason | null;
  /** Pending deliveries. Zero if the endpoint's object is unreachable or the endpoint is disabled. */
  pending: number;
  lateSince: number | null;
};

/** The state of the shop's background work at a given time. */
export type Background = {
  /** Most urgent queues first. */
  queues: QueueState[];
  endpoints: EndpointState[];
  schedule: ScheduleState;
  failingDuties: FailingDuty[];
  databaseBytes: number;
};

type WebhookRow = typeof webhookEndpoints.$inferSelect;

type BackgroundContext = { env: Env; db: Database; settings: Settings };

/**
 * Reads all queues in one round trip and asks the objects of webhooks for theirs. Reads at most a thousand index entries per
 * queue, however long it is.
 */
export async function readBackground({ env, db, settings }: BackgroundContext, now: number): Promise<Background> {
  const [found, { meta }, failingDuties, [run], webhooks] = await db.batch([
    countWaiting(db, now),
    statement(db, sql`SELECT 1`),
    dutiesFailing(db),
    lastRun(db),
    db.select().from(webhookEndpoints).orderBy(webhookEndpoints.id),
  ]);
  const { waiting, failing } = requireFirst(found);
  const endpoints = await Promise.all(webhooks.map((row) => withDeliveries(env, row)));
  const counted = { ...waiting, webhook_deliveries: deliveriesOf(endpoints) };
  const isOff = (name: QueueKindName) => name === "emails" && !canSend(env, settings.email);
  return {
    queues: queueKindNames.map((name) => {
      const kind: QueueKind = queueKinds[name];
      const [depth, since] = counted[name];
      const ageMs = since === null ? null : Math.max(0, now - since);
      return {
        name,
        depth: Math.min(depth, MOST_COUNTED),
        depthIsExact: depth < MOST_COUNTED,
        oldestSeconds: ageMs === null ? null : Math.floor(ageMs / 1000),
        failing: kind.failing.reduce((sum, queue) => sum + (failing[queue] ?? 0), 0),
        isOff: isOff(name),
        isStuck: !isOff(name) && ageMs !== null && ageMs >= kind.stuckAfterMs,
      };
    }),
    endpoints,
    schedule: toScheduleState(run, now),
    failingDuties,
    databaseBytes: meta.size_after,
  };
}

/** Number of waiting items, and the time since which the oldest one has waited. */
type QueueCount = [number, number | null];

/** Counts every queue in one row, because each statement of a batch is prepared on its own. */
function countWaiting(db: Database, now: number) {
  const queues = queueKindNames.map((name) => {
    const items = queueKinds[name].waiting?.(now) ?? sql`SELECT NULL AS since WHERE FALSE`;
    return sql`${name}, (SELECT json_array(count(*), min(since)) FROM (${items} ${limitTo(MOST_COUNTED)}))`;
  });
  const { attempts, queue } = failedItems;
  const failing = sql`SELECT ${queue} AS queue, count(*) AS items FROM ${failedItems}
    WHERE ${attempts} >= ${SHOWN_ATTEMPTS} GROUP BY ${queue}`;
  return db
    .select({
      waiting: json<Record<QueueKindName, QueueCount>>(sql`json_object(${sql.join(queues, sql`, `)})`).as("waiting"),
      failing: json<{ [queue in QueueName]?: number }>(
        sql`(SELECT json_group_object(queue, items) FROM (${failing}))`,
      ).as("failing"),
    })
    .from(sql`(SELECT 1)`);
}

async function withDeliveries(env: Env, { id, key, url, enabled, pauseReason }: WebhookRow): Promise<EndpointState> {
  const deliveries = enabled ? await readHealth(env, { key }) : null;
  // The object may still run a version that does not report since when its deliveries are late.
  return { id, url, enabled, pauseReason, pending: deliveries?.pending ?? 0, lateSince: deliveries?.lateSince ?? null };
}

function deliveriesOf(endpoints: readonly EndpointState[]): QueueCount {
  const late = endpoints.flatMap(({ lateSince }) => lateSince ?? []);
  const pending = endpoints.reduce((sum, endpoint) => sum + endpoint.pending, 0);
  return [pending, late.length > 0 ? Math.min(...late) : null];
}

/** Time without a finished run after which the schedule, which runs every minute, counts as stopped. */
const STOPPED_AFTER_MS = 5 * MINUTE_MS;

const MAX_REASON = 500;

/** The last run of the schedule. */
type ScheduleState = {
  startedAt: number | null;
  /** Time at which a run last reached its end, and how long it took. */
  finishedAt: number | null;
  durationMs: number | null;
  isStopped: boolean;
};

type FailingDuty = typeof failingDuties.$inferSelect;

/** Records the start of a scheduled run. */
export const recordRunStart = (db: Database, startedAt: number) =>
  db
    .insert(scheduleRuns)
    .values({ id: 1, startedAt })
    .onConflictDoUpdate({ target: scheduleRuns.id, set: { startedAt } });

type FinishedRun = {
  finishedAt: number;
  durationMs: number;
  /** Scheduled tasks that failed in this run. All others succeeded. */
  failures: { duty: string; reason: string }[];
};

/** Records the end of a run with the scheduled tasks that failed in it. */
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
const lastRun = (db: Database) => db.select().from(scheduleRuns);

/** The query for scheduled tasks whose last run failed, longest failing first. */
const dutiesFailing = (db: Database) =>
  db.select().from(failingDuties).orderBy(asc(failingDuties.createdAt), asc(failingDuties.duty));

/** A schedule that never ran has stopped too: nothing has been sent since the shop was created. */
function toScheduleState(run: typeof scheduleRuns.$inferSelect | undefined, now: number): ScheduleState {
  const { startedAt = null, finishedAt = null, durationMs = null } = run ?? {};
  return { startedAt, finishedAt, durationMs, isStopped: finishedAt === null || finishedAt < now - STOPPED_AFTER_MS };
}
