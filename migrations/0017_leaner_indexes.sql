DROP INDEX `orders_by_user`;--> statement-breakpoint
DROP INDEX `orders_by_user_and_status`;--> statement-breakpoint
DROP INDEX `orders_by_key`;--> statement-breakpoint
DROP INDEX `orders_by_key_and_status`;--> statement-breakpoint
DROP INDEX `orders_by_expiry`;--> statement-breakpoint
CREATE INDEX `orders_by_user` ON `orders` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_user_and_status` ON `orders` (`user_id`,`status`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key` ON `orders` (`api_key_id`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key_and_status` ON `orders` (`api_key_id`,`status`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_expiry` ON `orders` (`expires_at`) WHERE status = 'pending' AND expires_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `transactions_by_user`;--> statement-breakpoint
DROP INDEX `transactions_by_key`;--> statement-breakpoint
CREATE INDEX `transactions_by_user` ON `transactions` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_by_key` ON `transactions` (`api_key_id`,`id`) WHERE api_key_id IS NOT NULL;