CREATE INDEX `users_by_name` ON `users` (name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`id`,`disabled_at`);--> statement-breakpoint
CREATE INDEX `users_by_state` ON `users` (`disabled_at`,`id`);