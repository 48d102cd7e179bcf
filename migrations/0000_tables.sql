CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`hash` text NOT NULL,
	`previous_hash` text,
	`previous_expires_at` integer,
	`permissions` text NOT NULL,
	`tier` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_start_unique` ON `api_keys` (`start`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` integer NOT NULL,
	`before` text,
	`after` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_by_subject` ON `audit_log` (`subject`,`subject_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_by_actor` ON `audit_log` (`actor`,`id`);--> statement-breakpoint
CREATE TABLE `preconditions` (
	`holds` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cart_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cart_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`seen_price` integer NOT NULL,
	FOREIGN KEY (`cart_id`) REFERENCES `carts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "cart_quantity_positive" CHECK("quantity" > 0)
);
--> statement-breakpoint
CREATE INDEX `cart_items_by_product` ON `cart_items` (`product_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cart_items_once_per_product` ON `cart_items` (`cart_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `carts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`token_hash` text,
	`expires_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "cart_has_one_owner" CHECK(("user_id" IS NULL) <> ("token_hash" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `carts_user_id_unique` ON `carts` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `carts_token_hash_unique` ON `carts` (`token_hash`);--> statement-breakpoint
CREATE INDEX `carts_by_expiry` ON `carts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`access` text NOT NULL,
	`r2_key` text NOT NULL,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_r2_key_unique` ON `files` (`r2_key`);--> statement-breakpoint
CREATE INDEX `files_newest` ON `files` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `product_files` (
	`product_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	PRIMARY KEY(`product_id`, `file_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_files_by_file` ON `product_files` (`file_id`);--> statement-breakpoint
CREATE TABLE `replaced_versions` (
	`file_id` integer NOT NULL,
	`version` integer NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`r2_key` text NOT NULL,
	PRIMARY KEY(`file_id`, `version`),
	FOREIGN KEY (`r2_key`) REFERENCES `orphaned_objects`(`r2_key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `replaced_versions_r2_key_unique` ON `replaced_versions` (`r2_key`);--> statement-breakpoint
CREATE TABLE `orphaned_objects` (
	`r2_key` text PRIMARY KEY NOT NULL,
	`r2_upload_id` text,
	`delete_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `orphaned_objects_by_end` ON `orphaned_objects` (`delete_at`);--> statement-breakpoint
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
CREATE TABLE `idempotency_keys` (
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`answer` text NOT NULL,
	`sealed` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`caller`, `key`)
);
--> statement-breakpoint
CREATE TABLE `order_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`from` text,
	`to` text NOT NULL,
	`amount` integer,
	`currency` text,
	`actor` text NOT NULL,
	`note` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `order_history_by_order` ON `order_history` (`order_id`);--> statement-breakpoint
CREATE TABLE `order_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`name` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`requires_shipping` integer NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price` integer NOT NULL,
	`total` integer NOT NULL,
	`refunded_quantity` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "line_quantity_positive" CHECK("quantity" > 0),
	CONSTRAINT "line_total_adds_up" CHECK("total" = "unit_price" * "quantity"),
	CONSTRAINT "line_refund_within_quantity" CHECK("refunded_quantity" BETWEEN 0 AND "quantity")
);
--> statement-breakpoint
CREATE INDEX `order_items_by_order` ON `order_items` (`order_id`);--> statement-breakpoint
CREATE INDEX `order_items_by_product` ON `order_items` (`product_id`);--> statement-breakpoint
CREATE TABLE `order_moves` (
	`from` text NOT NULL,
	`to` text NOT NULL,
	PRIMARY KEY(`from`, `to`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`number` text NOT NULL,
	`user_id` integer,
	`api_key_id` integer,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`fulfillment_status` text NOT NULL,
	`currency` text NOT NULL,
	`subtotal` integer NOT NULL,
	`discount_total` integer DEFAULT 0 NOT NULL,
	`shipping_total` integer DEFAULT 0 NOT NULL,
	`tax_total` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`refunded_total` integer DEFAULT 0 NOT NULL,
	`payment_method` text NOT NULL,
	`payment_provider` text,
	`payment_reference` text,
	`payment_url` text,
	`paid_at` integer,
	`customer_name` text,
	`customer_email` text,
	`shipping_address` text,
	`shipment` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text NOT NULL,
	`note` text,
	`fingerprint` text,
	`keyed` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_has_one_owner" CHECK(("user_id" IS NULL) <> ("api_key_id" IS NULL)),
	CONSTRAINT "order_total_adds_up" CHECK("total" = "subtotal" - "discount_total" + "shipping_total" + "tax_total" AND "total" >= 0),
	CONSTRAINT "order_keeps_no_money_when_it_ends" CHECK("status" NOT IN ('cancelled', 'expired') OR "payment_status" NOT IN ('paid', 'partially_refunded')),
	CONSTRAINT "order_refund_within_total" CHECK("refunded_total" BETWEEN 0 AND "total")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number_unique` ON `orders` (`number`);--> statement-breakpoint
CREATE INDEX `orders_by_user` ON `orders` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key` ON `orders` (`api_key_id`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key_and_status` ON `orders` (`api_key_id`,`status`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_payment` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_fulfillment` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_creation` ON `orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `orders_by_update` ON `orders` (`updated_at`);--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_email`,`customer_name`,`fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`status`,`user_id`,`customer_email`,`api_key_id`) WHERE status = 'pending' AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_expiry` ON `orders` (`expires_at`) WHERE status = 'pending' AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `downloads` (
	`id` text PRIMARY KEY NOT NULL,
	`package_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	`bytes_left` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "download_serves_its_bytes" CHECK("bytes_left" >= 0)
);
--> statement-breakpoint
CREATE INDEX `downloads_by_package` ON `downloads` (`package_id`);--> statement-breakpoint
CREATE INDEX `downloads_by_file` ON `downloads` (`file_id`);--> statement-breakpoint
CREATE TABLE `package_files` (
	`package_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	PRIMARY KEY(`package_id`, `file_id`),
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `package_files_by_file` ON `package_files` (`file_id`);--> statement-breakpoint
CREATE TABLE `package_units` (
	`unit` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `packages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`order_id` integer,
	`order_item_id` integer,
	`unit` integer,
	`name` text NOT NULL,
	`download_limit` integer,
	`downloads_used` integer DEFAULT 0 NOT NULL,
	`starts_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`updated_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "downloads_within_limit" CHECK("download_limit" IS NULL OR "downloads_used" <= "download_limit")
);
--> statement-breakpoint
CREATE INDEX `packages_by_user` ON `packages` (`user_id`);--> statement-breakpoint
CREATE INDEX `packages_by_order` ON `packages` (`order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `package_once_per_unit` ON `packages` (`order_item_id`,`unit`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`provider` text NOT NULL,
	`event_id` text NOT NULL,
	`order_id` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `event_id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `payments_to_close` (
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `reference`)
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`payment` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text,
	`reference` text,
	`tried_at` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refund_positive" CHECK("amount" > 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_to_send` ON `refunds` (`tried_at`,`id`) WHERE reference IS NULL AND failures < 3;--> statement-breakpoint
CREATE TABLE `product_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `type`, `sold_out`)
);
--> statement-breakpoint
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug_unique` ON `categories` (`slug`);--> statement-breakpoint
CREATE INDEX `categories_by_name` ON `categories` (name COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`price` integer NOT NULL,
	`compare_at_price` integer,
	`category_id` integer,
	`images` text DEFAULT '[]' NOT NULL,
	`requires_shipping` integer NOT NULL,
	`manage_stock` integer NOT NULL,
	`stock_quantity` integer,
	`in_stock` integer GENERATED ALWAYS AS (("manage_stock" = 0 OR "stock_quantity" > 0)) VIRTUAL NOT NULL,
	`sold_out` integer DEFAULT false NOT NULL,
	`facets` text GENERATED ALWAYS AS ('qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '') || ' qzp0x' || (price / 1) || ' qzp1x' || (price / 10) || ' qzp2x' || (price / 100) || ' qzp3x' || (price / 1000) || ' qzp4x' || (price / 10000) || ' qzp5x' || (price / 100000) || ' qzp6x' || (price / 1000000) || ' qzp7x' || (price / 10000000) || ' qzp8x' || (price / 100000000)) VIRTUAL,
	`download_limit` integer,
	`download_days` integer,
	`metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "price_not_negative" CHECK("price" >= 0),
	CONSTRAINT "stock_not_negative" CHECK("stock_quantity" >= 0),
	CONSTRAINT "stock_kept_when_managed" CHECK(("manage_stock" = 1) = ("stock_quantity" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug_unique` ON `products` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `products_sku_unique` ON `products` (`sku`);--> statement-breakpoint
CREATE INDEX `products_running_out` ON `products` (`stock_quantity`,`id`) WHERE manage_stock = 1 AND status = 'active';--> statement-breakpoint
CREATE INDEX `products_by_update` ON `products` (`updated_at`);--> statement-breakpoint
CREATE INDEX `products_newest` ON `products` (id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (price,id,type,sold_out);--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out);--> statement-breakpoint
CREATE INDEX `products_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_active_newest` ON `products` (id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_by_price` ON `products` (price,id,type,sold_out) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_draft_newest` ON `products` (id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_by_price` ON `products` (price,id,type,sold_out) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE TABLE `withdrawn_products` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`price` integer NOT NULL,
	`images` text NOT NULL,
	`requires_shipping` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `daily_sales` (
	`day` text PRIMARY KEY NOT NULL,
	`orders` integer DEFAULT 0 NOT NULL,
	`revenue` integer DEFAULT 0 NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stock_adjustments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`product_id` integer NOT NULL,
	`delta` integer NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "adjustment_changes_something" CHECK("delta" <> 0)
);
--> statement-breakpoint
CREATE INDEX `stock_adjustments_by_product` ON `stock_adjustments` (`product_id`,`id`);--> statement-breakpoint
CREATE TABLE `stock_allocations` (
	`order_item_id` integer PRIMARY KEY NOT NULL,
	`product_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`written_off` integer DEFAULT 0 NOT NULL,
	`unpaid_by` text,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "allocation_not_negative" CHECK("quantity" >= 0 AND "written_off" >= 0),
	CONSTRAINT "sent_not_negative" CHECK("sent" >= 0)
);
--> statement-breakpoint
CREATE INDEX `stock_allocations_by_product` ON `stock_allocations` (`product_id`,`quantity`);--> statement-breakpoint
CREATE INDEX `stock_allocations_unpaid` ON `stock_allocations` (`product_id`,`unpaid_by`,`quantity`) WHERE unpaid_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `unpaid_limits` (
	`id` integer PRIMARY KEY NOT NULL,
	`orders_waiting` integer NOT NULL,
	`units_held` integer NOT NULL,
	`percent_held` integer NOT NULL,
	CONSTRAINT "unpaid_limits_are_one_row" CHECK("id" = 1)
);
--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`api_key_id` integer,
	`order_id` integer,
	`kind` text NOT NULL,
	`method` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text,
	`balance_after` integer,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "wallet_balance_after_known" CHECK(("method" = 'wallet') = ("balance_after" IS NOT NULL)),
	CONSTRAINT "wallet_covers_charge" CHECK("balance_after" >= 0)
);
--> statement-breakpoint
CREATE INDEX `transactions_by_user` ON `transactions` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_by_key` ON `transactions` (`api_key_id`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_by_order` ON `transactions` (`order_id`);--> statement-breakpoint
CREATE INDEX `transactions_by_kind` ON `transactions` (`kind`,`id`) WHERE kind <> 'charge';--> statement-breakpoint
CREATE INDEX `transactions_by_creation` ON `transactions` (`created_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`created_at` integer NOT NULL,
	`parent_hash` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_hash`) REFERENCES `refresh_tokens`(`hash`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refresh_tokens_parent` ON `refresh_tokens` (`parent_hash`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_session` ON `refresh_tokens` (`session_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_by_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`ended_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ended_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`wallet_balance` integer DEFAULT 0 NOT NULL,
	`disabled_at` integer,
	`phone` text,
	`company` text,
	`accepts_marketing` integer DEFAULT false NOT NULL,
	`metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "wallet_not_negative" CHECK("wallet_balance" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`id`,`disabled_at`);--> statement-breakpoint
CREATE INDEX `users_disabled` ON `users` (`id`) WHERE disabled_at IS NOT NULL;