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
import { decimalSeparators } from "../../domain/numbers.ts";
import { createdAt, flag, foreignId, id, updatedAt } from "../db/columns.ts";

export const jobKinds = [
  "check_products",
  "check_customers",
  "import_products",
  "import_customers",
  "change_products",
  "change_customers",
  "adjust_stock",
  "change_orders",
  "back_up",
] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ["queued", "running", "completed", "cancelled", "failed", "undone"] as const;
export type JobState = (typeof jobStates)[number];

/**
 * Long-running work that a workflow does in slices. Each slice is written together with the job's cursor, so that none
 * runs twice.
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

/** Rows that failed or were only partly done: the first thousand. */
export const jobFailures = sqliteTable(
  "job_failures",
  {
    id: id(),
    jobId: foreignId("job_id", () => jobs.id, { onDelete: "cascade" }),
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

/** Changes of a job, for undo: each row's previous state, null if the job created it, and the resulting version. */
export const jobChanges = sqliteTable(
  "job_changes",
  {
    jobId: foreignId("job_id", () => jobs.id, { onDelete: "cascade" }),
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
  "confirm_test_payments",
  "close_payments",
  "sync_subscriptions",
  "erase_accounts",
  "write_emails",
  "send_emails",
  "delete_emails",
  "add_up_sales",
  "restart_jobs",
  "end_jobs",
  "publish_expiring_keys",
  "publish_unused_keys",
  "seal_second_factors",
  "seal_webhook_secrets",
  "seal_payment_accounts",
  "delete_objects",
  "delete_uploads",
  "delete_events",
  "end_sessions",
  "delete_refresh_tokens",
  "delete_sessions",
  "delete_links",
  "delete_login_challenges",
  "delete_guest_carts",
  "delete_guest_drafts",
  "delete_checkout_sessions",
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

export const importResources = ["products", "customers"] as const;
export type ImportResource = (typeof importResources)[number];

export const importFormats = ["csv", "ndjson", "woocommerce", "shopify"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row of an import in the dry run's preview. */
export type ImportSample = {
  line: number;
  action: "create" | "update";
  name: string;
  changes: Record<string, unknown>;
};

/** A column that is not imported, with the number of rows that have a value. */
export type LeftOutColumn = { column: string; rows: number };

/** Ambiguous numbers of a column, such as "1,000", that the file does not decide. */
export type AmbiguousColumn = { column: string; rows: number; example: string };

/** Encodings of imported files, by their names in the Encoding Standard. */
export const importEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "macintosh",
  "koi8-r",
  "ibm866",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export type ImportEncoding = (typeof importEncodings)[number];

/** An uploaded file of products or customers, its planned changes, and the jobs that check and import it. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    resource: text({ enum: importResources }).notNull(),
    fileName: text("file_name").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The upload, and its rows in our own format after reading. Both are deleted after some days. */
    r2Key: text("r2_key").notNull(),
    recordsKey: text("records_key"),
    format: text({ enum: importFormats }),
    /** Names of the file's columns by field, where they differ. */
    columns: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** Encoding in which the file was read, with texts that depend on it. */
    encoding: text({ enum: importEncodings }),
    encodingExamples: text("encoding_examples", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Chosen options for reading the file. Null if the content decides. */
    chosenEncoding: text("chosen_encoding", { enum: importEncodings }),
    decimalSeparator: text("decimal_separator", { enum: decimalSeparators }),
    /** Chosen fields of the file's columns, by the column's name. Null leaves a column out. */
    columnFields: text("column_fields", { mode: "json" }).$type<Record<string, string | null>>().notNull().default({}),
    ambiguousColumns: text("ambiguous_columns", { mode: "json" }).$type<AmbiguousColumn[]>().notNull().default([]),
    /** Rows that are not a product of their own. */
    skipped: integer().notNull().default(0),
    leftOut: text("left_out", { mode: "json" }).$type<LeftOutColumn[]>().notNull().default([]),
    /** Results of the dry run. */
    toCreate: integer("to_create").notNull().default(0),
    toUpdate: integer("to_update").notNull().default(0),
    unchanged: integer().notNull().default(0),
    samples: text({ mode: "json" }).$type<ImportSample[]>().notNull().default([]),
    checkJobId: foreignId("check_job_id", () => jobs.id),
    jobId: integer("job_id").references(() => jobs.id),
    createdAt: createdAt(),
  },
  (table) => [index("imports_by_check").on(table.checkJobId), index("imports_by_job").on(table.jobId)],
);
