CREATE TABLE `replaced_versions` (
	`file_id` integer NOT NULL,
	`version` integer NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`r2_key` text NOT NULL,
	PRIMARY KEY(`file_id`, `version`),
	FOREIGN KEY (`r2_key`) REFERENCES `unclaimed_objects`(`r2_key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `replaced_versions_r2_key_unique` ON `replaced_versions` (`r2_key`);--> statement-breakpoint
CREATE TABLE `unclaimed_objects` (
	`r2_key` text PRIMARY KEY NOT NULL,
	`r2_upload_id` text,
	`delete_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unclaimed_objects_by_end` ON `unclaimed_objects` (`delete_at`);--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`upload_id` integer NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`upload_id`, `number`),
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`r2_key` text NOT NULL,
	`r2_upload_id` text NOT NULL,
	`file_id` integer,
	`facts` text,
	`file_name` text NOT NULL,
	`declared_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_r2_key_unique` ON `uploads` (`r2_key`);--> statement-breakpoint
CREATE INDEX `uploads_by_end` ON `uploads` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `files_r2_key_unique` ON `files` (`r2_key`);