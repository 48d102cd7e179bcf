DROP INDEX `users_by_state`;--> statement-breakpoint
CREATE INDEX `users_disabled` ON `users` (`id`) WHERE disabled_at IS NOT NULL;