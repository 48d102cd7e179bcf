import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../db/columns.ts";

/** The last run of the schedule. A single row. */
export const scheduleRuns = sqliteTable("schedule_runs", {
  id: integer().primaryKey(),
  startedAt: integer("started_at").notNull(),
  /** Time at which a run last reached its end, and how long it took. Null until one did. */
  finishedAt: integer("finished_at"),
  durationMs: integer("duration_ms"),
  /** Time at which a run last looked for reasons to alert. */
  checkedAt: integer("checked_at"),
});

/** Scheduled tasks whose last run failed. The row is deleted when the task succeeds. */
export const failingDuties = sqliteTable("failing_duties", {
  /** Name of the scheduled task. */
  duty: text().primaryKey(),
  /** Number of failed runs in a row. */
  attempts: integer().notNull(),
  /** Error of the last run. */
  reason: text().notNull(),
  /** Time of the first failure. */
  createdAt: createdAt(),
  failedAt: integer("failed_at").notNull(),
});

export const alertKinds = [
  "error_rate",
  "queue_stuck",
  "duty_failing",
  "backup_overdue",
  "endpoint_paused",
  "database_size",
  "secret_age",
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Conditions announced to administrators. An alert is open until its condition has been gone for a while. */
export const alerts = sqliteTable(
  "alerts",
  {
    id: id(),
    kind: text({ enum: alertKinds }).notNull(),
    /** The queue, scheduled task, webhook or secret that the alert is about. Empty if it is about the whole shop. */
    about: text().notNull(),
    /** The condition in a sentence, as it was last seen. */
    summary: text().notNull(),
    createdAt: createdAt(),
    /** Time since which the condition has been gone. Null while it is present. */
    clearSince: integer("clear_since"),
    resolvedAt: integer("resolved_at"),
    /** Time of the last e-mail about the alert. */
    toldAt: integer("told_at"),
  },
  (table) => [
    uniqueIndex("alerts_open_once").on(table.kind, table.about).where(sql.raw("resolved_at IS NULL")),
    index("alerts_by_resolution").on(table.resolvedAt),
    index("alerts_told").on(table.toldAt).where(sql.raw("told_at IS NOT NULL")),
  ],
);

export type AlertRow = typeof alerts.$inferSelect;

/** Versions of the Worker that ran the schedule. */
export const deployments = sqliteTable("deployments", {
  /** The platform's id of the version. */
  version: text().primaryKey(),
  /** Release of the code, such as 1.2.0. */
  release: text().notNull(),
  /** Newest migration when the version was first seen. */
  migration: text(),
  createdAt: createdAt(),
});

/** When each secret of the deployment was first seen. */
export const knownSecrets = sqliteTable(
  "known_secrets",
  {
    /** Name of its binding. */
    name: text().notNull(),
    /** Prefix of its hash. */
    fingerprint: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.name, table.fingerprint] })],
);

const counter = (name: string) => integer(name).notNull().default(0);

/**
 * Numbers of requests: by minute and version for a week, by day, caller and route for 90 days, and by kind of caller
 * and route since the beginning. Isolates add to the rows every few seconds (metrics/flush.ts).
 */
export const requestCounts = sqliteTable(
  "request_counts",
  {
    period: text({ enum: ["minute", "day", "total"] }).notNull(),
    /** "api_key:3", "user" or "anonymous"; in a total "api_key". Empty in a minute. */
    caller: text().notNull(),
    /** Start of the minute, or of the day in UTC. 0 in a total. */
    start: integer().notNull(),
    /** Method and pattern: "GET /api/v1/user/products/{id}". Empty in a minute. */
    route: text().notNull(),
    /** Version of the Worker in a minute, otherwise empty. */
    version: text().notNull(),
    requests: counter("requests"),
    /** Responses with 3xx. */
    redirects: counter("redirects"),
    /** Responses with 429. */
    refused: counter("refused"),
    /** Other responses with 4xx. */
    clientErrors: counter("client_errors"),
    /** Responses with 5xx. */
    serverErrors: counter("server_errors"),
    /** Sum of the durations in milliseconds. */
    duration: counter("duration"),
    lastAt: integer("last_at").notNull(),
    // Number of requests that took up to this many milliseconds, and longer than the previous bucket.
    to5: counter("to_5"),
    to10: counter("to_10"),
    to25: counter("to_25"),
    to50: counter("to_50"),
    to100: counter("to_100"),
    to250: counter("to_250"),
    to500: counter("to_500"),
    to1000: counter("to_1000"),
    to2500: counter("to_2500"),
    to5000: counter("to_5000"),
    over5000: counter("over_5000"),
  },
  (table) => [
    primaryKey({ columns: [table.period, table.caller, table.start, table.route, table.version] }),
    index("request_counts_by_start").on(table.period, table.start),
  ],
);
