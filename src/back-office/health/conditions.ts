import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { RequestFigures } from "../../platform/metrics/figures.ts";
import type { Background } from "./background.ts";
import type { BackupState } from "./deployment.ts";
import type { Condition } from "./plan-alerts.ts";
import { queueKinds } from "./queue-table.ts";

/** The data from which conditions are derived. */
export type HealthFacts = Pick<Background, "queues" | "endpoints" | "failingDuties" | "databaseBytes"> & {
  databaseLimitBytes: number;
  /** Requests of the last ten minutes. */
  requests: Pick<RequestFigures, "requests" | "serverErrors">;
  backup: BackupState;
  errorPercent: number;
  /** When each secret was first seen. */
  secrets: readonly { name: string; createdAt: number }[];
};

/** Number of failed requests below which a high rate is ignored. */
const FEWEST_ERRORS = 5;

/** Failed runs in a row, one each minute, after which a scheduled task causes an alert. */
const FAILING_RUNS = 5;

/** Share of the database's limit that causes an alert. */
export const FULL_SHARE = 0.8;

/** Age of a secret that causes an alert. */
const OLD_SECRET_MS = 365 * DAY_MS;

/** Conditions that deserve an alert, each kind and subject once. */
export const conditionsOf = (facts: HealthFacts, now: number): Condition[] => [
  ...errorRate(facts),
  ...facts.queues.flatMap(({ name, isStuck, depth, depthIsExact, oldestSeconds }): Condition[] => {
    if (!isStuck || oldestSeconds === null) return [];
    const [one, many] = queueKinds[name].items;
    const age = durationInWords(oldestSeconds * 1000);
    const counted = `${depthIsExact ? "" : "At least "}${depth.toLocaleString("en")} ${many}`;
    const summary = depth === 1 ? `1 ${one} has waited for ${age}.` : `${counted} wait, the oldest for ${age}.`;
    return [{ kind: "queue_stuck", about: name, summary }];
  }),
  ...facts.failingDuties.flatMap(({ duty, attempts }): Condition[] =>
    attempts < FAILING_RUNS
      ? []
      : [{ kind: "duty_failing", about: duty, summary: `The schedule failed to ${duty} ${attempts} times in a row.` }],
  ),
  ...facts.endpoints.flatMap(({ id, enabled, pauseReason }): Condition[] => {
    if (enabled || pauseReason === null) return [];
    const why = pauseReason === "gone" ? "because it answered 410 Gone" : "after five days of failures";
    return [{ kind: "endpoint_paused", about: `webhook:${id}`, summary: `Webhook ${id} was paused ${why}.` }];
  }),
  ...databaseSize(facts),
  ...overdueBackup(facts, now),
  ...facts.secrets.flatMap(({ name, createdAt }): Condition[] =>
    createdAt > now - OLD_SECRET_MS
      ? []
      : [{ kind: "secret_age", about: name, summary: `${name} has been in use for more than a year.` }],
  ),
];

function errorRate({ requests: { requests, serverErrors }, errorPercent }: HealthFacts): Condition[] {
  if (serverErrors < FEWEST_ERRORS || serverErrors * 100 < errorPercent * requests) return [];
  const percent = ((serverErrors / requests) * 100).toFixed(1);
  const summary = `${percent} % of ${requests.toLocaleString("en")} requests failed in the last ten minutes. The limit is ${errorPercent} %.`;
  return [{ kind: "error_rate", about: "", summary }];
}

function databaseSize({ databaseBytes, databaseLimitBytes }: HealthFacts): Condition[] {
  if (databaseBytes < FULL_SHARE * databaseLimitBytes) return [];
  const percent = Math.floor((databaseBytes / databaseLimitBytes) * 100);
  return [{ kind: "database_size", about: "", summary: `The database has reached ${percent} % of its maximum size.` }];
}

function overdueBackup({ backup: { lastAt, isOverdue } }: HealthFacts, now: number): Condition[] {
  if (!isOverdue) return [];
  const summary =
    lastAt === null ? "No good backup was found." : `The last good backup is ${durationInWords(now - lastAt)} old.`;
  return [{ kind: "backup_overdue", about: "", summary }];
}

const units = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", 1000],
] as const;

/** A duration in its largest whole unit: "45 minutes". */
export function durationInWords(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? units[3];
  const many = Math.floor(ms / length);
  return `${many} ${unit}${many === 1 ? "" : "s"}`;
}
