CREATE TABLE `order_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`text` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `order_notes_by_order` ON `order_notes` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `emails_by_order` ON `emails` (`order_id`) WHERE order_id IS NOT NULL;
