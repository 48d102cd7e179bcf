CREATE TABLE `email_switches` (
	`id` integer PRIMARY KEY NOT NULL,
	`template` text NOT NULL,
	`off` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_switches_template_unique` ON `email_switches` (`template`);--> statement-breakpoint
ALTER TABLE `emails` ADD `order_id` integer REFERENCES orders(id);--> statement-breakpoint
CREATE INDEX `emails_of_orders` ON `emails` (`recipient`,`created_at`) WHERE order_id IS NOT NULL;
