CREATE INDEX `orders_by_payment` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_fulfillment` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_creation` ON `orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `orders_by_email` ON `orders` (`customer_email`);--> statement-breakpoint
CREATE INDEX `orders_by_name` ON `orders` (customer_name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `transactions_by_kind` ON `transactions` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_by_creation` ON `transactions` (`created_at`);