CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`resource` text NOT NULL,
	`file_name` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`r2_key` text NOT NULL,
	`records_key` text,
	`format` text,
	`to_create` integer DEFAULT 0 NOT NULL,
	`to_update` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`samples` text DEFAULT '[]' NOT NULL,
	`check_job_id` integer NOT NULL,
	`job_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`check_job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_by_check` ON `imports` (`check_job_id`);--> statement-breakpoint
CREATE INDEX `imports_by_job` ON `imports` (`job_id`);--> statement-breakpoint
CREATE TABLE `job_changes` (
	`job_id` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`before` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`job_id`, `subject_id`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `job_failures` (
	`id` integer PRIMARY KEY NOT NULL,
	`job_id` integer NOT NULL,
	`line` integer,
	`subject_id` integer,
	`field` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`is_warning` integer NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `job_failures_by_job` ON `job_failures` (`job_id`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`parameters` text NOT NULL,
	`cursor` text,
	`total` integer,
	`done` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`warnings` integer DEFAULT 0 NOT NULL,
	`undo_of` integer,
	`instance` text,
	`starts` integer DEFAULT 0 NOT NULL,
	`created_by` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`undo_of`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `jobs_by_kind` ON `jobs` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`updated_at`) WHERE state IN ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_undo_once` ON `jobs` (`undo_of`) WHERE state NOT IN ('cancelled', 'failed');
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_insert BEFORE INSERT ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_update BEFORE UPDATE OF "resource", "format" ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind, state.
CREATE TRIGGER jobs_no_unlisted_insert BEFORE INSERT ON jobs
WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers'
  OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind, state.
CREATE TRIGGER jobs_no_unlisted_update BEFORE UPDATE OF "kind", "state" ON jobs
WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers'
  OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
