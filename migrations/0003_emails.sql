CREATE TABLE `emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`template` text NOT NULL,
	`user_id` integer,
	`recipient` text,
	`params` text NOT NULL,
	`token` text,
	`expires_at` integer,
	`state` text DEFAULT 'waiting' NOT NULL,
	`reason` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`sent_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_key_unique` ON `emails` (`key`);--> statement-breakpoint
CREATE INDEX `emails_due` ON `emails` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_by_user` ON `emails` (`user_id`);--> statement-breakpoint
CREATE INDEX `emails_by_state` ON `emails` (`state`,`id`);
--> statement-breakpoint
-- Prevents what is no state.
CREATE TRIGGER emails_no_unlisted_insert BEFORE INSERT ON emails
WHEN NEW."state" <> 'waiting' AND NEW."state" <> 'sending' AND NEW."state" <> 'sent' AND NEW."state" <> 'failed'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no state.
CREATE TRIGGER emails_no_unlisted_update BEFORE UPDATE OF "state" ON emails
WHEN NEW."state" <> 'waiting' AND NEW."state" <> 'sending' AND NEW."state" <> 'sent' AND NEW."state" <> 'failed'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
