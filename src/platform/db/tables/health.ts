import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";

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

/** Duties of the schedule whose last run failed. The row is deleted when the duty succeeds. */
export const failingDuties = sqliteTable("failing_duties", {
  /** Name of the duty in the schedule. */
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

/** Conditions that administrators were told of. An alert is open until its condition has been gone for a while. */
export const alerts = sqliteTable(
  "alerts",
  {
    id: id(),
    kind: text({ enum: alertKinds }).notNull(),
    /** The queue, duty, webhook or secret that the alert is about. Empty if it is about the whole shop. */
    about: text().notNull(),
    /** The condition in a sentence, as it was last seen. */
    summary: text().notNull(),
    createdAt: createdAt(),
    /** Time since which the condition is gone. Null while it is there. */
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
    /** Beginning of its hash. */
    fingerprint: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.name, table.fingerprint] })],
);
