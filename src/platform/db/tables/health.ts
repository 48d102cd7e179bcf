import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

/** The last run of the schedule. A single row. */
export const scheduleRuns = sqliteTable("schedule_runs", {
  id: integer().primaryKey(),
  startedAt: integer("started_at").notNull(),
  /** Time at which a run last reached its end, and how long it took. Null until one did. */
  finishedAt: integer("finished_at"),
  durationMs: integer("duration_ms"),
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
