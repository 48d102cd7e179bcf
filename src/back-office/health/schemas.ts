import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { type AlertRow, alertKinds, pauseReasons } from "../../platform/db/schema.ts";
import type { RequestFigures } from "../../platform/metrics/figures.ts";
import { wordsOfAlert } from "./alert-kinds.ts";
import { queueKindNames, queueKinds } from "./queue-table.ts";
import { healthStatuses, type ShopHealth, type VersionState } from "./shop-health.ts";

const Alert = z
  .object({
    id: z.int(),
    kind: z.enum(alertKinds),
    about: z
      .string()
      .describe(
        "Queue, scheduled task, webhook or secret that the alert is about. Empty if it is about the whole shop",
      ),
    is_urgent: z.boolean().describe("True if customers may notice it now"),
    title: z.string(),
    summary: z.string().describe("The condition in a sentence, as it was last seen"),
    remedy: z.string().describe("Advice on how to end the condition"),
    opened_at: Timestamp,
  })
  .meta({ id: "Alert" });

const Requests = z
  .object({
    requests: z.int(),
    refused: z.int().describe("Requests refused with 429"),
    client_errors: z.int().describe("Requests answered with another 4xx"),
    server_errors: z.int().describe("Requests answered with 5xx"),
    error_rate: z.number().describe("Share answered with 5xx, from 0 to 1"),
    p50_ms: z.int().nullable().describe("Milliseconds that half of the requests did not exceed. Null without requests"),
    p95_ms: z.int().nullable().describe("Milliseconds that 95 % of the requests did not exceed. Null without requests"),
  })
  .meta({ id: "RequestFigures" });

const QueueHealth = z
  .object({
    name: z.enum(queueKindNames),
    depth: z.int().describe("Waiting items. At most 1,000 are counted"),
    depth_is_exact: z.boolean().describe("False if there may be more items than were counted"),
    oldest_seconds: z.int().nullable().describe("Seconds for which the oldest item has waited. Null if nothing waits"),
    stuck_after_seconds: z.int().describe("Age in seconds of the oldest item from which the queue counts as stuck"),
    failing: z.int().describe("Number of items that failed at least three times in a row"),
    is_off: z.boolean().describe("True if the queue is not processed because a setting is missing"),
    is_stuck: z.boolean(),
  })
  .meta({ id: "QueueHealth" });

const Version = z
  .object({
    version: z.string().describe("Id of the deployed version"),
    release: z.string().describe("Release of the code, such as 1.2.0"),
    migration: z.string().nullable().describe("Newest migration of the database when the version was first seen"),
    first_seen_at: Timestamp,
    requests: Requests.nullable().describe("Requests that it answered in the last day. Null if none"),
  })
  .meta({ id: "DeployedVersion" });

export const ShopHealthAnswer = z
  .object({
    status: z
      .enum(healthStatuses)
      .describe("`critical` if customers may notice something now, `warning` if something needs attention"),
    summary: z.string().describe("The status in a sentence"),
    alerts: z.array(Alert).describe("Open alerts, urgent ones first"),
    requests: z.object({ hour: Requests, day: Requests }).describe("Requests of the last hour and day"),
    queues: z.array(QueueHealth),
    webhooks: z.array(
      z.object({
        id: z.int(),
        enabled: z.boolean(),
        pause_reason: z.enum(pauseReasons).nullable(),
        pending: z.int().describe("Pending deliveries"),
        late_since: Timestamp.nullable().describe("Time since which deliveries are late. Null if none is"),
      }),
    ),
    schedule: z.object({
      started_at: Timestamp.nullable().describe("Start of the last run"),
      finished_at: Timestamp.nullable().describe("Time at which a run last finished. Null if none has"),
      duration_ms: z.int().nullable(),
      is_stopped: z.boolean().describe("True if no run has finished within five minutes"),
    }),
    failing_duties: z.array(
      z.object({
        duty: z.string().describe("Scheduled task whose last run failed"),
        attempts: z.int().describe("Number of consecutive failed runs"),
        reason: z.string(),
        first_failed_at: Timestamp,
        last_failed_at: Timestamp,
      }),
    ),
    database: z.object({ size_bytes: z.int(), limit_bytes: z.int() }),
    backup: z.object({
      is_set_up: z.boolean().describe("False if the deployment has no second bucket for backups"),
      last_at: Timestamp.nullable().describe("Time of the last good backup. Null if there is none"),
      is_overdue: z.boolean(),
    }),
    running_version: z.string().describe("Id of the version that answers"),
    versions: z.array(Version).describe("Versions of the last deployments, newest first"),
    secrets: z
      .array(z.object({ name: z.string(), first_seen_at: Timestamp }))
      .describe("Secrets in use, and when each value was first seen"),
  })
  .meta({ id: "ShopHealth" });
type ShopHealthAnswer = z.output<typeof ShopHealthAnswer>;

const { shape } = ShopHealthAnswer;

export const toShopHealth = (health: ShopHealth): ShopHealthAnswer => ({
  status: health.status,
  summary: health.summary,
  alerts: health.alerts.map(toAlert),
  requests: { hour: toRequests(health.hour), day: toRequests(health.day) },
  queues: health.queues.map((queue) =>
    toRecord(QueueHealth, queue, { stuck_after_seconds: queueKinds[queue.name].stuckAfterMs / 1000 }),
  ),
  // URLs of webhooks are for callers who may read all of their events.
  webhooks: health.endpoints.map((row) => toRecord(shape.webhooks.element, row, {})),
  schedule: toRecord(shape.schedule, health.schedule, {}),
  failing_duties: health.failingDuties.map((row) =>
    toRecord(shape.failing_duties.element, row, {
      first_failed_at: iso(row.createdAt),
      last_failed_at: iso(row.failedAt),
    }),
  ),
  database: { size_bytes: health.databaseBytes, limit_bytes: health.databaseLimitBytes },
  backup: toRecord(shape.backup, health.backup, {}),
  running_version: health.runningVersion,
  versions: health.versions.map(toVersion),
  secrets: health.secrets.map(({ name, createdAt }) => ({ name, first_seen_at: iso(createdAt) })),
});

function toAlert(row: AlertRow): z.output<typeof Alert> {
  const { isUrgent, title, remedy } = wordsOfAlert(row);
  const { id, kind, about, summary, createdAt } = row;
  return { id, kind, about, is_urgent: isUrgent, title, summary, remedy, opened_at: iso(createdAt) };
}

const toRequests = (figures: RequestFigures): z.output<typeof Requests> =>
  toRecord(Requests, figures, { p50_ms: figures.p50, p95_ms: figures.p95 });

const toVersion = (row: VersionState): z.output<typeof Version> =>
  toRecord(Version, row, { first_seen_at: iso(row.createdAt), requests: row.requests && toRequests(row.requests) });
