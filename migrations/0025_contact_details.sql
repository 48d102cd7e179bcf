ALTER TABLE `users` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `users` ADD `company` text;--> statement-breakpoint
ALTER TABLE `users` ADD `accepts_marketing` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `metadata` text DEFAULT '{}' NOT NULL;
