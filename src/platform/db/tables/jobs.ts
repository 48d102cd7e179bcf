import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "./columns.ts";

export const jobKinds = [
  "check_products",
  "check_customers",
  "import_products",
  "import_customers",
  "change_products",
  "adjust_stock",
  "change_orders",
] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ["queued", "running", "completed", "cancelled", "failed", "undone"] as const;
export type JobState = (typeof jobStates)[number];

/**
 * Long-running work that a workflow does in slices. Each slice is written together with the job's cursor, so that none runs
 * twice.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    id: id(),
    kind: text({ enum: jobKinds }).notNull(),
    state: text({ enum: jobStates }).notNull().default("queued"),
    /** Parameters of its kind. */
    parameters: text({ mode: "json" }).$type<unknown>().notNull(),
    /** Start of the next slice, as JSON of its kind. */
    cursor: text(),
    /** Number of rows, null until known, and of those that are done, failed, or done with a warning. */
    total: integer(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    warnings: integer().notNull().default(0),
    /** The job that this one undoes. */
    undoOf: integer("undo_of").references((): AnySQLiteColumn => jobs.id),
    /** The workflow instance that runs it. */
    instance: text(),
    /** Number of starts since the job last made progress. */
    starts: integer().notNull().default(0),
    createdBy: text("created_by").notNull(),
    requestId: text("request_id").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("jobs_by_kind").on(table.kind, table.id),
    index("jobs_open").on(table.updatedAt).where(sql.raw(`state IN ('queued', 'running')`)),
    uniqueIndex("jobs_undo_once").on(table.undoOf).where(sql.raw(`state NOT IN ('cancelled', 'failed')`)),
  ],
);

/** Rows that a job failed to do, or did in part: the first thousand. */
export const jobFailures = sqliteTable(
  "job_failures",
  {
    id: id(),
    jobId: integer("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    /** Line of the file. */
    line: integer(),
    subjectId: integer("subject_id"),
    /** SKU and name in the row. */
    sku: text(),
    name: text(),
    field: text(),
    code: text().notNull(),
    message: text().notNull(),
    isWarning: flag("is_warning").notNull(),
  },
  (table) => [index("job_failures_by_job").on(table.jobId, table.id)],
);

/** Changes of a job, for undo: each row's previous state, null if the job created it, and the version it left. */
export const jobChanges = sqliteTable(
  "job_changes",
  {
    jobId: integer("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    subjectId: integer("subject_id").notNull(),
    before: text({ mode: "json" }).$type<Record<string, unknown>>(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.subjectId] })],
);

/** Scheduled queues, named for what they do with each item. */
export const queueNames = [
  "expire_orders",
  "send_refunds",
  "close_payments",
  "erase_accounts",
  "write_emails",
  "send_emails",
  "delete_emails",
  "add_up_sales",
  "restart_jobs",
  "end_jobs",
  "nudge_webhooks",
  "publish_expiring_keys",
  "seal_second_factors",
  "seal_webhook_secrets",
  "delete_objects",
  "delete_uploads",
  "delete_events",
  "end_sessions",
  "delete_refresh_tokens",
  "delete_sessions",
  "delete_links",
  "delete_login_challenges",
  "delete_guest_carts",
  "delete_idempotency_keys",
  "clear_audit_addresses",
  "delete_job_changes",
  "delete_staff_spending",
] as const;
export type QueueName = (typeof queueNames)[number];

/** Attempts after which a failing item is shown to administrators. */
export const SHOWN_ATTEMPTS = 3;

/** Items whose last attempt failed. The row is deleted when the item succeeds or leaves its queue. */
export const failedItems = sqliteTable(
  "failed_items",
  {
    queue: text().$type<QueueName>().notNull(),
    /** Id of the item in its own table. */
    item: text().notNull(),
    attempts: integer().notNull(),
    /** Error of the last attempt. */
    reason: text().notNull(),
    /** Time of the first failure. */
    createdAt: createdAt(),
    failedAt: integer("failed_at").notNull(),
    /** The item is not tried before this time. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.queue, table.item] }),
    index("failed_items_by_next_attempt").on(table.nextAttemptAt),
  ],
);
