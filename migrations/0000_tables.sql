CREATE TABLE `agents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`profile_url` text NOT NULL,
	`profile` text NOT NULL,
	`expires_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_profile_url_unique` ON `agents` (`profile_url`);--> statement-breakpoint
CREATE INDEX `agents_by_seen` ON `agents` (`seen_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`folded_name` text,
	`start` text NOT NULL,
	`hash` text NOT NULL,
	`previous_hash` text,
	`previous_expires_at` integer,
	`permissions` text NOT NULL,
	`tier` text NOT NULL,
	`test` integer DEFAULT false NOT NULL,
	`allowed_addresses` text DEFAULT '[]' NOT NULL,
	`allowed_origins` text DEFAULT '[]' NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_key_name_is_folded" CHECK((octet_length("name") > length("name")) = ("folded_name" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_start_unique` ON `api_keys` (`start`);--> statement-breakpoint
CREATE INDEX `api_keys_by_name` ON `api_keys` (CASE WHEN folded_name IS NULL THEN lower(name) ELSE folded_name END);--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_mode` ON `api_keys` (`id`,`test`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE INDEX `audit_log_with_address` ON `audit_log` (`at`) WHERE address IS NOT NULL AND actor NOT LIKE 'api_key:%';--> statement-breakpoint
CREATE TABLE `preconditions` (
	`holds` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cart_answers` (
	`cart_id` integer PRIMARY KEY NOT NULL,
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`answer` text NOT NULL,
	FOREIGN KEY (`cart_id`) REFERENCES `carts`(`id`) ON UPDATE no action ON DELETE cascade
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
CREATE TABLE `checkout_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token` text NOT NULL,
	`reference` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`agent` text NOT NULL,
	`content` text NOT NULL,
	`shown_total` integer,
	`order_id` integer,
	`webhook_url` text,
	`told_of` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `checkout_sessions_token_unique` ON `checkout_sessions` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `checkout_sessions_reference_unique` ON `checkout_sessions` (`reference`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_order` ON `checkout_sessions` (`order_id`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_expiry` ON `checkout_sessions` (`status`,`expires_at`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_to_tell` ON `checkout_sessions` (`expires_at`) WHERE webhook_url IS NOT NULL;--> statement-breakpoint
CREATE TABLE `link_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` integer,
	`email` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_tokens_by_user` ON `link_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `link_tokens_by_expiry` ON `link_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `link_tokens_to_revert` ON `link_tokens` (`email`) WHERE purpose = 'revert_email';--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "challenge_attempts_within_limit" CHECK("attempts" <= 15)
);
--> statement-breakpoint
CREATE INDEX `login_challenges_by_user` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_challenges_by_expiry` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `totp_secrets` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `totp_secrets_by_secret` ON `totp_secrets` (`sealed_under`);--> statement-breakpoint
CREATE TABLE `discount_redemptions` (
	`id` integer PRIMARY KEY NOT NULL,
	`discount_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`customer` text,
	`discount_version` integer NOT NULL,
	`amount` integer NOT NULL,
	`created_at` integer NOT NULL,
	`released_at` integer,
	FOREIGN KEY (`discount_id`) REFERENCES `discounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discount_redemptions_once` ON `discount_redemptions` (`order_id`,`discount_id`);--> statement-breakpoint
CREATE INDEX `discount_redemptions_by_customer` ON `discount_redemptions` (`discount_id`,`customer`);--> statement-breakpoint
CREATE TABLE `discounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`folded_name` text,
	`code` text,
	`kind` text NOT NULL,
	`percent` integer,
	`amount` integer,
	`buy_quantity` integer,
	`get_quantity` integer,
	`product_ids` text DEFAULT '[]' NOT NULL,
	`category_ids` text DEFAULT '[]' NOT NULL,
	`minimum_subtotal` integer,
	`first_order_only` integer DEFAULT false NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`max_uses` integer,
	`max_uses_per_customer` integer,
	`uses` integer DEFAULT 0 NOT NULL,
	`combinable` integer DEFAULT true NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "discount_name_is_folded" CHECK((octet_length("name") > length("name")) = ("folded_name" IS NOT NULL)),
	CONSTRAINT "discount_percent_in_range" CHECK("percent" BETWEEN 0 AND 1000000),
	CONSTRAINT "discount_amount_positive" CHECK("amount" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discounts_code` ON `discounts` (`code`) WHERE code IS NOT NULL;--> statement-breakpoint
CREATE INDEX `discounts_automatic` ON `discounts` (`priority`,`id`) WHERE code IS NULL;--> statement-breakpoint
CREATE TABLE `draft_orders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`status` text NOT NULL,
	`user_id` integer,
	`content` text NOT NULL,
	`sent_at` integer,
	`order_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `draft_orders_reference_unique` ON `draft_orders` (`reference`);--> statement-breakpoint
CREATE INDEX `draft_orders_by_user` ON `draft_orders` (`user_id`);--> statement-breakpoint
CREATE INDEX `draft_orders_by_status` ON `draft_orders` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `email_switches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`template` text NOT NULL,
	`off` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_switches_template_unique` ON `email_switches` (`template`);--> statement-breakpoint
CREATE TABLE `emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`template` text NOT NULL,
	`user_id` integer,
	`order_id` integer,
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
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_key_unique` ON `emails` (`key`);--> statement-breakpoint
CREATE INDEX `emails_due` ON `emails` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_by_user` ON `emails` (`user_id`);--> statement-breakpoint
CREATE INDEX `emails_by_state` ON `emails` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `emails_by_order` ON `emails` (`order_id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `emails_of_orders` ON `emails` (`recipient`,`created_at`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_cursors` (
	`reader` text PRIMARY KEY NOT NULL,
	`after_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_by_subject` ON `events` (`subject`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`description` text,
	`enabled` integer NOT NULL,
	`pause_reason` text,
	`account_scope` text NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	`previous_expires_at` integer,
	`starts_after` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_key_unique` ON `webhook_endpoints` (`key`);--> statement-breakpoint
CREATE TABLE `feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`country` text NOT NULL,
	`product_url` text NOT NULL,
	`returns_url` text,
	`key_hash` text,
	`read_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_key_hash_unique` ON `feeds` (`key_hash`);--> statement-breakpoint
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
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`file_name` text NOT NULL,
	`folded_words` text,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`access` text NOT NULL,
	`r2_key` text NOT NULL,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "file_words_are_folded" CHECK((octet_length(("name" || "file_name")) > length(("name" || "file_name"))) = ("folded_words" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_r2_key_unique` ON `files` (`r2_key`);--> statement-breakpoint
CREATE INDEX `files_newest` ON `files` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `orphaned_objects` (
	`r2_key` text PRIMARY KEY NOT NULL,
	`r2_upload_id` text,
	`delete_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `orphaned_objects_by_end` ON `orphaned_objects` (`delete_at`);--> statement-breakpoint
CREATE TABLE `package_files` (
	`package_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	`user_id` integer,
	`standing` integer,
	`expires_at` integer,
	PRIMARY KEY(`package_id`, `file_id`),
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `package_files_by_file` ON `package_files` (`file_id`);--> statement-breakpoint
CREATE INDEX `package_files_by_standing` ON `package_files` (`user_id`,`file_id`,`standing`,`expires_at`,`package_id`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` integer,
	`order_id` integer,
	`order_item_id` integer,
	`units` integer,
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
CREATE UNIQUE INDEX `package_once_per_line` ON `packages` (`order_item_id`);--> statement-breakpoint
CREATE TABLE `product_files` (
	`product_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	`inherited` integer DEFAULT false NOT NULL,
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
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`about` text NOT NULL,
	`summary` text NOT NULL,
	`created_at` integer NOT NULL,
	`clear_since` integer,
	`resolved_at` integer,
	`told_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_open_once` ON `alerts` (`kind`,`about`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX `alerts_by_resolution` ON `alerts` (`resolved_at`);--> statement-breakpoint
CREATE INDEX `alerts_told` ON `alerts` (`told_at`) WHERE told_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `deployments` (
	`version` text PRIMARY KEY NOT NULL,
	`release` text NOT NULL,
	`migration` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `failing_duties` (
	`duty` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`failed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `known_secrets` (
	`name` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`name`, `fingerprint`)
);
--> statement-breakpoint
CREATE TABLE `schedule_runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`duration_ms` integer,
	`checked_at` integer
);
--> statement-breakpoint
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
CREATE TABLE `stored_bytes` (
	`owner` text NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`day_limit` integer NOT NULL,
	PRIMARY KEY(`day`, `owner`),
	CONSTRAINT "stored_bytes_within_limit" CHECK("bytes" <= "day_limit")
);
--> statement-breakpoint
CREATE TABLE `fetched_images` (
	`url` text PRIMARY KEY NOT NULL,
	`image_id` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `fetched_images_by_image` ON `fetched_images` (`image_id`);--> statement-breakpoint
CREATE TABLE `images` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sha256` text NOT NULL,
	`mime_type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `images_sha256_unique` ON `images` (`sha256`);--> statement-breakpoint
CREATE TABLE `product_images` (
	`product_id` integer NOT NULL,
	`image_id` integer NOT NULL,
	PRIMARY KEY(`product_id`, `image_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_images_by_image` ON `product_images` (`image_id`);--> statement-breakpoint
CREATE TABLE `failed_items` (
	`queue` text NOT NULL,
	`item` text NOT NULL,
	`attempts` integer NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`failed_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `item`)
);
--> statement-breakpoint
CREATE INDEX `failed_items_by_next_attempt` ON `failed_items` (`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`resource` text NOT NULL,
	`file_name` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`r2_key` text NOT NULL,
	`records_key` text,
	`format` text,
	`columns` text DEFAULT '{}' NOT NULL,
	`encoding` text,
	`encoding_examples` text DEFAULT '[]' NOT NULL,
	`chosen_encoding` text,
	`decimal_separator` text,
	`ambiguous_columns` text DEFAULT '[]' NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`left_out` text DEFAULT '[]' NOT NULL,
	`to_create` integer DEFAULT 0 NOT NULL,
	`to_update` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`samples` text DEFAULT '[]' NOT NULL,
	`check_job_id` integer NOT NULL,
	`job_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`check_job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_by_check` ON `imports` (`check_job_id`);--> statement-breakpoint
CREATE INDEX `imports_by_job` ON `imports` (`job_id`);--> statement-breakpoint
CREATE TABLE `job_changes` (
	`job_id` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`before` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`job_id`, `subject_id`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `job_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`line` integer,
	`subject_id` integer,
	`sku` text,
	`name` text,
	`field` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`is_warning` integer NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `job_failures_by_job` ON `job_failures` (`job_id`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`parameters` text NOT NULL,
	`cursor` text,
	`total` integer,
	`done` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`warnings` integer DEFAULT 0 NOT NULL,
	`undo_of` integer,
	`instance` text,
	`starts` integer DEFAULT 0 NOT NULL,
	`created_by` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`undo_of`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `jobs_by_kind` ON `jobs` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`updated_at`) WHERE state IN ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_undo_once` ON `jobs` (`undo_of`) WHERE state NOT IN ('cancelled', 'failed');--> statement-breakpoint
CREATE TABLE `order_history` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_id` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`from` text,
	`to` text NOT NULL,
	`amount` integer,
	`shipping` integer,
	`tax` integer,
	`currency` text,
	`actor` text NOT NULL,
	`note` text,
	`notify` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `order_history_by_order` ON `order_history` (`order_id`);--> statement-breakpoint
CREATE TABLE `order_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`name` text NOT NULL,
	`sku` text NOT NULL,
	`option_values` text DEFAULT '[]' NOT NULL,
	`type` text NOT NULL,
	`requires_shipping` integer NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price` integer NOT NULL,
	`list_price` integer,
	`total` integer NOT NULL,
	`discount` integer DEFAULT 0 NOT NULL,
	`tax` integer DEFAULT 0 NOT NULL,
	`tax_lines` text DEFAULT '[]' NOT NULL,
	`category_id` integer,
	`tax_class` text DEFAULT 'standard' NOT NULL,
	`weight_grams` integer,
	`cost` integer,
	`refunded_quantity` integer DEFAULT 0 NOT NULL,
	`shipped_quantity` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "line_quantity_not_negative" CHECK("quantity" >= 0),
	CONSTRAINT "line_total_adds_up" CHECK("total" = "unit_price" * "quantity"),
	CONSTRAINT "line_discount_within_total" CHECK("discount" BETWEEN 0 AND "total" AND "tax" >= 0),
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
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`number` text NOT NULL,
	`sequence` integer NOT NULL,
	`user_id` integer,
	`api_key_id` integer,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`fulfillment_status` text NOT NULL,
	`currency` text NOT NULL,
	`subtotal` integer NOT NULL,
	`discount_total` integer DEFAULT 0 NOT NULL,
	`shipping_total` integer DEFAULT 0 NOT NULL,
	`shipping_discount` integer DEFAULT 0 NOT NULL,
	`shipping_tax` integer DEFAULT 0 NOT NULL,
	`tax_total` integer DEFAULT 0 NOT NULL,
	`prices_include_tax` integer DEFAULT false NOT NULL,
	`total` integer NOT NULL,
	`refunded_total` integer DEFAULT 0 NOT NULL,
	`refunded_shipping` integer DEFAULT 0 NOT NULL,
	`refunded_tax` integer DEFAULT 0 NOT NULL,
	`received_by_hand` integer DEFAULT 0 NOT NULL,
	`tax_lines` text DEFAULT '[]' NOT NULL,
	`discounts` text DEFAULT '[]' NOT NULL,
	`shipping_method` text,
	`tax_exempt_reason` text,
	`payment_method` text NOT NULL,
	`sandbox` integer DEFAULT false NOT NULL,
	`payment_provider` text,
	`payment_reference` text,
	`payment_url` text,
	`paid_at` integer,
	`customer_name` text,
	`folded_words` text,
	`customer_email` text,
	`shipping_address` text,
	`billing_address` text,
	`country` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text NOT NULL,
	`note` text,
	`fingerprint` text,
	`keyed` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`api_key_id`,`sandbox`) REFERENCES `api_keys`(`id`,`test`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_number_ends_with_sequence" CHECK("number" = rtrim("number", '0123456789') || abs("sequence")),
	CONSTRAINT "sandboxed_order_is_apart" CHECK(iif("sandbox", "sequence" < 0 AND "payment_method" = 'test_card' AND "user_id" IS NULL AND "api_key_id" IS NOT NULL, "sequence" > 0)),
	CONSTRAINT "order_words_are_folded" CHECK((octet_length(ifnull("customer_name", '')) > length(ifnull("customer_name", ''))) = ("folded_words" IS NOT NULL)),
	CONSTRAINT "order_has_at_most_one_owner" CHECK("user_id" IS NULL OR "api_key_id" IS NULL),
	CONSTRAINT "order_total_adds_up" CHECK("total" = "subtotal" - "discount_total" + "shipping_total" + iif("prices_include_tax", 0, "tax_total") AND "total" >= 0),
	CONSTRAINT "order_shipping_adds_up" CHECK("shipping_discount" BETWEEN 0 AND "shipping_total" AND "shipping_tax" BETWEEN 0 AND "tax_total"),
	CONSTRAINT "order_keeps_no_money_when_it_ends" CHECK("status" NOT IN ('cancelled', 'expired') OR "payment_status" NOT IN ('paid', 'partially_refunded')),
	CONSTRAINT "order_refund_within_total" CHECK("refunded_total" BETWEEN 0 AND "total"),
	CONSTRAINT "order_refunded_tax_within" CHECK("refunded_tax" BETWEEN 0 AND min("tax_total", "refunded_total")),
	CONSTRAINT "order_refunded_shipping_within" CHECK("refunded_shipping" BETWEEN 0 AND min("refunded_total", "shipping_total" - "shipping_discount" + iif("prices_include_tax", 0, "shipping_tax")))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reference_unique` ON `orders` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_sequence_unique` ON `orders` (`sequence`);--> statement-breakpoint
CREATE INDEX `orders_by_user` ON `orders` (`user_id`,`id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key` ON `orders` (`api_key_id`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_key_and_status` ON `orders` (`api_key_id`,`status`,`id`) WHERE api_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_payment` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_fulfillment` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_creation` ON `orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `orders_by_update` ON `orders` (`updated_at`);--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_email`,`customer_name`,`fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`status`,`user_id`,`customer_email`,`api_key_id`) WHERE status IN ('pending', 'processing') AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_expiry` ON `orders` (`expires_at`) WHERE status = 'pending' AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `refund_lines` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_item_id` integer NOT NULL,
	`refunded_before` integer NOT NULL,
	`refunded` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `payment_events` (
	`provider` text NOT NULL,
	`event_id` text NOT NULL,
	`order_id` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `event_id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `payment_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`methods` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "payment_settings_are_one" CHECK("id" = 1)
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
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refund_positive" CHECK("amount" > 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_to_send` ON `refunds` (`id`) WHERE reference IS NULL AND failures < 3;--> statement-breakpoint
CREATE TABLE `test_payments` (
	`reference` text PRIMARY KEY NOT NULL,
	`order_reference` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`fails_refunds` integer DEFAULT false NOT NULL,
	`confirm_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `test_payments_to_confirm` ON `test_payments` (`confirm_at`) WHERE confirm_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE TABLE `category_products` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`id` integer NOT NULL,
	`name` text NOT NULL,
	`price` integer NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`highest_variant_price` integer,
	PRIMARY KEY(`category_id`, `status`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `category_products_by_price` ON `category_products` (`category_id`,`status`,price,id,type,sold_out,highest_variant_price);--> statement-breakpoint
CREATE INDEX `category_products_by_name` ON `category_products` (`category_id`,`status`,name COLLATE NOCASE,id,type,sold_out,price,highest_variant_price);--> statement-breakpoint
CREATE TABLE `product_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `type`, `sold_out`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_price_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`price_band` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `price_band`, `type`, `sold_out`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_range_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`price_band` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `price_band`, `type`, `sold_out`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`parent_id` integer,
	`path` text DEFAULT '[]' NOT NULL,
	`tree_order` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "category_within_levels" CHECK(json_array_length("path") <= 5),
	CONSTRAINT "category_not_below_itself" CHECK("parent_id" <> "id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug_unique` ON `categories` (`slug`);--> statement-breakpoint
CREATE INDEX `categories_by_name` ON `categories` (name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `categories_by_parent` ON `categories` (`parent_id`);--> statement-breakpoint
CREATE INDEX `categories_in_order` ON `categories` (tree_order COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`brand` text,
	`barcode` text,
	`seo_title` text,
	`seo_description` text,
	`folded_words` text,
	`price` integer NOT NULL,
	`compare_at_price` integer,
	`cost` integer,
	`category_id` integer,
	`tags` text DEFAULT '[]' NOT NULL,
	`tag_ids` text DEFAULT '[]' NOT NULL,
	`images` text DEFAULT '[]' NOT NULL,
	`requires_shipping` integer NOT NULL,
	`tax_class` text DEFAULT 'standard' NOT NULL,
	`weight_grams` integer,
	`manage_stock` integer NOT NULL,
	`stock_quantity` integer,
	`low_stock_threshold` integer,
	`low_at` integer GENERATED ALWAYS AS (ifnull("low_stock_threshold", 5)) VIRTUAL,
	`in_stock` integer GENERATED ALWAYS AS (iif("options" = '[]', "manage_stock" = 0 OR "stock_quantity" > 0, NOT "sold_out")) VIRTUAL NOT NULL,
	`sold_out` integer DEFAULT false NOT NULL,
	`price_band` integer GENERATED ALWAYS AS ("price" - "price" % CAST(substr('1000000000', 1, max(1, length("price") - 1)) AS INTEGER)) VIRTUAL,
	`facets` text GENERATED ALWAYS AS ('qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '') || replace(replace(rtrim(tag_ids, ']'), '[', ' qzt'), ',', ' qzt') || iif(brand IS NULL, '', ' qzb' || hex(lower(brand))) || ' qzp0x' || (price / 1) || ' qzp1x' || (price / 10) || ' qzp2x' || (price / 100) || ' qzp3x' || (price / 1000) || ' qzp4x' || (price / 10000) || ' qzp5x' || (price / 100000) || ' qzp6x' || (price / 1000000) || ' qzp7x' || (price / 10000000) || ' qzp8x' || (price / 100000000) || ifnull(iif(highest_variant_price > price, ' qzrange' || ' qzh0x' || (highest_variant_price / 1) || ' qzh1x' || (highest_variant_price / 10) || ' qzh2x' || (highest_variant_price / 100) || ' qzh3x' || (highest_variant_price / 1000) || ' qzh4x' || (highest_variant_price / 10000) || ' qzh5x' || (highest_variant_price / 100000) || ' qzh6x' || (highest_variant_price / 1000000) || ' qzh7x' || (highest_variant_price / 10000000) || ' qzh8x' || (highest_variant_price / 100000000), ''), '')) VIRTUAL,
	`download_limit` integer,
	`download_days` integer,
	`metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`parent_id` integer,
	`options` text DEFAULT '[]' NOT NULL,
	`option_values` text DEFAULT '[]' NOT NULL,
	`inherits` text DEFAULT '[]' NOT NULL,
	`own_status` text,
	`highest_variant_price` integer,
	`highest_price_band` integer GENERATED ALWAYS AS ("highest_variant_price" - "highest_variant_price" % CAST(substr('1000000000', 1, max(1, length("highest_variant_price") - 1)) AS INTEGER)) VIRTUAL,
	`variant_count` integer DEFAULT 0 NOT NULL,
	`variant_words` text DEFAULT '' NOT NULL,
	`draft_words` text DEFAULT '' NOT NULL,
	`related_updated_at` integer,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "product_words_are_folded" CHECK((octet_length(iif("parent_id" IS NULL, "name" || "sku" || ifnull("brand", '') || "description", "sku" || ifnull("option_values" ->> '$[0].value', '') || ifnull("option_values" ->> '$[1].value', '') || ifnull("option_values" ->> '$[2].value', ''))) > length(iif("parent_id" IS NULL, "name" || "sku" || ifnull("brand", '') || "description", "sku" || ifnull("option_values" ->> '$[0].value', '') || ifnull("option_values" ->> '$[1].value', '') || ifnull("option_values" ->> '$[2].value', '')))) = ("folded_words" IS NOT NULL)),
	CONSTRAINT "variant_has_a_parent" CHECK(("parent_id" IS NOT NULL) = ("option_values" <> '[]') AND ("parent_id" IS NOT NULL) = ("own_status" IS NOT NULL) AND ("parent_id" IS NULL OR "options" = '[]')),
	CONSTRAINT "parent_is_not_for_sale" CHECK("options" = '[]' OR "manage_stock" = 0 AND "compare_at_price" IS NULL AND "cost" IS NULL AND "barcode" IS NULL),
	CONSTRAINT "price_not_negative" CHECK("price" >= 0),
	CONSTRAINT "cost_not_negative" CHECK("cost" >= 0),
	CONSTRAINT "weight_not_negative" CHECK("weight_grams" >= 0),
	CONSTRAINT "stock_not_negative" CHECK("stock_quantity" >= 0),
	CONSTRAINT "stock_kept_when_managed" CHECK(("manage_stock" = 1) = ("stock_quantity" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug_unique` ON `products` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `products_sku_unique` ON `products` (`sku`);--> statement-breakpoint
CREATE UNIQUE INDEX `variants_differ` ON `products` (`parent_id`,`option_values`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_by_parent` ON `products` (`parent_id`,`own_status`,`price`,`sold_out`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_by_price_ratio` ON `products` (highest_variant_price * 1.0 / (price + 1)) WHERE highest_variant_price > price;--> statement-breakpoint
CREATE INDEX `products_by_highest_price` ON `products` (`highest_variant_price`,`category_id`,`status`,`type`,`sold_out`,`price`) WHERE highest_variant_price > price;--> statement-breakpoint
CREATE INDEX `products_running_out` ON `products` (`stock_quantity`,`id`) WHERE manage_stock = 1 AND status = 'active';--> statement-breakpoint
CREATE INDEX `products_low` ON `products` (`stock_quantity`,`id`) WHERE manage_stock = 1 AND status = 'active' AND stock_quantity <= low_at;--> statement-breakpoint
CREATE INDEX `products_by_update` ON `products` (`updated_at`);--> statement-breakpoint
CREATE INDEX `products_newest` ON `products` (id,type,sold_out,price,highest_variant_price) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (price,id,type,sold_out,highest_variant_price) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price,highest_variant_price) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_active_newest` ON `products` (id,type,sold_out,price,highest_variant_price) WHERE status = 'active' AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_active_by_price` ON `products` (price,id,type,sold_out,highest_variant_price) WHERE status = 'active' AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_active_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price,highest_variant_price) WHERE status = 'active' AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_draft_newest` ON `products` (id,type,sold_out,price,highest_variant_price) WHERE status = 'draft' AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_draft_by_price` ON `products` (price,id,type,sold_out,highest_variant_price) WHERE status = 'draft' AND parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `products_draft_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price,highest_variant_price) WHERE status = 'draft' AND parent_id IS NULL;--> statement-breakpoint
CREATE TABLE `withdrawn_products` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`price` integer NOT NULL,
	`images` text NOT NULL,
	`requires_shipping` integer NOT NULL,
	`option_values` text NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `request_counts` (
	`period` text NOT NULL,
	`caller` text NOT NULL,
	`start` integer NOT NULL,
	`route` text NOT NULL,
	`version` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`redirects` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`client_errors` integer DEFAULT 0 NOT NULL,
	`server_errors` integer DEFAULT 0 NOT NULL,
	`duration` integer DEFAULT 0 NOT NULL,
	`last_at` integer NOT NULL,
	`to_5` integer DEFAULT 0 NOT NULL,
	`to_10` integer DEFAULT 0 NOT NULL,
	`to_25` integer DEFAULT 0 NOT NULL,
	`to_50` integer DEFAULT 0 NOT NULL,
	`to_100` integer DEFAULT 0 NOT NULL,
	`to_250` integer DEFAULT 0 NOT NULL,
	`to_500` integer DEFAULT 0 NOT NULL,
	`to_1000` integer DEFAULT 0 NOT NULL,
	`to_2500` integer DEFAULT 0 NOT NULL,
	`to_5000` integer DEFAULT 0 NOT NULL,
	`over_5000` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`period`, `caller`, `start`, `route`, `version`)
);
--> statement-breakpoint
CREATE INDEX `request_counts_by_start` ON `request_counts` (`period`,`start`);--> statement-breakpoint
CREATE TABLE `sales` (
	`dimension` text NOT NULL,
	`period` text NOT NULL,
	`key` text NOT NULL,
	`orders` integer DEFAULT 0 NOT NULL,
	`units` integer DEFAULT 0 NOT NULL,
	`returned_units` integer DEFAULT 0 NOT NULL,
	`goods` integer DEFAULT 0 NOT NULL,
	`returned_goods` integer DEFAULT 0 NOT NULL,
	`shipping` integer DEFAULT 0 NOT NULL,
	`returned_shipping` integer DEFAULT 0 NOT NULL,
	`tax` integer DEFAULT 0 NOT NULL,
	`returned_tax` integer DEFAULT 0 NOT NULL,
	`discounts` integer DEFAULT 0 NOT NULL,
	`costed_goods` integer DEFAULT 0 NOT NULL,
	`uncosted_goods` integer DEFAULT 0 NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`dimension`, `period`, `key`)
);
--> statement-breakpoint
CREATE TABLE `sales_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`history_id` integer NOT NULL,
	`refund_line_id` integer NOT NULL,
	`moved_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shipment_lines` (
	`shipment_id` integer NOT NULL,
	`order_item_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `order_item_id`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shipment_quantity_positive" CHECK("quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`carrier` text NOT NULL,
	`tracking_number` text,
	`tracking_url` text,
	`shipped_at` integer NOT NULL,
	`shipped_by` text NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shipments_by_order` ON `shipments` (`order_id`);--> statement-breakpoint
CREATE TABLE `shipping_methods` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`zone_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`price` integer DEFAULT 0 NOT NULL,
	`brackets` text DEFAULT '[]' NOT NULL,
	`free_from` integer,
	`min_days` integer,
	`max_days` integer,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `shipping_zones`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shipping_price_not_negative" CHECK("price" >= 0)
);
--> statement-breakpoint
CREATE INDEX `shipping_methods_by_zone` ON `shipping_methods` (`zone_id`);--> statement-breakpoint
CREATE TABLE `shipping_zone_places` (
	`country` text NOT NULL,
	`region` text NOT NULL,
	`zone_id` integer NOT NULL,
	PRIMARY KEY(`country`, `region`),
	FOREIGN KEY (`zone_id`) REFERENCES `shipping_zones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `shipping_zone_places_by_zone` ON `shipping_zone_places` (`zone_id`);--> statement-breakpoint
CREATE TABLE `shipping_zones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`places` text NOT NULL,
	`rest_of_world` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipping_zones_one_rest` ON `shipping_zones` (rest_of_world) WHERE rest_of_world = 1;--> statement-breakpoint
CREATE TABLE `pricing_rules` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_by_name` ON `saved_views` (`user_id`,`list`,`name`);--> statement-breakpoint
CREATE TABLE `shop` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`home_country` text,
	`home_region` text,
	`prices_include_tax` integer NOT NULL,
	`contact` text DEFAULT '' NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`order_number_prefix` text DEFAULT '#' NOT NULL,
	`order_number_start` integer DEFAULT 1001 NOT NULL,
	`agent_access` text DEFAULT 'off' NOT NULL,
	`agent_hosts` text DEFAULT '[]' NOT NULL,
	`alert_email` text,
	`alert_error_percent` integer DEFAULT 5 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "shop_is_one" CHECK("id" = 1),
	CONSTRAINT "order_number_prefix_ends_with_no_digit" CHECK("order_number_prefix" NOT GLOB '*[0-9]')
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
	`units_unverified` integer DEFAULT 2 NOT NULL,
	CONSTRAINT "unpaid_limits_are_one_row" CHECK("id" = 1)
);
--> statement-breakpoint
CREATE TABLE `customer_tags` (
	`tag_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`tag_id`, `user_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customer_tags_by_user` ON `customer_tags` (`user_id`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`folded_name` text NOT NULL,
	`customers` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name_unique` ON `tags` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_folded_name_unique` ON `tags` (`folded_name`);--> statement-breakpoint
CREATE TABLE `tax_rates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`region` text,
	`tax_class` text NOT NULL,
	`rate` integer NOT NULL,
	`taxes_shipping` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "tax_rate_in_range" CHECK("rate" BETWEEN 0 AND 1000000),
	CONSTRAINT "tax_rate_not_exempt" CHECK("tax_class" <> 'exempt')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_rates_of_country` ON `tax_rates` (`country`,`tax_class`,`name`) WHERE region IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `tax_rates_of_region` ON `tax_rates` (`country`,`region`,`tax_class`,`name`) WHERE region IS NOT NULL;--> statement-breakpoint
CREATE TABLE `addresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`company` text,
	`address` text NOT NULL,
	`address2` text,
	`city` text NOT NULL,
	`region` text,
	`zip` text,
	`country` text,
	`phone` text,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `addresses_by_user` ON `addresses` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_one_default` ON `addresses` (`user_id`) WHERE is_default = 1;--> statement-breakpoint
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
	`last_used_at` integer DEFAULT 0 NOT NULL,
	`address` text,
	`user_agent` text,
	`authenticated_at` integer,
	`two_factor` integer DEFAULT false NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`ended_at`,`last_used_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ended_at`);--> statement-breakpoint
CREATE TABLE `staff_invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`is_sent` integer NOT NULL,
	`invited_by` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitation_is_of_staff" CHECK("role" <> 'customer')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_invitations_email_unique` ON `staff_invitations` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `staff_invitations_hash_unique` ON `staff_invitations` (`hash`);--> statement-breakpoint
CREATE INDEX `staff_invitations_by_inviter` ON `staff_invitations` (`invited_by`);--> statement-breakpoint
CREATE INDEX `staff_invitations_by_expiry` ON `staff_invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `staff_spending` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor` text NOT NULL,
	`amount` integer NOT NULL,
	`day_limit` integer,
	`session_id` text,
	`authenticated_at` integer,
	`session_limit` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "spending_not_negative" CHECK("amount" >= 0)
);
--> statement-breakpoint
CREATE INDEX `staff_spending_by_actor` ON `staff_spending` (`actor`,`created_at`);--> statement-breakpoint
CREATE INDEX `staff_spending_by_session` ON `staff_spending` (`session_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `user_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`text` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_notes_by_user` ON `user_notes` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_verified_at` integer,
	`formerly_verified_at` integer,
	`pending_email` text,
	`name` text NOT NULL,
	`folded_words` text,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`wallet_balance` integer DEFAULT 0 NOT NULL,
	`order_count` integer DEFAULT 0 NOT NULL,
	`spent` integer DEFAULT 0 NOT NULL,
	`wallet_locked_until` integer,
	`disabled_at` integer,
	`phone` text,
	`company` text,
	`accepts_marketing` integer DEFAULT false NOT NULL,
	`tax_exempt_reason` text,
	`tags` text DEFAULT '[]' NOT NULL,
	`metadata` text DEFAULT '{}' NOT NULL,
	`erase_at` integer,
	`erased_at` integer,
	`last_seen_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "user_words_are_folded" CHECK((octet_length("name") > length("name")) = ("folded_words" IS NOT NULL)),
	CONSTRAINT "wallet_not_negative" CHECK("wallet_balance" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_by_role_and_name` ON `users` (`role`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_by_spent` ON `users` (`role`,`spent`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_order_count` ON `users` (`role`,`order_count`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_creation` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`id`,`disabled_at`);--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`erase_at`) WHERE erase_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_disabled` ON `users` (`id`) WHERE disabled_at IS NOT NULL;
--> statement-breakpoint
CREATE VIEW category_lists (category_id, list) AS
SELECT categories.id, step.value ->> 'id' FROM categories, json_each(categories.path) AS step;
--> statement-breakpoint
CREATE VIEW category_placements (id) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW product_event_data AS
SELECT id, json_object('product_id', id, 'parent_id', parent_id, 'sku', sku, 'name', name, 'slug', slug, 'type', type, 'status', status,
  'price', price, 'stock_quantity', stock_quantity) AS data
FROM products;
--> statement-breakpoint
CREATE VIEW package_event_data AS
SELECT id, json_object('package_id', id, 'user_id', user_id, 'order_id', order_id,
  'download_limit', download_limit, 'downloads_used', downloads_used,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch')) AS data
FROM packages;
--> statement-breakpoint
CREATE VIEW user_event_data AS
SELECT id, json_object('user_id', id, 'role', role, 'email_verified', json(iif(email_verified_at IS NULL, 'false', 'true')),
  'disabled', json(iif(disabled_at IS NULL, 'false', 'true'))) AS data
FROM users;
--> statement-breakpoint
CREATE VIEW file_event_data AS
SELECT id, json_object('file_id', id, 'name', name, 'version', version, 'access', access,
  'published', json(iif(published_at IS NULL, 'false', 'true'))) AS data
FROM files;
--> statement-breakpoint
CREATE VIEW api_key_event_data AS
SELECT id, json_object('api_key_id', id, 'name', name, 'tier', tier,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch'),
  'last_used_at', strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at / 1000.0, 'unixepoch')) AS data
FROM api_keys;
--> statement-breakpoint
CREATE VIRTUAL TABLE files_search USING fts5(
  name, file_name, folded_words, content = 'files', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
--> statement-breakpoint
CREATE VIEW shown_images AS
SELECT shown.product_id, images.id AS image_id
FROM (
  SELECT id AS product_id, images AS list FROM products WHERE images <> '[]'
  UNION ALL SELECT product_id, images FROM withdrawn_products WHERE images <> '[]'
) AS shown, json_each(shown.list) AS image
JOIN images ON images.sha256 = substr(image.value ->> 'url', instr(image.value ->> 'url', '/images/') + 8, 64);
--> statement-breakpoint
CREATE VIRTUAL TABLE orders_search USING fts5(
  customer_name, customer_email, folded_words, content = 'orders', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE VIEW next_order_number AS
SELECT coalesce(max(order_number_prefix), '#') AS prefix,
  max(coalesce(max(order_number_start), 1001), coalesce((SELECT max(sequence) FROM orders), 0) + 1) AS sequence
FROM shop;
--> statement-breakpoint
CREATE VIEW package_standings AS
SELECT id, user_id, coalesce(expires_at, 9007199254740991) AS expires_at, CASE
  WHEN revoked_at IS NOT NULL THEN 3
  WHEN download_limit IS NULL THEN 0
  WHEN downloads_used < download_limit THEN 1
  ELSE 2
END AS standing
FROM packages;
--> statement-breakpoint
CREATE VIEW variant_recounts (id, prices_only) AS SELECT 0, FALSE WHERE FALSE;
--> statement-breakpoint
CREATE VIEW variant_prices AS
SELECT id,
  ifnull((SELECT min(price) FROM products WHERE parent_id = parent.id AND own_status = 'active'), price) AS price,
  (SELECT max(price) FROM products WHERE parent_id = parent.id AND own_status = 'active') AS highest_variant_price,
  NOT EXISTS (SELECT 1 FROM products WHERE parent_id = parent.id AND own_status = 'active' AND sold_out = 0) AS sold_out
FROM products AS parent WHERE options <> '[]';
--> statement-breakpoint
CREATE VIEW searched_variants AS
SELECT id, parent_id, own_status, sku || ifnull(' ' || barcode, '') || ifnull(' ' || folded_words, '') || ' ' || (option_values ->> '$[0].value')
  || ifnull(' ' || (option_values ->> '$[1].value'), '') || ifnull(' ' || (option_values ->> '$[2].value'), '') AS words
FROM products WHERE parent_id IS NOT NULL;
--> statement-breakpoint
CREATE VIEW variant_texts AS
SELECT id,
  (SELECT count(*) FROM products WHERE parent_id = parent.id) AS variant_count,
  (SELECT ifnull(group_concat(words, ' ' ORDER BY id), '') FROM searched_variants WHERE parent_id = parent.id AND own_status = 'active') AS variant_words,
  (SELECT ifnull(group_concat(words, ' ' ORDER BY id), '') FROM searched_variants WHERE parent_id = parent.id AND own_status = 'draft') AS draft_words
FROM products AS parent WHERE options <> '[]';
--> statement-breakpoint
CREATE VIEW inheritance_copies (id, at) AS SELECT 0, 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW inherited_values AS
SELECT variant.id, iif(instr(variant.inherits, '"name"'), parent.name, variant.name) AS name, iif(instr(variant.inherits, '"description"'), parent.description, variant.description) AS description, iif(instr(variant.inherits, '"brand"'), parent.brand, variant.brand) AS brand, iif(instr(variant.inherits, '"seo_title"'), parent.seo_title, variant.seo_title) AS seo_title, iif(instr(variant.inherits, '"seo_description"'), parent.seo_description, variant.seo_description) AS seo_description, iif(instr(variant.inherits, '"type"'), parent.type, variant.type) AS type, iif(instr(variant.inherits, '"images"'), parent.images, variant.images) AS images, iif(instr(variant.inherits, '"requires_shipping"'), parent.requires_shipping, variant.requires_shipping) AS requires_shipping, iif(instr(variant.inherits, '"weight_grams"'), parent.weight_grams, variant.weight_grams) AS weight_grams, iif(instr(variant.inherits, '"tax_class"'), parent.tax_class, variant.tax_class) AS tax_class, iif(instr(variant.inherits, '"download_limit"'), parent.download_limit, variant.download_limit) AS download_limit, iif(instr(variant.inherits, '"download_days"'), parent.download_days, variant.download_days) AS download_days
FROM products AS variant JOIN products AS parent ON parent.id = variant.parent_id;
--> statement-breakpoint
CREATE VIEW inherited_file_changes (parent_id) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW variant_file_owners (id) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW variant_changes (parent_id, id, at) AS SELECT 0, 0, 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW misfitting_variants AS
SELECT variant.id, parent.id AS parent_id FROM products AS parent JOIN products AS variant ON variant.parent_id = parent.id
WHERE (SELECT json_group_array(value ->> 'name') FROM json_each(variant.option_values))
    <> (SELECT json_group_array(value ->> 'name') FROM json_each(parent.options))
  OR EXISTS (
    SELECT 1 FROM json_each(variant.option_values) AS chosen
    WHERE chosen.value ->> 'value' NOT IN (SELECT value FROM json_each(parent.options, '$[' || chosen.key || '].values')));
--> statement-breakpoint
CREATE VIEW product_offers AS
SELECT products.id, ifnull(withdrawn.name, products.name) AS name, ifnull(withdrawn.sku, products.sku) AS sku,
  ifnull(withdrawn.type, products.type) AS type, ifnull(withdrawn.price, products.price) AS price,
  ifnull(withdrawn.images, products.images) AS images,
  ifnull(withdrawn.requires_shipping, products.requires_shipping) AS requires_shipping,
  ifnull(withdrawn.option_values, products.option_values) AS option_values
FROM products LEFT JOIN withdrawn_products AS withdrawn ON withdrawn.product_id = products.id;
--> statement-breakpoint
CREATE VIEW product_recounts (n) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW listed_products AS SELECT * FROM products WHERE parent_id IS NULL;
--> statement-breakpoint
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets, content = 'listed_products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE VIEW ledger_mismatches AS
SELECT users.id AS user_id, wallet_balance, coalesce(sum(amount), 0) AS ledger_sum
FROM users LEFT JOIN transactions ON transactions.user_id = users.id AND method = 'wallet'
GROUP BY users.id HAVING wallet_balance <> coalesce(sum(amount), 0);
--> statement-breakpoint
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, folded_words, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
--> statement-breakpoint
CREATE TRIGGER addresses_no_excess BEFORE INSERT ON addresses WHEN (SELECT count(*) FROM addresses WHERE user_id = NEW.user_id) >= 50 BEGIN SELECT RAISE(ABORT, 'too_many_addresses'); END;
--> statement-breakpoint
CREATE TRIGGER addresses_new_default BEFORE INSERT ON addresses WHEN NEW.is_default BEGIN UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default; END;
--> statement-breakpoint
CREATE TRIGGER addresses_other_default BEFORE UPDATE OF is_default ON addresses WHEN NEW.is_default AND NOT OLD.is_default BEGIN UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default; END;
--> statement-breakpoint
CREATE TRIGGER revoked_api_key_no_update BEFORE UPDATE OF start, name, hash, previous_hash, previous_expires_at, permissions, tier, allowed_addresses, allowed_origins, expires_at, revoked_at ON api_keys WHEN OLD.revoked_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'revoked_api_key_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER api_key_no_other_mode BEFORE UPDATE OF test ON api_keys WHEN NEW.test <> OLD.test BEGIN SELECT RAISE(ABORT, 'api_key_mode_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER api_key_creation_is_published AFTER INSERT ON api_keys BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'api_key.created', 'api_key:' || id, NEW.created_at, data FROM api_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER api_key_change_is_published AFTER UPDATE OF hash, revoked_at ON api_keys WHEN NEW.hash <> OLD.hash OR NEW.revoked_at IS NOT OLD.revoked_at BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(NEW.hash <> OLD.hash, 'api_key.rotated', 'api_key.revoked'), 'api_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM api_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER api_keys_no_unlisted_insert BEFORE INSERT ON api_keys WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER api_keys_no_unlisted_update BEFORE UPDATE OF "tier" ON api_keys WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id) IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id) OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND ( OLD.at < unixepoch() * 1000 - 2592000000 OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL))) OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT ( OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL) OR NEW.before IS json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name') AND NEW.after IS json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name') AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id) WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id) END)) BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER precondition_holds BEFORE INSERT ON preconditions BEGIN SELECT RAISE(ABORT, 'row_changed') WHERE NOT NEW.holds; SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER category_placement INSTEAD OF INSERT ON category_placements BEGIN UPDATE categories SET path = placed.path, tree_order = placed.tree_order FROM ( WITH RECURSIVE below (id, path, tree_order) AS ( SELECT category.id, json_insert(ifnull(parent.path, '[]'), '$[#]', json_object('id', category.id, 'name', category.name, 'slug', category.slug)), ifnull(parent.tree_order, '') || category.name || char(1) || category.id || char(1) FROM categories AS category LEFT JOIN categories AS parent ON parent.id = category.parent_id WHERE category.id = NEW.id UNION ALL SELECT child.id, json_insert(below.path, '$[#]', json_object('id', child.id, 'name', child.name, 'slug', child.slug)), below.tree_order || child.name || char(1) || child.id || char(1) FROM below JOIN categories AS child ON child.parent_id = below.id ) SELECT * FROM below ) AS placed WHERE categories.id = placed.id; END;
--> statement-breakpoint
CREATE TRIGGER category_begins AFTER INSERT ON categories BEGIN INSERT INTO category_placements (id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER category_is_placed AFTER UPDATE OF name, slug, parent_id ON categories WHEN (NEW.name, NEW.slug, NEW.parent_id) IS NOT (OLD.name, OLD.slug, OLD.parent_id) BEGIN INSERT INTO category_placements (id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER category_may_move BEFORE UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN SELECT RAISE(ABORT, 'category_not_below_itself') FROM category_lists WHERE category_id = NEW.parent_id AND list = NEW.id; SELECT RAISE(ABORT, 'category_too_large_to_move') WHERE (SELECT sum(items) FROM product_counts WHERE category_id = NEW.id) > 200000; END;
--> statement-breakpoint
CREATE TRIGGER category_moves AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN DELETE FROM category_products WHERE (category_id, status, id) IN ( SELECT list, status, id FROM category_products CROSS JOIN ( SELECT value ->> 'id' AS list FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id EXCEPT SELECT list FROM category_lists WHERE category_id = NEW.parent_id) WHERE category_id = NEW.id); INSERT INTO category_products (category_id, status, id, name, price, type, sold_out, highest_variant_price) SELECT list, status, id, name, price, type, sold_out, highest_variant_price FROM ( SELECT list FROM category_lists WHERE category_id = NEW.parent_id EXCEPT SELECT value ->> 'id' FROM json_each(OLD.path) ) CROSS JOIN category_products WHERE category_id = NEW.id; INSERT INTO product_counts (category_id, status, type, sold_out, items) SELECT list, status, type, sold_out, items * change FROM product_counts CROSS JOIN ( SELECT value ->> 'id' AS list, -1 AS change FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id UNION ALL SELECT list, 1 FROM category_lists WHERE category_id = NEW.parent_id) WHERE category_id = NEW.id ON CONFLICT DO UPDATE SET items = items + excluded.items; INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items) SELECT list, status, price_band, type, sold_out, items * change FROM product_price_counts CROSS JOIN ( SELECT value ->> 'id' AS list, -1 AS change FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id UNION ALL SELECT list, 1 FROM category_lists WHERE category_id = NEW.parent_id) WHERE category_id = NEW.id ON CONFLICT DO UPDATE SET items = items + excluded.items; INSERT INTO product_range_counts (category_id, status, price_band, type, sold_out, items) SELECT list, status, price_band, type, sold_out, items * change FROM product_range_counts CROSS JOIN ( SELECT value ->> 'id' AS list, -1 AS change FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id UNION ALL SELECT list, 1 FROM category_lists WHERE category_id = NEW.parent_id) WHERE category_id = NEW.id ON CONFLICT DO UPDATE SET items = items + excluded.items; END;
--> statement-breakpoint
CREATE TRIGGER product_counts_delete_category AFTER DELETE ON categories BEGIN DELETE FROM product_counts WHERE category_id = OLD.id; DELETE FROM product_price_counts WHERE category_id = OLD.id; DELETE FROM product_range_counts WHERE category_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER categories_id_is_new AFTER INSERT ON categories WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'categories') BEGIN SELECT RAISE(ABORT, 'id_given_before'); END;
--> statement-breakpoint
CREATE TRIGGER discount_forgets_category AFTER DELETE ON categories BEGIN UPDATE discounts SET enabled = enabled AND NOT (json_array_length(category_ids) = 1 AND product_ids = '[]'), category_ids = (SELECT json_group_array(value) FROM json_each(category_ids) WHERE value <> OLD.id), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE category_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(category_ids) WHERE value = OLD.id); END;
--> statement-breakpoint
CREATE TRIGGER category_move_versions_pricing AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER category_creation_versions_pricing AFTER INSERT ON categories WHEN NEW.parent_id IS NOT NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER customer_tags_of_new_user AFTER INSERT ON users WHEN NEW.tags <> '[]' AND NEW.role = 'customer' BEGIN INSERT INTO customer_tags (tag_id, user_id) SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value; END;
--> statement-breakpoint
CREATE TRIGGER customer_tags_follow AFTER UPDATE OF tags, role ON users WHEN (OLD.tags, OLD.role = 'customer') IS NOT (NEW.tags, NEW.role = 'customer') BEGIN DELETE FROM customer_tags WHERE user_id = NEW.id; INSERT INTO customer_tags (tag_id, user_id) SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value WHERE NEW.role = 'customer'; END;
--> statement-breakpoint
CREATE TRIGGER user_creation_is_published AFTER INSERT ON users BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'user.created', 'user:' || id, NEW.created_at, data FROM user_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER user_change_is_published AFTER UPDATE OF email, email_verified_at, name, role, disabled_at, phone, company, accepts_marketing, metadata, tags, erased_at ON users WHEN (OLD.email, OLD.email_verified_at, OLD.name, OLD.role, OLD.disabled_at, OLD.phone, OLD.company, OLD.accepts_marketing, OLD.metadata, OLD.tags, OLD.erased_at) IS NOT (NEW.email, NEW.email_verified_at, NEW.name, NEW.role, NEW.disabled_at, NEW.phone, NEW.company, NEW.accepts_marketing, NEW.metadata, NEW.tags, NEW.erased_at) BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL, 'user.deleted', 'user.updated'), 'user:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM user_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER lost_administrator_ends_invitations AFTER UPDATE OF role, disabled_at ON users WHEN OLD.role = 'admin' AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL) BEGIN DELETE FROM staff_invitations WHERE invited_by = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER new_password_ends_challenges AFTER UPDATE OF password_hash ON users WHEN NEW.password_hash <> OLD.password_hash BEGIN DELETE FROM login_challenges WHERE user_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0 BEGIN SELECT RAISE(ABORT, 'wallet_ledger_mismatch'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id) BEGIN SELECT RAISE(ABORT, 'last_administrator'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_erasure_owed BEFORE UPDATE OF role, erase_at ON users WHEN NEW.erase_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'staff_cannot_be_erased') WHERE NEW.role <> 'customer'; SELECT RAISE(ABORT, 'wallet_not_empty') WHERE OLD.erase_at IS NULL AND NEW.wallet_balance > 0; SELECT RAISE(ABORT, 'orders_open') WHERE OLD.erase_at IS NULL AND EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing')); END;
--> statement-breakpoint
CREATE TRIGGER users_no_hasty_erasure BEFORE UPDATE OF erase_at ON users WHEN OLD.erase_at IS NULL AND NEW.erase_at < NEW.updated_at + 604800000 BEGIN SELECT RAISE(ABORT, 'erasure_not_due'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_early_erasure BEFORE UPDATE OF erased_at ON users WHEN OLD.erase_at IS NULL OR OLD.erase_at > NEW.erased_at OR NEW.wallet_balance > 0 OR EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing')) BEGIN SELECT RAISE(ABORT, 'erasure_not_due'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, pending_email, name, password_hash, role, disabled_at, phone, company, accepts_marketing, metadata, tags, erase_at, erased_at ON users WHEN OLD.erased_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'account_erased'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_unverified_staff BEFORE UPDATE OF role ON users WHEN OLD.role = 'customer' AND NEW.role <> 'customer' AND NEW.email_verified_at IS NULL AND NEW.erased_at IS NULL BEGIN SELECT RAISE(ABORT, 'email_not_verified'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_reserved_email_insert BEFORE INSERT ON users WHEN EXISTS (SELECT 1 FROM link_tokens WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000) BEGIN SELECT RAISE(ABORT, 'email_reserved'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_reserved_email_update BEFORE UPDATE OF email ON users WHEN NEW.email <> OLD.email AND EXISTS (SELECT 1 FROM link_tokens WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000 AND user_id <> NEW.id) BEGIN SELECT RAISE(ABORT, 'email_reserved'); END;
--> statement-breakpoint
CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN INSERT INTO users_search (users_search, rowid, name, email, folded_words) VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email, folded_words ON users WHEN (OLD.name, OLD.email, OLD.folded_words) IS NOT (NEW.name, NEW.email, NEW.folded_words) BEGIN INSERT INTO users_search (users_search, rowid, name, email, folded_words) VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words); INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER wallet_no_change_without_ledger BEFORE UPDATE OF wallet_balance ON users WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT ( SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1 ) BEGIN SELECT RAISE(ABORT, 'wallet_ledger_mismatch'); END;
--> statement-breakpoint
CREATE TRIGGER users_id_is_new AFTER INSERT ON users WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'users') BEGIN SELECT RAISE(ABORT, 'id_given_before'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_insert BEFORE INSERT ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_update BEFORE UPDATE OF "role" ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER customer_tag_counts AFTER INSERT ON customer_tags BEGIN UPDATE tags SET customers = customers + 1 WHERE id = NEW.tag_id; END;
--> statement-breakpoint
CREATE TRIGGER customer_tag_counts_no_more AFTER DELETE ON customer_tags BEGIN UPDATE tags SET customers = customers - 1 WHERE id = OLD.tag_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemption_is_allowed BEFORE INSERT ON discount_redemptions BEGIN SELECT (CASE WHEN discounts.updated_at <> NEW.discount_version OR NOT enabled THEN RAISE(ABORT, 'discount_changed') WHEN starts_at > NEW.created_at OR ends_at <= NEW.created_at THEN RAISE(ABORT, 'discount_not_current') WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up') WHEN max_uses_per_customer <= ( SELECT count(*) FROM discount_redemptions WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL ) THEN RAISE(ABORT, 'discount_used_by_customer') WHEN first_order_only AND ( EXISTS ( SELECT 1 FROM orders WHERE user_id = (SELECT user_id FROM orders WHERE id = NEW.order_id) AND id <> NEW.order_id AND status NOT IN ('cancelled', 'expired') ) OR EXISTS ( SELECT 1 FROM orders AS this JOIN orders AS other ON other.customer_email = this.customer_email WHERE this.id = NEW.order_id AND this.user_id IS NULL AND other.user_id IS NULL AND other.id <> this.id AND other.status NOT IN ('cancelled', 'expired') ) ) THEN RAISE(ABORT, 'discount_for_first_order') END) FROM discounts WHERE id = NEW.discount_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemption_is_counted AFTER INSERT ON discount_redemptions BEGIN UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_release_is_counted AFTER UPDATE OF released_at ON discount_redemptions WHEN OLD.released_at IS NULL AND NEW.released_at IS NOT NULL BEGIN UPDATE discounts SET uses = uses - 1 WHERE id = NEW.discount_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_return_is_counted AFTER UPDATE OF released_at ON discount_redemptions WHEN OLD.released_at IS NOT NULL AND NEW.released_at IS NULL BEGIN SELECT (CASE WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up') WHEN iif(first_order_only, 1, max_uses_per_customer) < ( SELECT count(*) FROM discount_redemptions WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL ) THEN RAISE(ABORT, 'discount_used_by_customer') END) FROM discounts WHERE id = NEW.discount_id; UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_no_delete BEFORE DELETE ON discount_redemptions BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_releases_discounts AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired') BEGIN UPDATE discount_redemptions SET released_at = NEW.updated_at WHERE order_id = NEW.id AND released_at IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_redeems_again AFTER UPDATE OF status ON orders WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed') BEGIN UPDATE discount_redemptions SET released_at = NULL WHERE order_id = NEW.id AND released_at IS NOT NULL AND discount_id IN (SELECT value ->> 'id' FROM json_each(NEW.discounts)); END;
--> statement-breakpoint
CREATE TRIGGER order_payment_failure_is_published AFTER UPDATE OF payment_status ON orders WHEN NEW.payment_status = 'failed' AND OLD.payment_status <> 'failed' BEGIN INSERT INTO events (type, subject, created_at, data) VALUES ('order.payment_failed', 'order:' || NEW.id, NEW.updated_at, json_object('order_id', NEW.id, 'number', NEW.number, 'reference', NEW.reference, 'user_id', NEW.user_id, 'status', NEW.status, 'payment_method', NEW.payment_method, 'test', json(iif(NEW.payment_method = 'test_card', 'true', 'false')), 'total', NEW.total, 'currency', NEW.currency)); END;
--> statement-breakpoint
CREATE TRIGGER order_number_is_final BEFORE UPDATE OF number, sequence, reference ON orders BEGIN SELECT RAISE(ABORT, 'order_number_given'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unlisted_move BEFORE UPDATE OF status ON orders WHEN NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status) AND NOT (OLD.status IN ('processing', 'shipped', 'completed') AND NEW.status = OLD.status AND OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'order_move_not_allowed'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unpaid_start BEFORE INSERT ON orders WHEN NEW.paid_at IS NULL AND NEW.status IN ('processing', 'shipped', 'completed', 'refunded') AND NOT ( NEW.status = 'processing' AND NEW.fulfillment_status = 'unfulfilled' AND NEW.payment_method IN ('invoice', 'cash') AND coalesce((SELECT methods ->> ('$.' || NEW.payment_method || '.ship_before_payment') FROM payment_settings), TRUE) ) BEGIN SELECT RAISE(ABORT, 'order_not_paid'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unpaid_move BEFORE UPDATE OF status ON orders WHEN NEW.paid_at IS NULL AND OLD.status IN ('pending', 'expired') AND NEW.status IN ('processing', 'completed') BEGIN SELECT RAISE(ABORT, 'order_not_paid'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unpaid_refund BEFORE UPDATE OF status ON orders WHEN NEW.status = 'refunded' AND NEW.paid_at IS NULL BEGIN SELECT RAISE(ABORT, 'order_not_paid'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_second_payment BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'order_paid_already'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_cancel_after_download BEFORE UPDATE OF status ON orders WHEN NEW.status = 'cancelled' AND EXISTS (SELECT 1 FROM packages WHERE order_id = NEW.id AND downloads_used > 0) BEGIN SELECT RAISE(ABORT, 'downloads_used'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_cancel_after_shipment BEFORE UPDATE OF status ON orders WHEN NEW.status = 'cancelled' AND NEW.paid_at IS NOT NULL AND (OLD.status IN ('shipped', 'completed') OR OLD.fulfillment_status = 'partially_fulfilled') BEGIN SELECT RAISE(ABORT, 'order_partly_sent'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unsent_units BEFORE UPDATE OF status ON orders WHEN NEW.status = 'shipped' AND EXISTS ( SELECT 1 FROM order_items WHERE order_id = NEW.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity ) BEGIN SELECT RAISE(ABORT, 'order_has_unsent_units'); END;
--> statement-breakpoint
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders BEGIN INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note) SELECT NEW.id, NEW.updated_at, iif(pays, 'payment', 'status'), OLD.status, NEW.status, iif(pays, NEW.total, NULL), NEW.updated_by, NEW.note FROM (SELECT OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 AS pays); END;
--> statement-breakpoint
CREATE TRIGGER order_refund_recorded AFTER UPDATE OF refunded_total ON orders BEGIN INSERT INTO order_history (order_id, at, kind, "from", "to", amount, shipping, tax, actor, note) VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total, NEW.refunded_shipping - OLD.refunded_shipping, NEW.refunded_tax - OLD.refunded_tax, NEW.updated_by, NEW.note); END;
--> statement-breakpoint
CREATE TRIGGER order_sends_stock AFTER UPDATE OF status ON orders WHEN NEW.status = 'shipped' OR NEW.status = 'completed' AND OLD.status IN ('pending', 'processing') BEGIN UPDATE stock_allocations SET sent = sent + quantity, quantity = 0 WHERE quantity > 0 AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_allocates_again AFTER UPDATE OF status ON orders WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed') BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity) SELECT order_items.id, product_id, order_items.quantity FROM order_items JOIN products ON products.id = product_id AND manage_stock WHERE order_id = NEW.id AND NOT NEW.sandbox ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity; UPDATE stock_allocations SET sent = quantity, quantity = 0 WHERE NEW.status = 'completed' AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired') BEGIN UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_pays_for_stock AFTER UPDATE OF status ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND OLD.expires_at IS NOT NULL BEGIN UPDATE stock_allocations SET unpaid_by = NULL WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_closes_payment AFTER UPDATE OF payment_url ON orders WHEN OLD.payment_url IS NOT NULL AND NEW.payment_url IS NOT OLD.payment_url AND (NEW.status IN ('pending', 'cancelled') OR NEW.paid_at IS NOT NULL AND NEW.payment_reference IS NULL) BEGIN INSERT INTO payments_to_close (provider, reference, created_at) VALUES (OLD.payment_provider, OLD.payment_reference, NEW.updated_at); END;
--> statement-breakpoint
CREATE TRIGGER order_change_is_dated AFTER UPDATE ON orders WHEN NEW.updated_at = OLD.updated_at BEGIN UPDATE orders SET updated_at = updated_at + 1 WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders WHEN (NEW.customer_email IS NOT NULL OR NEW.customer_name IS NOT NULL) AND NOT EXISTS ( SELECT 1 FROM orders WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND id < NEW.id AND (customer_email IS NOT NULL OR customer_name IS NOT NULL) ) BEGIN INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words) VALUES (NEW.id, NEW.customer_name, NEW.customer_email, NEW.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER orders_search_update AFTER UPDATE OF customer_name, customer_email ON orders WHEN (OLD.customer_email, OLD.customer_name) IS NOT (NEW.customer_email, NEW.customer_name) AND (OLD.customer_email IS NOT NULL OR OLD.customer_name IS NOT NULL) AND NOT EXISTS ( SELECT 1 FROM orders WHERE customer_email IS OLD.customer_email AND customer_name IS OLD.customer_name AND id < OLD.id ) BEGIN INSERT INTO orders_search (orders_search, rowid, customer_name, customer_email, folded_words) VALUES ('delete', OLD.id, OLD.customer_name, OLD.customer_email, OLD.folded_words); INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words) SELECT id, customer_name, customer_email, folded_words FROM orders WHERE customer_email IS OLD.customer_email AND customer_name IS OLD.customer_name ORDER BY id LIMIT 1; END;
--> statement-breakpoint
CREATE TRIGGER order_no_other_customer BEFORE UPDATE OF customer_name, customer_email ON orders WHEN NEW.customer_name IS NOT NULL AND NEW.customer_name IS NOT OLD.customer_name OR NEW.customer_email IS NOT NULL AND NEW.customer_email IS NOT OLD.customer_email BEGIN SELECT RAISE(ABORT, 'order_customer_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_resend BEFORE INSERT ON orders WHEN NOT NEW.keyed BEGIN SELECT RAISE(ABORT, 'order_resent') FROM orders WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND fingerprint = NEW.fingerprint AND created_at > NEW.created_at - 15000 AND status NOT IN ('cancelled', 'expired', 'refunded') AND payment_status <> 'failed'; END;
--> statement-breakpoint
CREATE TRIGGER order_begins AFTER INSERT ON orders BEGIN INSERT INTO order_history (order_id, at, kind, "from", "to", actor, note) VALUES (NEW.id, NEW.created_at, 'status', NULL, iif(NEW.paid_at IS NULL, NEW.status, 'pending'), NEW.updated_by, NEW.note); INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note) SELECT NEW.id, NEW.paid_at, iif(NEW.total > 0, 'payment', 'status'), 'pending', NEW.status, nullif(NEW.total, 0), NEW.updated_by, NEW.note WHERE NEW.paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_counts_for_customer AFTER INSERT ON orders WHEN NEW.paid_at IS NOT NULL AND NEW.user_id IS NOT NULL BEGIN UPDATE users SET order_count = order_count + 1, spent = spent + NEW.total - NEW.refunded_total WHERE id = NEW.user_id; END;
--> statement-breakpoint
CREATE TRIGGER order_change_counts_for_customer AFTER UPDATE OF paid_at, status, total, refunded_total ON orders WHEN NEW.user_id IS NOT NULL AND ( iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), -1, NEW.total - NEW.refunded_total) <> iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), -1, OLD.total - OLD.refunded_total)) BEGIN UPDATE users SET order_count = order_count + (NEW.paid_at IS NOT NULL AND NEW.status NOT IN ('cancelled', 'expired')) - (OLD.paid_at IS NOT NULL AND OLD.status NOT IN ('cancelled', 'expired')), spent = spent + iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), 0, NEW.total - NEW.refunded_total) - iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), 0, OLD.total - OLD.refunded_total) WHERE id = NEW.user_id; END;
--> statement-breakpoint
CREATE TRIGGER order_is_charged_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 BEGIN INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at) VALUES (NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total END, NEW.note, NEW.paid_at); END;
--> statement-breakpoint
CREATE TRIGGER order_grants_packages_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL BEGIN INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at) SELECT NEW.user_id, NEW.id, order_items.id, quantity, iif(order_items.option_values = '[]', order_items.name, substr(order_items.name || ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(order_items.option_values)) || ')', 1, 200)), download_limit * quantity, NEW.paid_at, NEW.paid_at + download_days * 86400000 FROM order_items JOIN products ON products.id = product_id WHERE order_id = NEW.id AND quantity > 0 AND EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = products.id); END;
--> statement-breakpoint
CREATE TRIGGER order_no_excess_pending BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'too_many_pending') FROM unpaid_limits WHERE orders_waiting <= (CASE WHEN NEW.user_id IS NOT NULL THEN (SELECT count(*) FROM orders WHERE user_id = NEW.user_id AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) WHEN NEW.customer_email IS NOT NULL THEN (SELECT count(*) FROM orders WHERE user_id IS NULL AND customer_email = NEW.customer_email AND sandbox = NEW.sandbox AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) ELSE (SELECT count(*) / 10 FROM orders WHERE user_id IS NULL AND customer_email IS NULL AND api_key_id = NEW.api_key_id AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) END); END;
--> statement-breakpoint
CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_sandbox_is_final BEFORE UPDATE OF sandbox ON orders WHEN NEW.sandbox <> OLD.sandbox BEGIN SELECT RAISE(ABORT, 'order_leaves_sandbox'); END;
--> statement-breakpoint
CREATE TRIGGER orders_no_unlisted_insert BEFORE INSERT ON orders WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded' OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded' OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled' OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal' AND NEW."payment_method" <> 'test_card' AND NEW."payment_method" <> 'bank_transfer' AND NEW."payment_method" <> 'invoice' AND NEW."payment_method" <> 'cash' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER orders_no_unlisted_update BEFORE UPDATE OF "status", "payment_status", "fulfillment_status", "payment_method" ON orders WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded' OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded' OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled' OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal' AND NEW."payment_method" <> 'test_card' AND NEW."payment_method" <> 'bank_transfer' AND NEW."payment_method" <> 'invoice' AND NEW."payment_method" <> 'cash' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER discount_code_is_upper_case BEFORE INSERT ON discounts WHEN NEW.code <> upper(NEW.code) BEGIN SELECT RAISE(ABORT, 'discount_code_not_upper_case'); END;
--> statement-breakpoint
CREATE TRIGGER discount_code_stays_upper_case BEFORE UPDATE OF code ON discounts WHEN NEW.code <> upper(NEW.code) BEGIN SELECT RAISE(ABORT, 'discount_code_not_upper_case'); END;
--> statement-breakpoint
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at ON discounts WHEN OLD.code IS NULL OR NEW.code IS NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts WHEN OLD.code IS NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_release_versions_pricing AFTER UPDATE OF uses ON discounts WHEN OLD.code IS NULL AND OLD.uses >= OLD.max_uses AND NEW.uses < NEW.max_uses BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_insert BEFORE INSERT ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_update BEFORE UPDATE OF "kind" ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER discount_forgets_product AFTER DELETE ON products BEGIN UPDATE discounts SET enabled = enabled AND NOT (json_array_length(product_ids) = 1 AND category_ids = '[]'), product_ids = (SELECT json_group_array(value) FROM json_each(product_ids) WHERE value <> OLD.id), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE product_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(product_ids) WHERE value = OLD.id); END;
--> statement-breakpoint
CREATE TRIGGER product_creation_is_published AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'product.created', 'product:' || id, NEW.created_at, data FROM product_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_change_is_published AFTER UPDATE OF updated_at ON products WHEN NEW.updated_at <> OLD.updated_at AND NEW.parent_id IS NULL AND NEW.related_updated_at IS OLD.related_updated_at BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'product.updated', 'product:' || id, NEW.updated_at, data FROM product_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_deletion_is_published BEFORE DELETE ON products WHEN OLD.parent_id IS NULL BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'product.deleted', 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER product_stock_is_published AFTER UPDATE OF stock_quantity, manage_stock, low_stock_threshold ON products WHEN OLD.in_stock <> NEW.in_stock OR NEW.in_stock AND NEW.stock_quantity <= NEW.low_at AND (OLD.stock_quantity IS NULL OR OLD.stock_quantity > OLD.low_at) BEGIN INSERT INTO events (type, subject, created_at, data) SELECT CASE WHEN NOT NEW.in_stock THEN 'product.sold_out' WHEN OLD.in_stock THEN 'product.stock_low' ELSE 'product.back_in_stock' END, 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_images_insert AFTER INSERT ON products WHEN NEW.images <> '[]' BEGIN INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_images_update AFTER UPDATE OF images ON products WHEN OLD.images <> NEW.images BEGIN DELETE FROM product_images WHERE product_id = NEW.id AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = NEW.id); INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER held_variants_are_recounted AFTER UPDATE OF variant_count ON products WHEN OLD.variant_count < 0 AND NEW.variant_count >= 0 BEGIN INSERT INTO variant_recounts (id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER variant_edit_is_published AFTER UPDATE OF updated_at ON products WHEN NEW.parent_id IS NOT NULL AND NEW.updated_at <> OLD.updated_at AND NEW.related_updated_at IS OLD.related_updated_at BEGIN INSERT INTO variant_changes (parent_id, id, at) VALUES (NEW.parent_id, NEW.id, NEW.updated_at); END;
--> statement-breakpoint
CREATE TRIGGER variant_has_options BEFORE INSERT ON products WHEN NEW.parent_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'product_has_no_options') FROM products WHERE id = NEW.parent_id AND options = '[]'; END;
--> statement-breakpoint
CREATE TRIGGER variant_parent_is_final BEFORE UPDATE OF parent_id ON products WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN SELECT RAISE(ABORT, 'variant_parent_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER variant_begins AFTER INSERT ON products WHEN NEW.parent_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'option_values_do_not_fit') FROM misfitting_variants WHERE id = NEW.id; UPDATE products SET status = 'draft' WHERE id = NEW.id AND status = 'active' AND 'active' <> (SELECT status FROM products WHERE id = NEW.parent_id); INSERT INTO inheritance_copies (id) VALUES (NEW.id); INSERT INTO product_files (product_id, file_id, inherited) SELECT NEW.id, file_id, 1 FROM product_files WHERE product_id = NEW.parent_id AND instr(NEW.inherits, '"file_ids"'); INSERT INTO variant_recounts (id) VALUES (NEW.parent_id); INSERT INTO variant_changes (parent_id, id, at) VALUES (NEW.parent_id, NEW.id, NEW.updated_at); END;
--> statement-breakpoint
CREATE TRIGGER variant_values_fit AFTER UPDATE OF option_values ON products WHEN NEW.option_values <> OLD.option_values BEGIN SELECT RAISE(ABORT, 'option_values_do_not_fit') FROM misfitting_variants WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER variant_inheritance_changes AFTER UPDATE OF inherits ON products WHEN NEW.parent_id IS NOT NULL AND NEW.inherits <> OLD.inherits BEGIN INSERT INTO inheritance_copies (id) VALUES (NEW.id); UPDATE product_files SET inherited = 0 WHERE product_id = NEW.id AND inherited AND NOT instr(NEW.inherits, '"file_ids"'); DELETE FROM product_files WHERE product_id = NEW.id AND instr(NEW.inherits, '"file_ids"') AND NOT instr(OLD.inherits, '"file_ids"'); INSERT INTO product_files (product_id, file_id, inherited) SELECT NEW.id, file_id, 1 FROM product_files WHERE product_id = NEW.parent_id AND instr(NEW.inherits, '"file_ids"') AND NOT instr(OLD.inherits, '"file_ids"'); END;
--> statement-breakpoint
CREATE TRIGGER product_change_is_inherited AFTER UPDATE OF name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, category_id, tag_ids ON products WHEN NEW.options <> '[]' BEGIN INSERT INTO inheritance_copies (id, at) SELECT id, NEW.updated_at FROM products WHERE parent_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER variant_status_follows_product AFTER UPDATE OF own_status, status ON products WHEN NEW.parent_id IS NOT NULL AND NEW.status <> iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', NEW.own_status, 'draft') BEGIN UPDATE products SET status = iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', own_status, 'draft') WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_status_reaches_variants AFTER UPDATE OF status ON products WHEN NEW.options <> '[]' AND NEW.status <> OLD.status BEGIN UPDATE products SET status = iif(NEW.status = 'active', own_status, 'draft') WHERE parent_id = NEW.id AND status <> iif(NEW.status = 'active', own_status, 'draft'); END;
--> statement-breakpoint
CREATE TRIGGER variant_changes_parent AFTER UPDATE OF own_status, price, sold_out, sku, barcode, option_values ON products WHEN NEW.parent_id IS NOT NULL AND (OLD.own_status, OLD.price, OLD.sold_out, OLD.sku, OLD.barcode, OLD.option_values) IS NOT (NEW.own_status, NEW.price, NEW.sold_out, NEW.sku, NEW.barcode, NEW.option_values) BEGIN INSERT INTO variant_recounts (id, prices_only) VALUES (NEW.parent_id, (NEW.sku, NEW.barcode, NEW.option_values, NEW.own_status) IS (OLD.sku, OLD.barcode, OLD.option_values, OLD.own_status)); END;
--> statement-breakpoint
CREATE TRIGGER variant_leaves_parent AFTER DELETE ON products WHEN OLD.parent_id IS NOT NULL BEGIN INSERT INTO variant_recounts (id) VALUES (OLD.parent_id); INSERT INTO variant_changes (parent_id, id, at) VALUES (OLD.parent_id, OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
--> statement-breakpoint
CREATE TRIGGER parent_begins AFTER INSERT ON products WHEN NEW.options <> '[]' BEGIN INSERT INTO variant_recounts (id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER parent_options_change AFTER UPDATE OF options ON products WHEN NEW.options <> OLD.options BEGIN INSERT INTO variant_recounts (id) VALUES (NEW.id); UPDATE products SET highest_variant_price = NULL, sold_out = NOT in_stock, variant_words = '', draft_words = '' WHERE id = NEW.id AND options = '[]'; END;
--> statement-breakpoint
CREATE TRIGGER parent_price_is_computed AFTER UPDATE OF price ON products WHEN NEW.options <> '[]' AND NEW.price <> OLD.price BEGIN INSERT INTO variant_recounts (id, prices_only) VALUES (NEW.id, TRUE); END;
--> statement-breakpoint
CREATE TRIGGER parent_keeps_options BEFORE UPDATE OF options ON products WHEN NEW.options = '[]' AND OLD.variant_count > 0 BEGIN SELECT RAISE(ABORT, 'product_has_variants'); END;
--> statement-breakpoint
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock BEGIN UPDATE products SET sold_out = 1 WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock BEGIN UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER products_search_insert AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets); END;
--> statement-breakpoint
CREATE TRIGGER products_search_delete AFTER DELETE ON products WHEN OLD.parent_id IS NULL BEGIN INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets); END;
--> statement-breakpoint
CREATE TRIGGER product_ends_allocations AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock AND NOT NEW.manage_stock BEGIN DELETE FROM stock_allocations WHERE product_id = NEW.id AND quantity > 0; END;
--> statement-breakpoint
CREATE TRIGGER product_begins_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock AND NOT OLD.manage_stock BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity) SELECT order_items.id, NEW.id, quantity - refunded_quantity - shipped_quantity FROM order_items JOIN orders ON orders.id = order_id WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity + shipped_quantity ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity; END;
--> statement-breakpoint
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN OLD.status = 'active' AND NEW.status <> 'active' BEGIN INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping, option_values) VALUES (OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping, OLD.option_values); END;
--> statement-breakpoint
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF status ON products WHEN OLD.status <> 'active' AND NEW.status = 'active' BEGIN DELETE FROM withdrawn_products WHERE product_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_enters_categories AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO category_products (category_id, status, id, name, price, type, sold_out, highest_variant_price) SELECT list, NEW.status, NEW.id, NEW.name, NEW.price, NEW.type, NEW.sold_out, NEW.highest_variant_price FROM category_lists WHERE category_id = NEW.category_id; END;
--> statement-breakpoint
CREATE TRIGGER product_leaves_categories AFTER DELETE ON products WHEN OLD.parent_id IS NULL BEGIN DELETE FROM category_products WHERE category_id IN (SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER product_changes_in_categories AFTER UPDATE OF status, name, price, type, sold_out, highest_variant_price ON products WHEN NEW.parent_id IS NULL AND NEW.category_id IS OLD.category_id AND (OLD.status, OLD.name, OLD.price, OLD.type, OLD.sold_out, OLD.highest_variant_price) IS NOT (NEW.status, NEW.name, NEW.price, NEW.type, NEW.sold_out, NEW.highest_variant_price) BEGIN UPDATE category_products SET status = NEW.status, name = NEW.name, price = NEW.price, type = NEW.type, sold_out = NEW.sold_out, highest_variant_price = NEW.highest_variant_price WHERE category_id IN (SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = OLD.status AND id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_changes_category AFTER UPDATE OF category_id ON products WHEN NEW.parent_id IS NULL AND NEW.category_id IS NOT OLD.category_id BEGIN DELETE FROM category_products WHERE category_id IN (SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; INSERT INTO category_products (category_id, status, id, name, price, type, sold_out, highest_variant_price) SELECT list, NEW.status, NEW.id, NEW.name, NEW.price, NEW.type, NEW.sold_out, NEW.highest_variant_price FROM category_lists WHERE category_id = NEW.category_id; END;
--> statement-breakpoint
CREATE TRIGGER product_counts_insert AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO product_counts (category_id, status, type, sold_out, items) SELECT list, NEW.status, NEW.type, NEW.sold_out, 1 FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE TRUE ON CONFLICT DO UPDATE SET items = items + 1; INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items) SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1 FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE TRUE ON CONFLICT DO UPDATE SET items = items + 1; END;
--> statement-breakpoint
CREATE TRIGGER product_counts_delete AFTER DELETE ON products WHEN OLD.parent_id IS NULL BEGIN UPDATE product_counts SET items = items - 1 WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out; UPDATE product_price_counts SET items = items - 1 WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type AND sold_out = OLD.sold_out; END;
--> statement-breakpoint
CREATE TRIGGER product_counts_update AFTER UPDATE OF status, type, sold_out, category_id ON products WHEN NEW.parent_id IS NULL AND (OLD.status, OLD.type, OLD.sold_out, OLD.category_id) IS NOT (NEW.status, NEW.type, NEW.sold_out, NEW.category_id) BEGIN UPDATE product_counts SET items = items - 1 WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out; INSERT INTO product_counts (category_id, status, type, sold_out, items) SELECT list, NEW.status, NEW.type, NEW.sold_out, 1 FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE TRUE ON CONFLICT DO UPDATE SET items = items + 1; END;
--> statement-breakpoint
CREATE TRIGGER product_price_counts_update AFTER UPDATE OF status, price, type, sold_out, category_id ON products WHEN NEW.parent_id IS NULL AND (OLD.status, OLD.price_band, OLD.type, OLD.sold_out, OLD.category_id) IS NOT (NEW.status, NEW.price_band, NEW.type, NEW.sold_out, NEW.category_id) BEGIN UPDATE product_price_counts SET items = items - 1 WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type AND sold_out = OLD.sold_out; INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items) SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1 FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE TRUE ON CONFLICT DO UPDATE SET items = items + 1; END;
--> statement-breakpoint
CREATE TRIGGER product_range_counts_update AFTER UPDATE OF status, price, highest_variant_price, type, sold_out, category_id ON products WHEN (OLD.highest_variant_price > OLD.price OR NEW.highest_variant_price > NEW.price) AND (OLD.status, OLD.price_band, OLD.highest_price_band, OLD.highest_variant_price > OLD.price, OLD.type, OLD.sold_out, OLD.category_id) IS NOT (NEW.status, NEW.price_band, NEW.highest_price_band, NEW.highest_variant_price > NEW.price, NEW.type, NEW.sold_out, NEW.category_id) BEGIN INSERT INTO product_range_counts (category_id, status, price_band, type, sold_out, items) SELECT list, OLD.status, band, OLD.type, OLD.sold_out, change FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id), (SELECT OLD.price_band AS band, -1 AS change UNION ALL SELECT OLD.highest_price_band, 1) WHERE OLD.highest_variant_price > OLD.price ON CONFLICT DO UPDATE SET items = items + excluded.items; INSERT INTO product_range_counts (category_id, status, price_band, type, sold_out, items) SELECT list, NEW.status, band, NEW.type, NEW.sold_out, change FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id), (SELECT NEW.price_band AS band, 1 AS change UNION ALL SELECT NEW.highest_price_band, -1) WHERE NEW.highest_variant_price > NEW.price ON CONFLICT DO UPDATE SET items = items + excluded.items; END;
--> statement-breakpoint
CREATE TRIGGER product_range_counts_delete AFTER DELETE ON products WHEN OLD.highest_variant_price > OLD.price BEGIN INSERT INTO product_range_counts (category_id, status, price_band, type, sold_out, items) SELECT list, OLD.status, band, OLD.type, OLD.sold_out, change FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id), (SELECT OLD.price_band AS band, -1 AS change UNION ALL SELECT OLD.highest_price_band, 1) WHERE TRUE ON CONFLICT DO UPDATE SET items = items + excluded.items; END;
--> statement-breakpoint
CREATE TRIGGER products_search_update AFTER UPDATE OF name, sku, brand, barcode, description, folded_words, variant_words, draft_words, status, type, manage_stock, stock_quantity, sold_out, category_id, tag_ids, price, highest_variant_price ON products WHEN NEW.parent_id IS NULL AND (OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets) IS NOT (NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets) BEGIN INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets); INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets); END;
--> statement-breakpoint
CREATE TRIGGER compare_at_price_is_higher BEFORE INSERT ON products WHEN NEW.compare_at_price <= NEW.price BEGIN SELECT RAISE(ABORT, 'compare_at_price_is_higher'); END;
--> statement-breakpoint
CREATE TRIGGER compare_at_price_stays_higher BEFORE UPDATE OF price, compare_at_price ON products WHEN NEW.compare_at_price <= NEW.price BEGIN SELECT RAISE(ABORT, 'compare_at_price_is_higher'); END;
--> statement-breakpoint
CREATE TRIGGER products_id_is_new AFTER INSERT ON products WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'products') BEGIN SELECT RAISE(ABORT, 'id_given_before'); END;
--> statement-breakpoint
CREATE TRIGGER products_no_unlisted_insert BEFORE INSERT ON products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' OR NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."own_status" <> 'active' AND NEW."own_status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER products_no_unlisted_update BEFORE UPDATE OF "type", "status", "tax_class", "own_status" ON products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' OR NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."own_status" <> 'active' AND NEW."own_status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_status_is_published AFTER INSERT ON order_history WHEN NEW.kind IN ('status', 'payment') BEGIN INSERT INTO events (type, subject, created_at, data) SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'user_id', user_id, 'status', NEW."to", 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency) FROM orders JOIN ( SELECT 'order.created' AS type WHERE NEW."from" IS NULL UNION ALL SELECT 'order.paid' WHERE NEW.kind = 'payment' OR NEW."from" IN ('pending', 'expired') AND NEW."to" IN ('processing', 'completed') UNION ALL SELECT 'order.' || NEW."to" WHERE NEW."to" IN ('shipped', 'completed', 'cancelled', 'expired') AND NEW."from" IS NOT NEW."to" ) WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_refund_is_published AFTER INSERT ON order_history WHEN NEW.kind LIKE '%refund%' OR NEW.kind = 'payment_returned' BEGIN INSERT INTO events (type, subject, created_at, data) SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'user_id', user_id, 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'amount', NEW.amount, 'currency', coalesce(NEW.currency, currency), 'refunded_total', refunded_total) FROM orders JOIN ( SELECT 'refund.created' AS type WHERE NEW.kind IN ('refund', 'edit_refund', 'payment_returned') UNION ALL SELECT 'refund.succeeded' WHERE NEW.kind IN ('refund', 'edit_refund', 'refund_sent') UNION ALL SELECT 'refund.failed' WHERE NEW.kind = 'refund_failed' ) WHERE id = NEW.order_id AND NOT (NEW.kind IN ('refund', 'edit_refund') AND type = 'refund.succeeded' AND payment_provider IS NOT NULL AND NEW.amount > 0 AND total - refunded_total + NEW.amount > received_by_hand); END;
--> statement-breakpoint
CREATE TRIGGER order_edit_is_published AFTER INSERT ON order_history WHEN NEW.kind LIKE 'edit%' BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'order.edited', 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'user_id', user_id, 'status', status, 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_history_dates_order AFTER INSERT ON order_history WHEN NEW.kind IN ('payment_returned', 'refund_sent', 'refund_failed') BEGIN UPDATE orders SET updated_at = max(NEW.at, updated_at + 1) WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_delete BEFORE DELETE ON order_history BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_unlisted_insert BEFORE INSERT ON order_history WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'edit' AND NEW."kind" <> 'edit_charge' AND NEW."kind" <> 'edit_refund' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed' OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_unlisted_update BEFORE UPDATE OF "kind", "from", "to" ON order_history WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'edit' AND NEW."kind" <> 'edit_charge' AND NEW."kind" <> 'edit_refund' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed' OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_is_published AFTER INSERT ON shipments BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'shipment.created', 'order:' || id, NEW.shipped_at, json_object('shipment_id', NEW.id, 'order_id', id, 'number', number, 'reference', reference, 'user_id', user_id, 'test', json(iif(payment_method = 'test_card', 'true', 'false'))) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER shipment_no_closed_order BEFORE INSERT ON shipments WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND status = 'processing') BEGIN SELECT RAISE(ABORT, 'shipment_order_closed'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_no_delete BEFORE DELETE ON shipments WHEN NOT EXISTS ( SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE orders.id = OLD.order_id AND erased_at IS NOT NULL ) BEGIN SELECT RAISE(ABORT, 'shipments_stay'); END;
--> statement-breakpoint
CREATE TRIGGER package_grant_is_published AFTER INSERT ON packages BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'package.granted', 'package:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM package_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER package_end_is_published AFTER UPDATE OF revoked_at, downloads_used ON packages WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL OR NEW.downloads_used = NEW.download_limit AND NEW.downloads_used > OLD.downloads_used BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(NEW.downloads_used > OLD.downloads_used, 'package.exhausted', 'package.revoked'), 'package:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM package_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL BEGIN INSERT INTO package_files (package_id, file_id, user_id, standing, expires_at) SELECT NEW.id, file_id, NEW.user_id, standing, package_standings.expires_at FROM order_items JOIN product_files USING (product_id) JOIN package_standings ON package_standings.id = NEW.id WHERE order_items.id = NEW.order_item_id; END;
--> statement-breakpoint
CREATE TRIGGER package_files_follow AFTER UPDATE OF user_id, revoked_at, expires_at, download_limit, downloads_used ON packages WHEN (NEW.user_id, NEW.revoked_at IS NULL, NEW.expires_at, NEW.download_limit IS NULL, coalesce(NEW.downloads_used < NEW.download_limit, 0)) IS NOT (OLD.user_id, OLD.revoked_at IS NULL, OLD.expires_at, OLD.download_limit IS NULL, coalesce(OLD.downloads_used < OLD.download_limit, 0)) BEGIN UPDATE package_files SET (user_id, standing, expires_at) = ( SELECT user_id, standing, expires_at FROM package_standings WHERE id = NEW.id) WHERE package_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER packages_no_delete BEFORE DELETE ON packages BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER file_creation_is_published AFTER INSERT ON files BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'file.created', 'file:' || id, NEW.created_at, data FROM file_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER file_change_is_published AFTER UPDATE OF updated_at ON files WHEN NEW.updated_at <> OLD.updated_at BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'file.updated', 'file:' || id, NEW.updated_at, data FROM file_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER files_search_insert AFTER INSERT ON files BEGIN INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER files_search_delete AFTER DELETE ON files BEGIN INSERT INTO files_search (files_search, rowid, name, file_name, folded_words) VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER files_search_update AFTER UPDATE OF name, file_name, folded_words ON files WHEN (OLD.name, OLD.file_name, OLD.folded_words) IS NOT (NEW.name, NEW.file_name, NEW.folded_words) BEGIN INSERT INTO files_search (files_search, rowid, name, file_name, folded_words) VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words); INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words); END;
--> statement-breakpoint
CREATE TRIGGER files_no_unlisted_insert BEFORE INSERT ON files WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER files_no_unlisted_update BEFORE UPDATE OF "access" ON files WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER alert_is_published AFTER INSERT ON alerts BEGIN INSERT INTO events (type, subject, created_at, data) VALUES ('system.alert_raised', 'alert:' || NEW.id, NEW.created_at, json_object('alert_id', NEW.id, 'kind', NEW.kind, 'about', NEW.about, 'summary', NEW.summary)); END;
--> statement-breakpoint
CREATE TRIGGER alert_resolution_is_published AFTER UPDATE OF resolved_at ON alerts WHEN OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL BEGIN INSERT INTO events (type, subject, created_at, data) VALUES ('system.alert_resolved', 'alert:' || NEW.id, NEW.resolved_at, json_object('alert_id', NEW.id, 'kind', NEW.kind, 'about', NEW.about, 'summary', NEW.summary)); END;
--> statement-breakpoint
CREATE TRIGGER alerts_no_unlisted_insert BEFORE INSERT ON alerts WHEN NEW."kind" <> 'error_rate' AND NEW."kind" <> 'queue_stuck' AND NEW."kind" <> 'duty_failing' AND NEW."kind" <> 'backup_overdue' AND NEW."kind" <> 'endpoint_paused' AND NEW."kind" <> 'database_size' AND NEW."kind" <> 'secret_age' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER alerts_no_unlisted_update BEFORE UPDATE OF "kind" ON alerts WHEN NEW."kind" <> 'error_rate' AND NEW."kind" <> 'queue_stuck' AND NEW."kind" <> 'duty_failing' AND NEW."kind" <> 'backup_overdue' AND NEW."kind" <> 'endpoint_paused' AND NEW."kind" <> 'database_size' AND NEW."kind" <> 'secret_age' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events_are_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER events_keep_the_newest BEFORE DELETE ON events WHEN OLD.id = (SELECT max(id) FROM events) BEGIN SELECT RAISE(ABORT, 'newest_event_stays'); END;
--> statement-breakpoint
CREATE TRIGGER uploads_no_excess_open BEFORE INSERT ON uploads WHEN (SELECT count(*) FROM uploads WHERE completed_at IS NULL) >= 20 BEGIN SELECT RAISE(ABORT, 'too_many_uploads'); END;
--> statement-breakpoint
CREATE TRIGGER product_images_withdrawn AFTER INSERT ON withdrawn_products WHEN NEW.images <> '[]' BEGIN INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.product_id ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER product_images_on_sale AFTER DELETE ON withdrawn_products WHEN OLD.images <> '[]' BEGIN DELETE FROM product_images WHERE product_id = OLD.product_id AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = OLD.product_id); END;
--> statement-breakpoint
CREATE TRIGGER withdrawn_products_no_unlisted_insert BEFORE INSERT ON withdrawn_products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawn_products_no_unlisted_update BEFORE UPDATE OF "type" ON withdrawn_products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_image_no_deleted BEFORE INSERT ON product_images WHEN EXISTS ( SELECT 1 FROM images JOIN orphaned_objects ON r2_key = 'images/' || sha256 WHERE images.id = NEW.image_id AND delete_at <= 0) BEGIN SELECT RAISE(ABORT, 'image_deleted'); END;
--> statement-breakpoint
CREATE TRIGGER product_image_is_shown AFTER INSERT ON product_images BEGIN DELETE FROM orphaned_objects WHERE r2_key = (SELECT 'images/' || sha256 FROM images WHERE id = NEW.image_id); END;
--> statement-breakpoint
CREATE TRIGGER product_image_is_orphaned AFTER DELETE ON product_images WHEN NOT EXISTS (SELECT 1 FROM product_images WHERE image_id = OLD.image_id) BEGIN INSERT INTO orphaned_objects (r2_key, delete_at) SELECT 'images/' || sha256, CAST(unixepoch('subsec') * 1000 AS INTEGER) + 86400000 FROM images WHERE id = OLD.image_id; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_no_unsold_units BEFORE UPDATE OF quantity ON order_items WHEN NEW.quantity > OLD.quantity BEGIN SELECT (CASE WHEN status <> 'active' THEN RAISE(ABORT, 'product_unavailable') WHEN options <> '[]' THEN RAISE(ABORT, 'choose_variant') END) FROM products WHERE id = NEW.product_id; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_moves_stock AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity <> OLD.quantity BEGIN UPDATE stock_allocations SET quantity = min(quantity, NEW.quantity) WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity; INSERT INTO stock_allocations (order_item_id, product_id, quantity, unpaid_by) SELECT NEW.id, NEW.product_id, NEW.quantity - OLD.quantity, (CASE WHEN orders.expires_at IS NULL THEN NULL WHEN user_id IS NOT NULL THEN 'user:' || user_id WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email ELSE 'api_key:' || api_key_id END) FROM orders JOIN products ON products.id = NEW.product_id AND manage_stock WHERE orders.id = NEW.order_id AND NEW.quantity > OLD.quantity AND NOT orders.sandbox ON CONFLICT (order_item_id) DO UPDATE SET quantity = quantity + excluded.quantity; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_changes_packages AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity <> OLD.quantity BEGIN SELECT RAISE(ABORT, 'downloads_used') FROM packages WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity AND downloads_used > 0; UPDATE packages SET units = NEW.quantity, download_limit = iif(NEW.quantity > 0, download_limit * NEW.quantity / OLD.quantity, download_limit), revoked_at = iif(NEW.quantity > 0, revoked_at, coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))) WHERE order_item_id = NEW.id AND OLD.quantity > 0; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_no_excess_packages AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity > OLD.quantity AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) AND 100 < ( SELECT sum(quantity) FROM order_items WHERE order_id = NEW.order_id AND product_id IN (SELECT product_id FROM product_files) ) BEGIN SELECT RAISE(ABORT, 'too_many_packages'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_excess_packages AFTER INSERT ON order_items WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) AND 100 < ( SELECT sum(quantity) FROM order_items WHERE order_id = NEW.order_id AND product_id IN (SELECT product_id FROM product_files) ) BEGIN SELECT RAISE(ABORT, 'too_many_packages'); END;
--> statement-breakpoint
CREATE TRIGGER refund_revokes_packages AFTER UPDATE OF refunded_quantity ON order_items WHEN NEW.refunded_quantity > OLD.refunded_quantity BEGIN UPDATE packages SET units = NEW.quantity - NEW.refunded_quantity, download_limit = iif(NEW.refunded_quantity < NEW.quantity, max(downloads_used, download_limit * (NEW.quantity - NEW.refunded_quantity) / units), download_limit), revoked_at = iif(NEW.refunded_quantity < NEW.quantity, revoked_at, coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))) WHERE order_item_id = NEW.id AND units > NEW.quantity - NEW.refunded_quantity; END;
--> statement-breakpoint
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by) SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity), iif(orders.status = 'completed', NEW.quantity, 0), (CASE WHEN orders.expires_at IS NULL THEN NULL WHEN user_id IS NOT NULL THEN 'user:' || user_id WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email ELSE 'api_key:' || api_key_id END) FROM orders LEFT JOIN products ON products.id = NEW.product_id WHERE orders.id = NEW.order_id AND (CASE WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable') WHEN products.options <> '[]' THEN RAISE(ABORT, 'choose_variant') WHEN products.price <> coalesce(NEW.list_price, NEW.unit_price) THEN RAISE(ABORT, 'price_changed') WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required') WHEN orders.user_id IS NULL AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) THEN RAISE(ABORT, 'files_need_an_account') ELSE manage_stock AND NOT sandbox END); END;
--> statement-breakpoint
CREATE TRIGGER order_is_charged AFTER INSERT ON order_items WHEN NOT EXISTS (SELECT 1 FROM transactions WHERE order_id = NEW.order_id AND kind = 'charge') BEGIN INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at) SELECT user_id, api_key_id, id, 'charge', payment_method, -total, CASE payment_method WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE users.id = orders.user_id) - total END, note, paid_at FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL AND total > 0; END;
--> statement-breakpoint
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) BEGIN INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at) SELECT user_id, orders.id, NEW.id, NEW.quantity, iif(NEW.option_values = '[]', NEW.name, substr(NEW.name || ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(NEW.option_values)) || ')', 1, 200)), download_limit * NEW.quantity, orders.updated_at, orders.updated_at + download_days * 86400000 FROM orders JOIN products ON products.id = NEW.product_id WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER refunded_units_recorded AFTER UPDATE OF refunded_quantity ON order_items WHEN NEW.refunded_quantity > OLD.refunded_quantity BEGIN INSERT INTO refund_lines (order_item_id, refunded_before, refunded, created_at) VALUES (NEW.id, OLD.refunded_quantity, NEW.refunded_quantity, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_delete BEFORE DELETE ON order_items BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_unlisted_insert BEFORE INSERT ON order_items WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_unlisted_update BEFORE UPDATE OF "type", "tax_class" ON order_items WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER refund_lines_no_delete BEFORE DELETE ON refund_lines BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER download_no_ended_package BEFORE INSERT ON downloads WHEN NOT EXISTS ( SELECT 1 FROM packages WHERE id = NEW.package_id AND revoked_at IS NULL AND starts_at <= NEW.created_at AND (expires_at IS NULL OR expires_at > NEW.created_at) ) BEGIN SELECT RAISE(ABORT, 'package_ended'); END;
--> statement-breakpoint
CREATE TRIGGER download_uses_package AFTER INSERT ON downloads BEGIN UPDATE packages SET downloads_used = downloads_used + 1 WHERE id = NEW.package_id; END;
--> statement-breakpoint
CREATE TRIGGER package_file_stands AFTER INSERT ON package_files WHEN NEW.standing IS NULL BEGIN UPDATE package_files SET (user_id, standing, expires_at) = ( SELECT user_id, standing, expires_at FROM package_standings WHERE id = NEW.package_id) WHERE package_id = NEW.package_id AND file_id = NEW.file_id; END;
--> statement-breakpoint
CREATE TRIGGER shop_change_versions_pricing AFTER UPDATE OF home_country, home_region, prices_include_tax ON shop WHEN (OLD.home_country, OLD.home_region, OLD.prices_include_tax) IS NOT (NEW.home_country, NEW.home_region, NEW.prices_include_tax) BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shop_creation_versions_pricing AFTER INSERT ON shop BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shop_time_zone_restarts_sales AFTER UPDATE OF time_zone ON shop WHEN OLD.time_zone <> NEW.time_zone BEGIN DELETE FROM sales; DELETE FROM sales_progress; DELETE FROM failed_items WHERE queue = 'add_up_sales'; END;
--> statement-breakpoint
CREATE TRIGGER shop_creation_restarts_sales AFTER INSERT ON shop WHEN NEW.time_zone <> 'UTC' BEGIN DELETE FROM sales; DELETE FROM sales_progress; DELETE FROM failed_items WHERE queue = 'add_up_sales'; END;
--> statement-breakpoint
CREATE TRIGGER shop_no_unlisted_insert BEFORE INSERT ON shop WHEN NEW."agent_access" <> 'off' AND NEW."agent_access" <> 'listed' AND NEW."agent_access" <> 'signed' AND NEW."agent_access" <> 'open' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER shop_no_unlisted_update BEFORE UPDATE OF "agent_access" ON shop WHEN NEW."agent_access" <> 'off' AND NEW."agent_access" <> 'listed' AND NEW."agent_access" <> 'signed' AND NEW."agent_access" <> 'open' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER payment_settings_change_versions_pricing AFTER UPDATE ON payment_settings BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER payment_settings_creation_versions_pricing AFTER INSERT ON payment_settings BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_zone_creation_versions_pricing AFTER INSERT ON shipping_zones BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_zone_change_versions_pricing AFTER UPDATE ON shipping_zones BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_zone_deletion_versions_pricing AFTER DELETE ON shipping_zones BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_zone_has_places AFTER INSERT ON shipping_zones BEGIN INSERT INTO shipping_zone_places (country, region, zone_id) SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places); END;
--> statement-breakpoint
CREATE TRIGGER shipping_zone_changes_places AFTER UPDATE OF places ON shipping_zones BEGIN DELETE FROM shipping_zone_places WHERE zone_id = NEW.id; INSERT INTO shipping_zone_places (country, region, zone_id) SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places); END;
--> statement-breakpoint
CREATE TRIGGER shipping_method_creation_versions_pricing AFTER INSERT ON shipping_methods BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_method_change_versions_pricing AFTER UPDATE ON shipping_methods BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_method_deletion_versions_pricing AFTER DELETE ON shipping_methods BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shipping_methods_no_unlisted_insert BEFORE INSERT ON shipping_methods WHEN NEW."kind" <> 'flat_rate' AND NEW."kind" <> 'weight' AND NEW."kind" <> 'pickup' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER shipping_methods_no_unlisted_update BEFORE UPDATE OF "kind" ON shipping_methods WHEN NEW."kind" <> 'flat_rate' AND NEW."kind" <> 'weight' AND NEW."kind" <> 'pickup' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER tax_rate_creation_versions_pricing AFTER INSERT ON tax_rates BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER tax_rate_change_versions_pricing AFTER UPDATE ON tax_rates BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER tax_rate_deletion_versions_pricing AFTER DELETE ON tax_rates BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER tax_rates_no_unlisted_insert BEFORE INSERT ON tax_rates WHEN NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER tax_rates_no_unlisted_update BEFORE UPDATE OF "tax_class" ON tax_rates WHEN NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER variant_prices_are_recounted INSTEAD OF INSERT ON variant_recounts WHEN (SELECT variant_count FROM products WHERE id = NEW.id) >= 0 BEGIN UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out FROM variant_prices AS counted WHERE products.id = NEW.id AND counted.id = NEW.id AND (products.price, products.highest_variant_price, products.sold_out) IS NOT (counted.price, counted.highest_variant_price, counted.sold_out); END;
--> statement-breakpoint
CREATE TRIGGER variant_texts_are_recounted INSTEAD OF INSERT ON variant_recounts WHEN NEW.prices_only IS NOT TRUE AND (SELECT variant_count FROM products WHERE id = NEW.id) >= 0 BEGIN UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words FROM (SELECT * FROM variant_texts WHERE id = NEW.id LIMIT 1) AS counted WHERE products.id = NEW.id AND (products.variant_count, products.variant_words, products.draft_words) IS NOT (counted.variant_count, counted.variant_words, counted.draft_words); SELECT RAISE(ABORT, 'too_many_variants') FROM products WHERE id = NEW.id AND variant_count > 1000; END;
--> statement-breakpoint
CREATE TRIGGER inheritance_is_copied INSTEAD OF INSERT ON inheritance_copies BEGIN UPDATE products SET (name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days) = (SELECT name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days FROM inherited_values WHERE id = NEW.id), updated_at = ifnull(max(updated_at + 1, NEW.at), updated_at), related_updated_at = ifnull(max(updated_at + 1, NEW.at), related_updated_at) WHERE id = NEW.id AND (name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days) IS NOT (SELECT name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days FROM inherited_values WHERE id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER category_is_copied INSTEAD OF INSERT ON inheritance_copies BEGIN UPDATE products SET category_id = parent.category_id, tags = parent.tags, tag_ids = parent.tag_ids FROM products AS parent WHERE products.id = NEW.id AND parent.id = products.parent_id AND (products.category_id, products.tag_ids) IS NOT (parent.category_id, parent.tag_ids); END;
--> statement-breakpoint
CREATE TRIGGER inherited_files_change INSTEAD OF INSERT ON inherited_file_changes BEGIN UPDATE products SET updated_at = max(products.updated_at + 1, parent.updated_at), related_updated_at = max(products.updated_at + 1, parent.updated_at) FROM products AS parent WHERE parent.id = NEW.parent_id AND products.parent_id = NEW.parent_id AND instr(products.inherits, '"file_ids"'); END;
--> statement-breakpoint
CREATE TRIGGER variant_owns_files INSTEAD OF INSERT ON variant_file_owners BEGIN UPDATE products SET inherits = (SELECT json_group_array(value) FROM json_each(inherits) WHERE value <> 'file_ids') WHERE id = NEW.id AND instr(inherits, '"file_ids"'); END;
--> statement-breakpoint
CREATE TRIGGER variant_change_is_published INSTEAD OF INSERT ON variant_changes WHEN (SELECT variant_count FROM products WHERE id = NEW.parent_id) >= 0 BEGIN UPDATE products SET updated_at = max(updated_at + 1, NEW.at), related_updated_at = max(updated_at + 1, NEW.at) WHERE id = NEW.parent_id; INSERT INTO events (type, subject, created_at, data) SELECT 'product.updated', 'product:' || id, NEW.at, json_set(data, '$.variant_id', NEW.id) FROM product_event_data WHERE id = NEW.parent_id; END;
--> statement-breakpoint
CREATE TRIGGER variant_has_own_file AFTER INSERT ON product_files WHEN NOT NEW.inherited BEGIN INSERT INTO variant_file_owners (id) VALUES (NEW.product_id); END;
--> statement-breakpoint
CREATE TRIGGER variant_keeps_file AFTER UPDATE OF inherited ON product_files WHEN OLD.inherited AND NOT NEW.inherited BEGIN INSERT INTO variant_file_owners (id) VALUES (NEW.product_id); END;
--> statement-breakpoint
CREATE TRIGGER product_file_is_inherited AFTER INSERT ON product_files BEGIN INSERT INTO product_files (product_id, file_id, inherited) SELECT id, NEW.file_id, 1 FROM products WHERE parent_id = NEW.product_id AND instr(inherits, '"file_ids"') ON CONFLICT DO NOTHING; INSERT INTO inherited_file_changes (parent_id) VALUES (NEW.product_id); END;
--> statement-breakpoint
CREATE TRIGGER product_file_leaves_variants AFTER DELETE ON product_files BEGIN DELETE FROM product_files WHERE file_id = OLD.file_id AND inherited AND product_id IN (SELECT id FROM products WHERE parent_id = OLD.product_id); INSERT INTO inherited_file_changes (parent_id) VALUES (OLD.product_id); END;
--> statement-breakpoint
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts BEGIN UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock; UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out FROM variant_prices AS counted WHERE products.id = counted.id; UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words FROM variant_texts AS counted WHERE products.id = counted.id; DELETE FROM category_products; INSERT INTO category_products (category_id, status, id, name, price, type, sold_out, highest_variant_price) SELECT list, status, id, name, price, type, sold_out, highest_variant_price FROM products CROSS JOIN category_lists USING (category_id) WHERE parent_id IS NULL ORDER BY list, status, id; DELETE FROM product_counts; INSERT INTO product_counts (category_id, status, type, sold_out, items) SELECT list, status, type, sold_out, sum(items) FROM ( SELECT category_id, status, type, sold_out, count(*) AS items FROM products WHERE parent_id IS NULL GROUP BY category_id, status, type, sold_out ) AS own JOIN (SELECT NULL AS category_id, 0 AS list UNION ALL SELECT id, 0 FROM categories UNION ALL SELECT * FROM category_lists) AS lists ON lists.category_id IS own.category_id GROUP BY list, status, type, sold_out; DELETE FROM product_price_counts; INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items) SELECT list, status, price_band, type, sold_out, sum(items) FROM ( SELECT category_id, status, price_band, type, sold_out, count(*) AS items FROM products WHERE parent_id IS NULL GROUP BY category_id, status, price_band, type, sold_out ) AS own JOIN (SELECT NULL AS category_id, 0 AS list UNION ALL SELECT id, 0 FROM categories UNION ALL SELECT * FROM category_lists) AS lists ON lists.category_id IS own.category_id GROUP BY list, status, price_band, type, sold_out; DELETE FROM product_range_counts; INSERT INTO product_range_counts (category_id, status, price_band, type, sold_out, items) SELECT list, status, band, type, sold_out, sum(change) FROM ( SELECT category_id, status, price_band AS band, type, sold_out, 1 AS change FROM products WHERE highest_variant_price > price UNION ALL SELECT category_id, status, highest_price_band, type, sold_out, -1 FROM products WHERE highest_variant_price > price ) AS own JOIN (SELECT NULL AS category_id, 0 AS list UNION ALL SELECT id, 0 FROM categories UNION ALL SELECT * FROM category_lists) AS lists ON lists.category_id IS own.category_id GROUP BY list, status, band, type, sold_out; END;
--> statement-breakpoint
CREATE TRIGGER saved_views_are_few BEFORE INSERT ON saved_views WHEN (SELECT count(*) FROM saved_views WHERE user_id = NEW.user_id AND list = NEW.list) >= 20 BEGIN SELECT RAISE(ABORT, 'too_many_saved_views'); END;
--> statement-breakpoint
CREATE TRIGGER saved_views_no_unlisted_insert BEFORE INSERT ON saved_views WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER saved_views_no_unlisted_update BEFORE UPDATE OF "list" ON saved_views WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_line_no_excess BEFORE INSERT ON shipment_lines WHEN NOT EXISTS ( SELECT 1 FROM order_items JOIN shipments ON shipments.order_id = order_items.order_id WHERE order_items.id = NEW.order_item_id AND shipments.id = NEW.shipment_id AND requires_shipping AND shipped_quantity + NEW.quantity <= quantity - refunded_quantity ) BEGIN SELECT RAISE(ABORT, 'shipment_exceeds_order'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_line_is_sent AFTER INSERT ON shipment_lines BEGIN UPDATE order_items SET shipped_quantity = shipped_quantity + NEW.quantity WHERE id = NEW.order_item_id; UPDATE stock_allocations SET quantity = quantity - min(quantity, NEW.quantity), sent = sent + min(quantity, NEW.quantity) WHERE order_item_id = NEW.order_item_id; END;
--> statement-breakpoint
CREATE TRIGGER shipment_lines_no_update BEFORE UPDATE ON shipment_lines BEGIN SELECT RAISE(ABORT, 'shipment_lines_are_final'); END;
--> statement-breakpoint
CREATE TRIGGER session_start_is_seen AFTER INSERT ON sessions BEGIN UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer'; END;
--> statement-breakpoint
CREATE TRIGGER session_use_is_seen AFTER UPDATE OF last_used_at ON sessions BEGIN UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer'; END;
--> statement-breakpoint
CREATE TRIGGER session_no_skipped_factor BEFORE INSERT ON sessions WHEN NEW.two_factor = 0 AND EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = NEW.user_id AND confirmed_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'two_factor_required'); END;
--> statement-breakpoint
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending BEGIN SELECT RAISE(ABORT, 'staff_spending_limit') WHERE NEW.amount + ( SELECT coalesce(sum(amount), 0) FROM staff_spending WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000 ) > NEW.day_limit; END;
--> statement-breakpoint
CREATE TRIGGER staff_spending_is_authenticated BEFORE INSERT ON staff_spending WHEN NEW.session_limit IS NOT NULL AND NEW.amount > 0 BEGIN SELECT RAISE(ABORT, 'session_needs_reauthentication') WHERE NEW.amount + ( SELECT coalesce(sum(amount), 0) FROM staff_spending WHERE session_id = NEW.session_id AND created_at >= NEW.authenticated_at ) > NEW.session_limit; END;
--> statement-breakpoint
CREATE TRIGGER adjustment_no_unmanaged_stock BEFORE INSERT ON stock_adjustments WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = NEW.product_id AND manage_stock) BEGIN SELECT RAISE(ABORT, 'stock_not_managed'); END;
--> statement-breakpoint
CREATE TRIGGER adjustment_changes_stock AFTER INSERT ON stock_adjustments BEGIN UPDATE products SET stock_quantity = stock_quantity + NEW.delta WHERE id = NEW.product_id; END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_no_update BEFORE UPDATE ON stock_adjustments BEGIN SELECT RAISE(ABORT, 'stock_adjustments_are_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, sent, written_off ON stock_allocations WHEN OLD.quantity + OLD.sent + OLD.written_off <> NEW.quantity + NEW.sent + NEW.written_off BEGIN UPDATE products SET stock_quantity = stock_quantity + OLD.quantity + OLD.sent + OLD.written_off - NEW.quantity - NEW.sent - NEW.written_off WHERE id = NEW.product_id AND manage_stock; END;
--> statement-breakpoint
CREATE TRIGGER unpaid_order_no_excess_stock BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by IS NOT NULL BEGIN SELECT RAISE(ABORT, 'too_much_unpaid') FROM unpaid_limits, products, ( SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations WHERE product_id = NEW.product_id AND unpaid_by = NEW.unpaid_by ) WHERE products.id = NEW.product_id AND held + NEW.quantity > max(units_held, (stock_quantity + held) * percent_held / 100) * iif(NEW.unpaid_by LIKE 'api_key:%', 10, 1); END;
--> statement-breakpoint
CREATE TRIGGER unpaid_order_no_excess_unverified BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by LIKE 'user:%' BEGIN SELECT RAISE(ABORT, 'too_much_unverified') FROM users, unpaid_limits WHERE users.id = CAST(substr(NEW.unpaid_by, 6) AS INTEGER) AND email_verified_at IS NULL AND NEW.quantity + ( SELECT coalesce(sum(stock_allocations.quantity), 0) FROM orders JOIN order_items ON order_items.order_id = orders.id JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id WHERE orders.user_id = users.id AND orders.status IN ('pending', 'processing') AND stock_allocations.unpaid_by IS NOT NULL ) > units_unverified; END;
--> statement-breakpoint
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations BEGIN UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock; END;
--> statement-breakpoint
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions WHEN NEW.note IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND erased_at IS NOT NULL) OR (NEW.id, NEW.user_id, NEW.api_key_id, NEW.order_id, NEW.kind, NEW.method, NEW.amount, NEW.currency, NEW.balance_after, NEW.created_at) IS NOT (OLD.id, OLD.user_id, OLD.api_key_id, OLD.order_id, OLD.kind, OLD.method, OLD.amount, OLD.currency, OLD.balance_after, OLD.created_at) BEGIN SELECT RAISE(ABORT, 'ledger_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions BEGIN SELECT RAISE(ABORT, 'ledger_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER refund_no_more_than_paid BEFORE INSERT ON transactions WHEN NEW.kind = 'refund' AND NEW.order_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'refund_exceeds_payment') WHERE NEW.amount + (SELECT coalesce(sum(amount), 0) FROM transactions WHERE order_id = NEW.order_id) > 0; END;
--> statement-breakpoint
CREATE TRIGGER transaction_moves_wallet AFTER INSERT ON transactions WHEN NEW.method = 'wallet' BEGIN SELECT RAISE(ABORT, 'wallet_ledger_mismatch') WHERE NEW.user_id IS NULL; UPDATE users SET wallet_balance = wallet_balance + iif( NEW.amount < 0 AND wallet_locked_until > NEW.created_at, RAISE(ABORT, 'wallet_locked'), NEW.amount) WHERE id = NEW.user_id; END;
--> statement-breakpoint
CREATE TRIGGER transactions_no_unlisted_insert BEFORE INSERT ON transactions WHEN NEW."kind" <> 'charge' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'credit' AND NEW."kind" <> 'adjustment' OR NEW."method" <> 'wallet' AND NEW."method" <> 'credit_card' AND NEW."method" <> 'paypal' AND NEW."method" <> 'test_card' AND NEW."method" <> 'bank_transfer' AND NEW."method" <> 'invoice' AND NEW."method" <> 'cash' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER transactions_no_unlisted_update BEFORE UPDATE OF "kind", "method" ON transactions WHEN NEW."kind" <> 'charge' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'credit' AND NEW."kind" <> 'adjustment' OR NEW."method" <> 'wallet' AND NEW."method" <> 'credit_card' AND NEW."method" <> 'paypal' AND NEW."method" <> 'test_card' AND NEW."method" <> 'bank_transfer' AND NEW."method" <> 'invoice' AND NEW."method" <> 'cash' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER totp_no_second_use BEFORE UPDATE OF last_step ON totp_secrets WHEN NEW.last_step <= OLD.last_step BEGIN SELECT RAISE(ABORT, 'code_used'); END;
--> statement-breakpoint
CREATE TRIGGER totp_no_unverified_address BEFORE UPDATE OF confirmed_at ON totp_secrets WHEN OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND email_verified_at IS NULL) BEGIN SELECT RAISE(ABORT, 'email_not_verified'); END;
--> statement-breakpoint
CREATE TRIGGER recovery_code_no_second_use BEFORE UPDATE OF used_at ON recovery_codes WHEN OLD.used_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'code_used'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_are_few BEFORE INSERT ON webhook_endpoints WHEN (SELECT count(*) FROM webhook_endpoints) >= 50 BEGIN SELECT RAISE(ABORT, 'too_many_webhooks'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_no_unlisted_insert BEFORE INSERT ON webhook_endpoints WHEN NEW."pause_reason" <> 'failing' AND NEW."pause_reason" <> 'gone' OR NEW."account_scope" <> 'everybody' AND NEW."account_scope" <> 'customers' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_no_unlisted_update BEFORE UPDATE OF "pause_reason", "account_scope" ON webhook_endpoints WHEN NEW."pause_reason" <> 'failing' AND NEW."pause_reason" <> 'gone' OR NEW."account_scope" <> 'everybody' AND NEW."account_scope" <> 'customers' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER category_products_no_unlisted_insert BEFORE INSERT ON category_products WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER category_products_no_unlisted_update BEFORE UPDATE OF "status", "type" ON category_products WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER checkout_sessions_no_unlisted_insert BEFORE INSERT ON checkout_sessions WHEN NEW."kind" <> 'cart' AND NEW."kind" <> 'checkout' OR NEW."status" <> 'open' AND NEW."status" <> 'canceled' AND NEW."status" <> 'placed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER checkout_sessions_no_unlisted_update BEFORE UPDATE OF "kind", "status" ON checkout_sessions WHEN NEW."kind" <> 'cart' AND NEW."kind" <> 'checkout' OR NEW."status" <> 'open' AND NEW."status" <> 'canceled' AND NEW."status" <> 'placed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER draft_orders_no_unlisted_insert BEFORE INSERT ON draft_orders WHEN NEW."status" <> 'open' AND NEW."status" <> 'sent' AND NEW."status" <> 'placed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER draft_orders_no_unlisted_update BEFORE UPDATE OF "status" ON draft_orders WHEN NEW."status" <> 'open' AND NEW."status" <> 'sent' AND NEW."status" <> 'placed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER emails_no_unlisted_insert BEFORE INSERT ON emails WHEN NEW."state" <> 'waiting' AND NEW."state" <> 'sending' AND NEW."state" <> 'sent' AND NEW."state" <> 'failed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER emails_no_unlisted_update BEFORE UPDATE OF "state" ON emails WHEN NEW."state" <> 'waiting' AND NEW."state" <> 'sending' AND NEW."state" <> 'sent' AND NEW."state" <> 'failed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER feeds_no_unlisted_insert BEFORE INSERT ON feeds WHEN NEW."format" <> 'google' AND NEW."format" <> 'openai' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER feeds_no_unlisted_update BEFORE UPDATE OF "format" ON feeds WHEN NEW."format" <> 'google' AND NEW."format" <> 'openai' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER images_no_unlisted_insert BEFORE INSERT ON images WHEN NEW."mime_type" <> 'image/png' AND NEW."mime_type" <> 'image/jpeg' AND NEW."mime_type" <> 'image/webp' AND NEW."mime_type" <> 'image/avif' AND NEW."mime_type" <> 'image/gif' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER images_no_unlisted_update BEFORE UPDATE OF "mime_type" ON images WHEN NEW."mime_type" <> 'image/png' AND NEW."mime_type" <> 'image/jpeg' AND NEW."mime_type" <> 'image/webp' AND NEW."mime_type" <> 'image/avif' AND NEW."mime_type" <> 'image/gif' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER imports_no_unlisted_insert BEFORE INSERT ON imports WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers' OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify' OR NEW."encoding" <> 'utf-8' AND NEW."encoding" <> 'utf-16le' AND NEW."encoding" <> 'utf-16be' AND NEW."encoding" <> 'windows-1252' AND NEW."encoding" <> 'windows-1250' AND NEW."encoding" <> 'windows-1251' AND NEW."encoding" <> 'windows-1253' AND NEW."encoding" <> 'windows-1254' AND NEW."encoding" <> 'windows-1255' AND NEW."encoding" <> 'windows-1256' AND NEW."encoding" <> 'windows-1257' AND NEW."encoding" <> 'macintosh' AND NEW."encoding" <> 'koi8-r' AND NEW."encoding" <> 'ibm866' AND NEW."encoding" <> 'shift_jis' AND NEW."encoding" <> 'euc-jp' AND NEW."encoding" <> 'gb18030' AND NEW."encoding" <> 'big5' AND NEW."encoding" <> 'euc-kr' OR NEW."chosen_encoding" <> 'utf-8' AND NEW."chosen_encoding" <> 'utf-16le' AND NEW."chosen_encoding" <> 'utf-16be' AND NEW."chosen_encoding" <> 'windows-1252' AND NEW."chosen_encoding" <> 'windows-1250' AND NEW."chosen_encoding" <> 'windows-1251' AND NEW."chosen_encoding" <> 'windows-1253' AND NEW."chosen_encoding" <> 'windows-1254' AND NEW."chosen_encoding" <> 'windows-1255' AND NEW."chosen_encoding" <> 'windows-1256' AND NEW."chosen_encoding" <> 'windows-1257' AND NEW."chosen_encoding" <> 'macintosh' AND NEW."chosen_encoding" <> 'koi8-r' AND NEW."chosen_encoding" <> 'ibm866' AND NEW."chosen_encoding" <> 'shift_jis' AND NEW."chosen_encoding" <> 'euc-jp' AND NEW."chosen_encoding" <> 'gb18030' AND NEW."chosen_encoding" <> 'big5' AND NEW."chosen_encoding" <> 'euc-kr' OR NEW."decimal_separator" <> '.' AND NEW."decimal_separator" <> ',' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER imports_no_unlisted_update BEFORE UPDATE OF "resource", "format", "encoding", "chosen_encoding", "decimal_separator" ON imports WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers' OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify' OR NEW."encoding" <> 'utf-8' AND NEW."encoding" <> 'utf-16le' AND NEW."encoding" <> 'utf-16be' AND NEW."encoding" <> 'windows-1252' AND NEW."encoding" <> 'windows-1250' AND NEW."encoding" <> 'windows-1251' AND NEW."encoding" <> 'windows-1253' AND NEW."encoding" <> 'windows-1254' AND NEW."encoding" <> 'windows-1255' AND NEW."encoding" <> 'windows-1256' AND NEW."encoding" <> 'windows-1257' AND NEW."encoding" <> 'macintosh' AND NEW."encoding" <> 'koi8-r' AND NEW."encoding" <> 'ibm866' AND NEW."encoding" <> 'shift_jis' AND NEW."encoding" <> 'euc-jp' AND NEW."encoding" <> 'gb18030' AND NEW."encoding" <> 'big5' AND NEW."encoding" <> 'euc-kr' OR NEW."chosen_encoding" <> 'utf-8' AND NEW."chosen_encoding" <> 'utf-16le' AND NEW."chosen_encoding" <> 'utf-16be' AND NEW."chosen_encoding" <> 'windows-1252' AND NEW."chosen_encoding" <> 'windows-1250' AND NEW."chosen_encoding" <> 'windows-1251' AND NEW."chosen_encoding" <> 'windows-1253' AND NEW."chosen_encoding" <> 'windows-1254' AND NEW."chosen_encoding" <> 'windows-1255' AND NEW."chosen_encoding" <> 'windows-1256' AND NEW."chosen_encoding" <> 'windows-1257' AND NEW."chosen_encoding" <> 'macintosh' AND NEW."chosen_encoding" <> 'koi8-r' AND NEW."chosen_encoding" <> 'ibm866' AND NEW."chosen_encoding" <> 'shift_jis' AND NEW."chosen_encoding" <> 'euc-jp' AND NEW."chosen_encoding" <> 'gb18030' AND NEW."chosen_encoding" <> 'big5' AND NEW."chosen_encoding" <> 'euc-kr' OR NEW."decimal_separator" <> '.' AND NEW."decimal_separator" <> ',' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER jobs_no_unlisted_insert BEFORE INSERT ON jobs WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers' AND NEW."kind" <> 'change_products' AND NEW."kind" <> 'change_customers' AND NEW."kind" <> 'adjust_stock' AND NEW."kind" <> 'change_orders' AND NEW."kind" <> 'back_up' OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER jobs_no_unlisted_update BEFORE UPDATE OF "kind", "state" ON jobs WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers' AND NEW."kind" <> 'change_products' AND NEW."kind" <> 'change_customers' AND NEW."kind" <> 'adjust_stock' AND NEW."kind" <> 'change_orders' AND NEW."kind" <> 'back_up' OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER link_tokens_no_unlisted_insert BEFORE INSERT ON link_tokens WHEN NEW."purpose" <> 'reset_password' AND NEW."purpose" <> 'verify_email' AND NEW."purpose" <> 'change_email' AND NEW."purpose" <> 'revert_email' AND NEW."purpose" <> 'approve_email' AND NEW."purpose" <> 'invite_customer' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER link_tokens_no_unlisted_update BEFORE UPDATE OF "purpose" ON link_tokens WHEN NEW."purpose" <> 'reset_password' AND NEW."purpose" <> 'verify_email' AND NEW."purpose" <> 'change_email' AND NEW."purpose" <> 'revert_email' AND NEW."purpose" <> 'approve_email' AND NEW."purpose" <> 'invite_customer' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_moves_no_unlisted_insert BEFORE INSERT ON order_moves WHEN NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_moves_no_unlisted_update BEFORE UPDATE OF "from", "to" ON order_moves WHEN NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER payments_to_close_no_unlisted_insert BEFORE INSERT ON payments_to_close WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal' AND NEW."provider" <> 'test' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER payments_to_close_no_unlisted_update BEFORE UPDATE OF "provider" ON payments_to_close WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal' AND NEW."provider" <> 'test' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_counts_no_unlisted_insert BEFORE INSERT ON product_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_counts_no_unlisted_update BEFORE UPDATE OF "status", "type" ON product_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_price_counts_no_unlisted_insert BEFORE INSERT ON product_price_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_price_counts_no_unlisted_update BEFORE UPDATE OF "status", "type" ON product_price_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_range_counts_no_unlisted_insert BEFORE INSERT ON product_range_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_range_counts_no_unlisted_update BEFORE UPDATE OF "status", "type" ON product_range_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER request_counts_no_unlisted_insert BEFORE INSERT ON request_counts WHEN NEW."period" <> 'minute' AND NEW."period" <> 'day' AND NEW."period" <> 'total' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER request_counts_no_unlisted_update BEFORE UPDATE OF "period" ON request_counts WHEN NEW."period" <> 'minute' AND NEW."period" <> 'day' AND NEW."period" <> 'total' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER sales_no_unlisted_insert BEFORE INSERT ON sales WHEN NEW."dimension" <> 'shop' AND NEW."dimension" <> 'product' AND NEW."dimension" <> 'category' AND NEW."dimension" <> 'country' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER sales_no_unlisted_update BEFORE UPDATE OF "dimension" ON sales WHEN NEW."dimension" <> 'shop' AND NEW."dimension" <> 'product' AND NEW."dimension" <> 'category' AND NEW."dimension" <> 'country' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER staff_invitations_no_unlisted_insert BEFORE INSERT ON staff_invitations WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER staff_invitations_no_unlisted_update BEFORE UPDATE OF "role" ON staff_invitations WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER test_payments_no_unlisted_insert BEFORE INSERT ON test_payments WHEN NEW."state" <> 'open' AND NEW."state" <> 'paid' AND NEW."state" <> 'closed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER test_payments_no_unlisted_update BEFORE UPDATE OF "state" ON test_payments WHEN NEW."state" <> 'open' AND NEW."state" <> 'paid' AND NEW."state" <> 'closed' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
INSERT INTO files_search (files_search) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO orders_search (orders_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words)
SELECT min(id), customer_name, customer_email, folded_words FROM orders
WHERE customer_email IS NOT NULL OR customer_name IS NOT NULL
GROUP BY customer_email, customer_name;
--> statement-breakpoint
INSERT INTO products_search (products_search) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO users_search (users_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO users_search (users_search) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO order_moves ("from", "to") VALUES
  ('pending', 'processing'), ('pending', 'completed'), ('pending', 'cancelled'), ('pending', 'expired'),
  ('processing', 'shipped'), ('processing', 'completed'), ('processing', 'cancelled'), ('processing', 'refunded'),
  ('shipped', 'completed'), ('shipped', 'cancelled'), ('shipped', 'refunded'),
  ('completed', 'cancelled'), ('completed', 'refunded'),
  ('expired', 'processing'), ('expired', 'completed');
--> statement-breakpoint
INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held) VALUES (1, 10, 5, 10);
--> statement-breakpoint
INSERT INTO pricing_rules (id, version) VALUES (1, '');
