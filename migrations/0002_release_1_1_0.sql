-- expand: lost_administrator_ends_invitations, another trigger of its table does what it did
-- expand: lost_role_cancels_jobs, another trigger of its table does what it did
-- expand: users_no_hasty_erasure, another trigger of its table does what it did
-- expand: discount_return_is_counted, another trigger of its table does what it did
-- expand: order_releases_discounts, another trigger of its table does what it did
-- expand: order_redeems_again, another trigger of its table does what it did
-- expand: order_no_unlisted_move, another trigger of its table does what it did
-- expand: order_no_unpaid_move, another trigger of its table does what it did
-- expand: order_no_unpaid_refund, another trigger of its table does what it did
-- expand: order_no_cancel_after_download, another trigger of its table does what it did
-- expand: order_no_cancel_after_shipment, another trigger of its table does what it did
-- expand: order_no_unsent_units, another trigger of its table does what it did
-- expand: order_sends_stock, another trigger of its table does what it did
-- expand: order_allocates_again, another trigger of its table does what it did
-- expand: order_releases_stock, another trigger of its table does what it did
-- expand: order_pays_for_stock, another trigger of its table does what it did
-- expand: order_counts_for_customer, another trigger of its table does what it did
-- expand: order_is_charged_later, another trigger of its table does what it did
-- expand: order_grants_packages_later, another trigger of its table does what it did
-- expand: discount_release_versions_pricing, another trigger of its table does what it did
-- expand: products_search_insert, another trigger of its table does what it did
-- expand: products_search_delete, another trigger of its table does what it did
-- expand: product_ends_allocations, another trigger of its table does what it did
-- expand: product_begins_allocations, another trigger of its table does what it did
-- expand: product_goes_on_sale, another trigger of its table does what it did
-- expand: product_enters_categories, another trigger of its table does what it did
-- expand: product_leaves_categories, another trigger of its table does what it did
-- expand: order_edit_moves_stock, another trigger of its table does what it did
-- expand: order_edit_changes_packages, another trigger of its table does what it did
-- expand: refund_revokes_packages, another trigger of its table does what it did
-- expand: refunded_units_recorded, another trigger of its table does what it did
-- expand: variant_prices_are_recounted, another trigger of its table does what it did
-- expand: variant_texts_are_recounted, another trigger of its table does what it did
-- expand: category_is_copied, another trigger of its table does what it did
-- expand: variant_has_own_file, another trigger of its table does what it did
-- expand: product_file_is_inherited, another trigger of its table does what it did
-- expand: staff_spending_is_authenticated, another trigger of its table does what it did
-- expand: users_no_erasure_owed, it refuses what the triggers refused that it replaces
-- expand: discount_release_is_counted, it refuses what the triggers refused that it replaces
-- expand: order_move_is_allowed, it refuses what the triggers refused that it replaces
-- expand: order_edit_changes_line, it refuses what the triggers refused that it replaces
-- expand: variants_are_recounted, it refuses what the triggers refused that it replaces
-- expand: staff_no_excess_spending, it refuses what the triggers refused that it replaces
-- expand: orders_search_update, other triggers of its table do what it did
-- expand: order_no_resend, it only allows more: an order to another street is no repetition
-- contract: orders_by_customer, compatible since 1.0.1
-- contract: users_by_name, compatible since 1.0.1
-- contract: users_by_role_and_name, compatible since 1.0.1
-- expand: order_item_keeps_returning_units, the running version writes no returns
-- expand: order_item_is_sold, it only allows more: a guest with an e-mail address buys downloads
-- expand: order_exemption_has_valid_vat_id, the running version writes no exemption
-- expand: order_exemption_keeps_vat_id, the running version writes no exemption
-- expand: users_no_return_from_erasure, the running version answers account_erased
-- expand: order_no_excess_packages, the running version writes no lines with license keys
-- expand: order_edit_no_excess_packages, the running version writes no lines with license keys
-- expand: unit_pricing_is_valid, the running version writes no unit prices
-- expand: unit_pricing_stays_valid, the running version writes no unit prices
-- expand: gift_card_is_sold_at_its_value, the running version sells no gift cards
-- expand: gift_card_keeps_its_price, the running version sells no gift cards
-- expand: gift_card_product_insert, the running version has no gift cards
-- expand: gift_card_product_update, the running version has no gift cards
-- expand: gift_cards_end_with_units, the running version sells no gift cards
-- expand: refund_leaves_gift_cards, no order of the running version has gift cards
-- expand: transaction_redeems_gift_card, the running version redeems no gift cards
-- expand: transactions_no_update, it compares one more column, which the running version leaves null
-- expand: audit_log_no_update, it allows the metadata of orders to be removed with an erased account
-- expand: adjustment_no_unmanaged_stock, the running version writes no products with uploaded license keys
-- expand: product_license_keys_are_counted, the running version writes no products with uploaded license keys
-- expand: product_license_keys_are_recounted, the running version writes no products with uploaded license keys
-- expand: return_line_no_excess, the running version sells no license keys
-- expand: renewing_order_is_paid_by_provider, products that renew are new in this release
-- expand: shop_currency_is_not_in_use, the running version does not write the new column
-- expand: first_shop_currency_is_not_in_use, the running version does not write the new column
CREATE TABLE `page_versions` (
	`id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`language` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_versions_by_page` ON `page_versions` (`slug`,`language`);--> statement-breakpoint
CREATE TABLE `former_category_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`category_id` integer NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_category_slugs_by_category` ON `former_category_slugs` (`category_id`);--> statement-breakpoint
CREATE TABLE `former_product_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`product_id` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_product_slugs_by_product` ON `former_product_slugs` (`product_id`);--> statement-breakpoint
CREATE TABLE `price_history` (
	`id` integer PRIMARY KEY NOT NULL,
	`product_id` integer NOT NULL,
	`price` integer NOT NULL,
	`ended_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `price_history_by_product` ON `price_history` (`product_id`,`ended_at`);--> statement-breakpoint
CREATE TABLE `gift_cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`nonce` text NOT NULL,
	`value` integer NOT NULL,
	`balance` integer NOT NULL,
	`order_id` integer,
	`order_item_id` integer,
	`note` text,
	`ended_at` integer,
	`test` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "gift_card_covers_redemption" CHECK("balance" >= 0),
	CONSTRAINT "gift_card_value_positive" CHECK("value" > 0 AND "balance" <= "value")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gift_cards_nonce_unique` ON `gift_cards` (`nonce`);--> statement-breakpoint
CREATE INDEX `gift_cards_by_order` ON `gift_cards` (`order_id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `gift_cards_by_line` ON `gift_cards` (`order_item_id`) WHERE order_item_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` integer PRIMARY KEY NOT NULL,
	`number` text NOT NULL,
	`order_id` integer NOT NULL,
	`type` text NOT NULL,
	`issued_at` integer NOT NULL,
	`issued_on` text NOT NULL,
	`currency` text NOT NULL,
	`total` integer NOT NULL,
	`tax` integer NOT NULL,
	`seller` text NOT NULL,
	`content` text NOT NULL,
	`corrects` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_number_ends_with_sequence" CHECK("number" LIKE '%' || ("id" / 1000000000) || '-' || printf('%05d', "id" % 1000000000)),
	CONSTRAINT "invoice_type_follows_total" CHECK(("type" = 'invoice') = ("corrects" IS NULL) AND ("type" = 'credit_note') = ("total" < 0))
);
--> statement-breakpoint
CREATE INDEX `invoices_by_order` ON `invoices` (`order_id`);--> statement-breakpoint
CREATE TABLE `order_tags` (
	`tag_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	PRIMARY KEY(`tag_id`, `order_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `order_tags_by_order` ON `order_tags` (`order_id`);--> statement-breakpoint
CREATE TABLE `return_lines` (
	`return_id` integer NOT NULL,
	`order_item_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`intact` integer,
	`damaged` integer,
	PRIMARY KEY(`return_id`, `order_item_id`),
	FOREIGN KEY (`return_id`) REFERENCES `returns`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "return_quantity_positive" CHECK("quantity" > 0),
	CONSTRAINT "return_received_within_quantity" CHECK("intact" IS NULL AND "damaged" IS NULL OR "intact" >= 0 AND "damaged" >= 0 AND "intact" + "damaged" <= "quantity")
);
--> statement-breakpoint
CREATE INDEX `return_lines_by_item` ON `return_lines` (`order_item_id`);--> statement-breakpoint
CREATE TABLE `returns` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_id` integer NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`reason` text,
	`withdrawal` text,
	`late` integer DEFAULT false NOT NULL,
	`decline_reason` text,
	`instructions` text,
	`label_url` text,
	`carrier` text,
	`tracking_number` text,
	`tracking_url` text,
	`refund_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `order_history`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "return_declined_with_reason" CHECK("status" <> 'declined' OR "decline_reason" IS NOT NULL)
);
--> statement-breakpoint
CREATE INDEX `returns_by_order` ON `returns` (`order_id`);--> statement-breakpoint
CREATE INDEX `returns_by_status` ON `returns` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `returns_by_refund` ON `returns` (`refund_id`) WHERE refund_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payment_accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`account_id` text,
	`name` text,
	`key_end` text NOT NULL,
	`live` integer NOT NULL,
	`base_url` text NOT NULL,
	`webhook_id` text NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_by_provider` ON `payment_accounts` (`provider`);--> statement-breakpoint
CREATE TABLE `subscription_periods` (
	`invoice` text PRIMARY KEY NOT NULL,
	`subscription_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`access_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_periods_order_id_unique` ON `subscription_periods` (`order_id`);--> statement-breakpoint
CREATE INDEX `subscription_periods_by_subscription` ON `subscription_periods` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`customer` text NOT NULL,
	`order_id` integer NOT NULL,
	`past_due` integer DEFAULT false NOT NULL,
	`cancels_at` integer,
	`cancelled_at` integer,
	`ended_at` integer,
	`current_period_end` integer NOT NULL,
	`reminded_for` integer,
	`read_at` integer NOT NULL,
	`check_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_reference_unique` ON `subscriptions` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_order_id_unique` ON `subscriptions` (`order_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_to_check` ON `subscriptions` (`check_at`) WHERE check_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `vat_checks` (
	`vat_id` text PRIMARY KEY NOT NULL,
	`requester` text NOT NULL,
	`status` text NOT NULL,
	`name` text,
	`consultation_number` text,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `license_activations` (
	`license_key_id` integer NOT NULL,
	`instance_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`license_key_id`, `instance_id`),
	FOREIGN KEY (`license_key_id`) REFERENCES `license_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `license_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`nonce` text NOT NULL,
	`prefix` text,
	`name` text NOT NULL,
	`product_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`order_item_id` integer NOT NULL,
	`user_id` integer,
	`activation_limit` integer NOT NULL,
	`activations` integer DEFAULT 0 NOT NULL,
	`expires_at` integer,
	`updates_until` integer,
	`revoked_at` integer,
	`test` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "license_activations_within_limit" CHECK("activations" <= "activation_limit")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `license_keys_nonce_unique` ON `license_keys` (`nonce`);--> statement-breakpoint
CREATE INDEX `license_keys_by_user` ON `license_keys` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `license_keys_by_order` ON `license_keys` (`order_id`);--> statement-breakpoint
CREATE INDEX `license_keys_by_line` ON `license_keys` (`order_item_id`);--> statement-breakpoint
CREATE INDEX `license_keys_by_product` ON `license_keys` (`product_id`);--> statement-breakpoint
CREATE TABLE `license_secrets` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	CONSTRAINT "license_secret_is_one_row" CHECK("id" = 1)
);
--> statement-breakpoint
CREATE TABLE `uploaded_license_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`product_id` integer NOT NULL,
	`nonce` text NOT NULL,
	`start` text NOT NULL,
	`sealed` text NOT NULL,
	`order_item_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploaded_license_keys_nonce_unique` ON `uploaded_license_keys` (`nonce`);--> statement-breakpoint
CREATE INDEX `license_keys_unsold` ON `uploaded_license_keys` (`product_id`,`id`) WHERE order_item_id IS NULL;--> statement-breakpoint
CREATE INDEX `uploaded_license_keys_by_line` ON `uploaded_license_keys` (`order_item_id`) WHERE order_item_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `uploaded_license_keys_by_start` ON `uploaded_license_keys` (`start`);--> statement-breakpoint
CREATE TABLE `apps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`name` text NOT NULL,
	`publisher` text,
	`redirect_uris` text NOT NULL,
	`secret_hash` text,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `apps_client_id_unique` ON `apps` (`client_id`);--> statement-breakpoint
CREATE TABLE `app_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`app_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_key_id` integer,
	`scopes` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text NOT NULL,
	`resource` text NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`app_id`) REFERENCES `apps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `app_codes_by_app` ON `app_codes` (`app_id`);--> statement-breakpoint
CREATE INDEX `app_codes_by_user` ON `app_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `app_codes_by_installation` ON `app_codes` (`api_key_id`);--> statement-breakpoint
CREATE INDEX `app_codes_by_expiry` ON `app_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `app_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`api_key_id` integer NOT NULL,
	`family` text NOT NULL,
	`kind` text NOT NULL,
	`resource` text NOT NULL,
	`parent_hash` text,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_hash`) REFERENCES `app_tokens`(`hash`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `app_tokens_parent` ON `app_tokens` (`parent_hash`);--> statement-breakpoint
CREATE INDEX `app_tokens_by_installation` ON `app_tokens` (`api_key_id`,`kind`);--> statement-breakpoint
CREATE INDEX `app_tokens_by_family` ON `app_tokens` (`family`);--> statement-breakpoint
CREATE INDEX `app_tokens_by_expiry` ON `app_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `email_texts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`template` text NOT NULL,
	`language` text NOT NULL,
	`subject` text,
	`introduction` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_texts_by_template` ON `email_texts` (`template`,`language`);--> statement-breakpoint
CREATE TABLE `staff_notifications` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`mode` text NOT NULL,
	PRIMARY KEY(`kind`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP INDEX `users_by_name`;--> statement-breakpoint
DROP INDEX `users_by_role_and_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `sort_name` text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("name", 'ä', 'a'), 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ã', 'a'), 'å', 'a'), 'Ä', 'A'), 'Á', 'A'), 'Å', 'A'), 'ç', 'c'), 'č', 'c'), 'ć', 'c'), 'Ç', 'C'), 'Č', 'C'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'É', 'E'), 'È', 'E'), 'í', 'i'), 'î', 'i'), 'ï', 'i'), 'Í', 'I'), 'ł', 'l'), 'Ł', 'L'), 'ñ', 'n'), 'ń', 'n'), 'Ñ', 'N'), 'ö', 'o'), 'ó', 'o'), 'ô', 'o'), 'õ', 'o'), 'ő', 'o'), 'ø', 'o'), 'Ö', 'O'), 'Ó', 'O'), 'Ø', 'O'), 'ř', 'r'), 'Ř', 'R'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'Š', 'S'), 'Ś', 'S'), 'ü', 'u'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ů', 'u'), 'Ü', 'U'), 'Ú', 'U'), 'ý', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'Z'), 'Ż', 'Z'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'Ae'), 'œ', 'oe')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `users` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `language` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_external_id` ON `users` (`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_by_update` ON `users` (`updated_at`);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (sort_name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_by_role_and_name` ON `users` (`role`,sort_name COLLATE NOCASE,`id`);--> statement-breakpoint
DROP INDEX `orders_by_customer`;--> statement-breakpoint
ALTER TABLE `orders` ADD `renewal_of` integer REFERENCES orders(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `vat_check` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `language` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `link_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `accepted_terms` integer REFERENCES page_versions(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `download_consent` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_by_external_id` ON `orders` (`external_id`,`sandbox`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_email`,`customer_name`,shipping_address ->> 'address',`fingerprint`,`created_at`);--> statement-breakpoint
ALTER TABLE `addresses` ADD `vat_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `app_id` integer REFERENCES apps(id);--> statement-breakpoint
ALTER TABLE `sessions` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `resource` text;--> statement-breakpoint
CREATE INDEX `sessions_by_app` ON `sessions` (`app_id`) WHERE app_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `currency` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `logo` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `color` text DEFAULT '#1a56db' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `sender_name` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `withdrawal_days` integer;--> statement-breakpoint
ALTER TABLE `shop` ADD `delivery_days` integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `terms_required` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `vat_id` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `tax_number` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `small_business` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `business_terms` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `registration` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `iban` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `invoice_email` text;--> statement-breakpoint
ALTER TABLE `shop` ADD `invoice_moment` text DEFAULT 'manual' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `invoice_prefix` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `utc_offset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `products` ADD `condition` text DEFAULT 'new' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `withdrawal` text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `sort_name` text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("name", 'ä', 'a'), 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ã', 'a'), 'å', 'a'), 'Ä', 'A'), 'Á', 'A'), 'Å', 'A'), 'ç', 'c'), 'č', 'c'), 'ć', 'c'), 'Ç', 'C'), 'Č', 'C'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'É', 'E'), 'È', 'E'), 'í', 'i'), 'î', 'i'), 'ï', 'i'), 'Í', 'I'), 'ł', 'l'), 'Ł', 'L'), 'ñ', 'n'), 'ń', 'n'), 'Ñ', 'N'), 'ö', 'o'), 'ó', 'o'), 'ô', 'o'), 'õ', 'o'), 'ő', 'o'), 'ø', 'o'), 'Ö', 'O'), 'Ó', 'O'), 'Ø', 'O'), 'ř', 'r'), 'Ř', 'R'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'Š', 'S'), 'Ś', 'S'), 'ü', 'u'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ů', 'u'), 'Ü', 'U'), 'Ú', 'U'), 'ý', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'Z'), 'Ż', 'Z'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'Ae'), 'œ', 'oe')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `products` ADD `prior_price` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `unit_pricing` text;--> statement-breakpoint
ALTER TABLE `products` ADD `license` text;--> statement-breakpoint
ALTER TABLE `products` ADD `renews` text;--> statement-breakpoint
ALTER TABLE `products` ADD `variant_unit_pricing` text;--> statement-breakpoint
CREATE UNIQUE INDEX `products_by_external_id` ON `products` (`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_by_barcode` ON `products` (`barcode`) WHERE barcode IS NOT NULL;--> statement-breakpoint
ALTER TABLE `order_items` ADD `withdrawal` text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE `order_items` ADD `license` text;--> statement-breakpoint
ALTER TABLE `order_items` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `order_items_licensed` ON `order_items` (`order_id`) WHERE license IS NOT NULL;--> statement-breakpoint
CREATE INDEX `order_items_gift_cards` ON `order_items` (`order_id`) WHERE type = 'gift_card';--> statement-breakpoint
ALTER TABLE `transactions` ADD `gift_card_id` integer REFERENCES gift_cards(id);--> statement-breakpoint
CREATE INDEX `transactions_by_gift_card` ON `transactions` (`gift_card_id`) WHERE gift_card_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `checkout_sessions` ADD `user_id` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `checkout_sessions` ADD `shown_terms` integer;--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_user` ON `checkout_sessions` (`user_id`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `app_id` integer REFERENCES apps(id);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_one_installation` ON `api_keys` (`app_id`,`created_by`) WHERE revoked_at IS NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `installation_id` integer REFERENCES api_keys(id);--> statement-breakpoint
ALTER TABLE `imports` ADD `column_fields` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `shipments_by_tracking_number` ON `shipments` (tracking_number COLLATE NOCASE) WHERE tracking_number IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_by_update` ON `files` (`updated_at`);
--> statement-breakpoint
DROP TRIGGER api_key_creation_is_published;
--> statement-breakpoint
DROP TRIGGER api_key_change_is_published;
--> statement-breakpoint
DROP TRIGGER api_keys_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER api_keys_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER category_placement;
--> statement-breakpoint
DROP TRIGGER discount_forgets_category;
--> statement-breakpoint
DROP TRIGGER category_move_versions_pricing;
--> statement-breakpoint
DROP TRIGGER category_creation_versions_pricing;
--> statement-breakpoint
DROP TRIGGER user_change_is_published;
--> statement-breakpoint
DROP TRIGGER lost_administrator_ends_invitations;
--> statement-breakpoint
DROP TRIGGER lost_role_cancels_jobs;
--> statement-breakpoint
DROP TRIGGER new_password_ends_challenges;
--> statement-breakpoint
DROP TRIGGER wallet_no_initial_balance;
--> statement-breakpoint
DROP TRIGGER users_no_last_administrator_lost;
--> statement-breakpoint
DROP TRIGGER users_no_erasure_owed;
--> statement-breakpoint
DROP TRIGGER users_no_hasty_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_early_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_return_from_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_unverified_staff;
--> statement-breakpoint
DROP TRIGGER users_no_reserved_email_insert;
--> statement-breakpoint
DROP TRIGGER users_no_reserved_email_update;
--> statement-breakpoint
DROP TRIGGER users_search_insert;
--> statement-breakpoint
DROP TRIGGER users_search_delete;
--> statement-breakpoint
DROP TRIGGER users_search_update;
--> statement-breakpoint
DROP TRIGGER wallet_no_change_without_ledger;
--> statement-breakpoint
DROP TRIGGER users_id_is_new;
--> statement-breakpoint
DROP TRIGGER users_no_edit_without_version;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER users_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER users_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER discount_release_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_return_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_redemptions_no_delete;
--> statement-breakpoint
DROP TRIGGER discount_redemptions_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER discount_redemptions_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER order_releases_discounts;
--> statement-breakpoint
DROP TRIGGER order_redeems_again;
--> statement-breakpoint
DROP TRIGGER order_payment_failure_is_published;
--> statement-breakpoint
DROP TRIGGER order_number_is_final;
--> statement-breakpoint
DROP TRIGGER order_no_unlisted_move;
--> statement-breakpoint
DROP TRIGGER order_no_unpaid_start;
--> statement-breakpoint
DROP TRIGGER order_no_unpaid_move;
--> statement-breakpoint
DROP TRIGGER order_no_unpaid_refund;
--> statement-breakpoint
DROP TRIGGER order_no_second_payment;
--> statement-breakpoint
DROP TRIGGER order_no_cancel_after_download;
--> statement-breakpoint
DROP TRIGGER order_no_cancel_after_shipment;
--> statement-breakpoint
DROP TRIGGER order_no_unsent_units;
--> statement-breakpoint
DROP TRIGGER order_move_recorded;
--> statement-breakpoint
DROP TRIGGER order_refund_recorded;
--> statement-breakpoint
DROP TRIGGER order_sends_stock;
--> statement-breakpoint
DROP TRIGGER order_allocates_again;
--> statement-breakpoint
DROP TRIGGER order_releases_stock;
--> statement-breakpoint
DROP TRIGGER order_pays_for_stock;
--> statement-breakpoint
DROP TRIGGER order_closes_payment;
--> statement-breakpoint
DROP TRIGGER order_change_is_dated;
--> statement-breakpoint
DROP TRIGGER orders_search_insert;
--> statement-breakpoint
DROP TRIGGER orders_search_update;
--> statement-breakpoint
DROP TRIGGER order_no_other_customer;
--> statement-breakpoint
DROP TRIGGER order_no_resend;
--> statement-breakpoint
DROP TRIGGER order_begins;
--> statement-breakpoint
DROP TRIGGER order_counts_for_customer;
--> statement-breakpoint
DROP TRIGGER order_change_counts_for_customer;
--> statement-breakpoint
DROP TRIGGER order_is_charged_later;
--> statement-breakpoint
DROP TRIGGER order_grants_packages_later;
--> statement-breakpoint
DROP TRIGGER order_no_excess_pending;
--> statement-breakpoint
DROP TRIGGER orders_no_delete;
--> statement-breakpoint
DROP TRIGGER order_sandbox_is_final;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER orders_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER orders_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER discount_change_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discount_deletion_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discount_release_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discounts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER discounts_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER product_images_insert;
--> statement-breakpoint
DROP TRIGGER product_images_update;
--> statement-breakpoint
DROP TRIGGER held_variants_are_recounted;
--> statement-breakpoint
DROP TRIGGER variant_edit_is_published;
--> statement-breakpoint
DROP TRIGGER variant_has_options;
--> statement-breakpoint
DROP TRIGGER variant_parent_is_final;
--> statement-breakpoint
DROP TRIGGER variant_begins;
--> statement-breakpoint
DROP TRIGGER variant_values_fit;
--> statement-breakpoint
DROP TRIGGER variant_inheritance_changes;
--> statement-breakpoint
DROP TRIGGER product_change_is_inherited;
--> statement-breakpoint
DROP TRIGGER variant_status_follows_product;
--> statement-breakpoint
DROP TRIGGER product_status_reaches_variants;
--> statement-breakpoint
DROP TRIGGER variant_changes_parent;
--> statement-breakpoint
DROP TRIGGER variant_leaves_parent;
--> statement-breakpoint
DROP TRIGGER parent_begins;
--> statement-breakpoint
DROP TRIGGER parent_options_change;
--> statement-breakpoint
DROP TRIGGER parent_price_is_computed;
--> statement-breakpoint
DROP TRIGGER parent_keeps_options;
--> statement-breakpoint
DROP TRIGGER product_sold_out_insert;
--> statement-breakpoint
DROP TRIGGER product_sold_out_update;
--> statement-breakpoint
DROP TRIGGER products_search_insert;
--> statement-breakpoint
DROP TRIGGER products_search_delete;
--> statement-breakpoint
DROP TRIGGER product_ends_allocations;
--> statement-breakpoint
DROP TRIGGER product_begins_allocations;
--> statement-breakpoint
DROP TRIGGER product_is_withdrawn;
--> statement-breakpoint
DROP TRIGGER product_goes_on_sale;
--> statement-breakpoint
DROP TRIGGER product_enters_categories;
--> statement-breakpoint
DROP TRIGGER product_leaves_categories;
--> statement-breakpoint
DROP TRIGGER product_changes_in_categories;
--> statement-breakpoint
DROP TRIGGER products_search_update;
--> statement-breakpoint
DROP TRIGGER compare_at_price_is_higher;
--> statement-breakpoint
DROP TRIGGER compare_at_price_stays_higher;
--> statement-breakpoint
DROP TRIGGER products_id_is_new;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER products_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER products_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER order_status_is_published;
--> statement-breakpoint
DROP TRIGGER order_refund_is_published;
--> statement-breakpoint
DROP TRIGGER order_edit_is_published;
--> statement-breakpoint
DROP TRIGGER order_history_dates_order;
--> statement-breakpoint
DROP TRIGGER order_history_no_delete;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_history_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER order_history_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER shipment_is_published;
--> statement-breakpoint
DROP TRIGGER shipment_no_closed_order;
--> statement-breakpoint
DROP TRIGGER shipments_no_delete;
--> statement-breakpoint
DROP TRIGGER shipments_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER shipments_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER package_holds_files;
--> statement-breakpoint
DROP TRIGGER package_files_follow;
--> statement-breakpoint
DROP TRIGGER packages_no_delete;
--> statement-breakpoint
DROP TRIGGER packages_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER packages_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER withdrawn_products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER withdrawn_products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_edit_no_unsold_units;
--> statement-breakpoint
DROP TRIGGER order_edit_moves_stock;
--> statement-breakpoint
DROP TRIGGER order_edit_changes_packages;
--> statement-breakpoint
DROP TRIGGER order_edit_no_excess_packages;
--> statement-breakpoint
DROP TRIGGER order_no_excess_packages;
--> statement-breakpoint
DROP TRIGGER refund_revokes_packages;
--> statement-breakpoint
DROP TRIGGER order_item_is_sold;
--> statement-breakpoint
DROP TRIGGER order_is_charged;
--> statement-breakpoint
DROP TRIGGER order_item_grants_packages;
--> statement-breakpoint
DROP TRIGGER refunded_units_recorded;
--> statement-breakpoint
DROP TRIGGER order_items_no_delete;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_items_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER order_items_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER shop_change_versions_pricing;
--> statement-breakpoint
DROP TRIGGER shop_creation_versions_pricing;
--> statement-breakpoint
DROP TRIGGER shop_time_zone_restarts_sales;
--> statement-breakpoint
DROP TRIGGER shop_creation_restarts_sales;
--> statement-breakpoint
DROP TRIGGER shop_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER shop_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER inheritance_is_copied;
--> statement-breakpoint
DROP TRIGGER category_is_copied;
--> statement-breakpoint
DROP TRIGGER variant_has_own_file;
--> statement-breakpoint
DROP TRIGGER variant_keeps_file;
--> statement-breakpoint
DROP TRIGGER product_file_is_inherited;
--> statement-breakpoint
DROP TRIGGER product_file_leaves_variants;
--> statement-breakpoint
DROP TRIGGER sessions_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER sessions_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER staff_no_excess_spending;
--> statement-breakpoint
DROP TRIGGER staff_spending_is_authenticated;
--> statement-breakpoint
DROP TRIGGER adjustment_no_unmanaged_stock;
--> statement-breakpoint
DROP TRIGGER adjustment_changes_stock;
--> statement-breakpoint
DROP TRIGGER stock_adjustments_no_update;
--> statement-breakpoint
DROP TRIGGER stock_adjustments_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER stock_adjustments_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER allocation_changes_stock;
--> statement-breakpoint
DROP TRIGGER unpaid_order_no_excess_stock;
--> statement-breakpoint
DROP TRIGGER unpaid_order_no_excess_of_network;
--> statement-breakpoint
DROP TRIGGER unpaid_order_no_excess_unverified;
--> statement-breakpoint
DROP TRIGGER allocation_takes_stock;
--> statement-breakpoint
DROP TRIGGER stock_allocations_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER stock_allocations_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER transactions_no_update;
--> statement-breakpoint
DROP TRIGGER transactions_no_delete;
--> statement-breakpoint
DROP TRIGGER refund_no_more_than_paid;
--> statement-breakpoint
DROP TRIGGER transaction_moves_wallet;
--> statement-breakpoint
DROP TRIGGER transactions_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER transactions_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER transactions_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER transactions_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER staff_invitations_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER staff_invitations_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_delete;
--> statement-breakpoint
DROP TRIGGER audit_log_update_is_backed_up;
--> statement-breakpoint
DROP TRIGGER audit_log_deletion_is_backed_up;
--> statement-breakpoint
DROP TRIGGER product_recount;
--> statement-breakpoint
DROP VIEW product_event_data;
--> statement-breakpoint
DROP VIEW user_event_data;
--> statement-breakpoint
DROP TABLE orders_search;
--> statement-breakpoint
DROP VIEW variant_recounts;
--> statement-breakpoint
DROP VIEW inherited_values;
--> statement-breakpoint
CREATE VIEW product_event_data AS
SELECT id, json_object('product_id', id, 'parent_id', parent_id, 'external_id', external_id, 'sku', sku, 'name', name, 'slug', slug, 'type', type, 'status', status,
  'price', price, 'stock_quantity', stock_quantity) AS data
FROM products;
--> statement-breakpoint
CREATE VIEW stock_event_data AS
SELECT id, json_object('product_id', id, 'parent_id', parent_id, 'external_id', external_id, 'sku', sku, 'stock_quantity', stock_quantity) AS data
FROM products;
--> statement-breakpoint
CREATE VIEW license_key_event_data AS
SELECT id, json_object('license_key_id', id, 'product_id', product_id, 'user_id', user_id, 'order_id', order_id, 'activation_limit', activation_limit,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch'), 'test', json(iif(test, 'true', 'false'))) AS data
FROM license_keys;
--> statement-breakpoint
CREATE VIEW gift_card_event_data AS
SELECT id, json_object('gift_card_id', id, 'order_id', order_id, 'value', value, 'test', json(iif(test, 'true', 'false'))) AS data
FROM gift_cards;
--> statement-breakpoint
CREATE VIEW subscription_event_data AS
SELECT subscriptions.id, json_object('subscription_id', subscriptions.id, 'order_id', order_id, 'number', number, 'reference', orders.reference, 'external_id', external_id,
  'user_id', user_id,
  'current_period_end', strftime('%Y-%m-%dT%H:%M:%fZ', current_period_end / 1000.0, 'unixepoch'),
  'access_until', strftime('%Y-%m-%dT%H:%M:%fZ', (SELECT max(access_until) FROM subscription_access WHERE subscription_id = subscriptions.id) / 1000.0, 'unixepoch'),
  'cancels_at', strftime('%Y-%m-%dT%H:%M:%fZ', cancels_at / 1000.0, 'unixepoch'),
  'cancelled_at', strftime('%Y-%m-%dT%H:%M:%fZ', cancelled_at / 1000.0, 'unixepoch')) AS data
FROM subscriptions JOIN orders ON orders.id = order_id;
--> statement-breakpoint
CREATE VIEW user_event_data AS
SELECT id, json_object('user_id', id, 'external_id', external_id, 'role', role, 'email_verified', json(iif(email_verified_at IS NULL, 'false', 'true')),
  'disabled', json(iif(disabled_at IS NULL, 'false', 'true'))) AS data
FROM users;
--> statement-breakpoint
CREATE VIEW gift_card_mismatches AS
SELECT gift_cards.id AS gift_card_id, value, balance, coalesce(sum(amount), 0) AS redeemed
FROM gift_cards LEFT JOIN transactions ON transactions.gift_card_id = gift_cards.id
GROUP BY gift_cards.id HAVING balance <> value - coalesce(sum(amount), 0);
--> statement-breakpoint
CREATE VIEW gift_card_issues (order_item_id, units) AS SELECT 0, 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW invoiced_amounts AS
SELECT id AS order_id, iif(ended, 0, total - refunded_total) AS total, iif(ended, 0, tax_total - refunded_tax) AS tax,
  iif(ended, 'null', json_object('items', (
      SELECT json_group_array(json_object('id', id, 'name', name, 'sku', sku, 'optionValues', json(option_values),
        'quantity', quantity, 'refundedQuantity', refunded_quantity, 'unitPrice', unit_price, 'total', total,
        'discount', discount, 'tax', tax, 'taxLines', json(tax_lines)) ORDER BY id)
      FROM order_items WHERE order_id = orders.id AND quantity > 0
    ), 'shippingName', shipping_method ->> 'name', 'shippingTotal', shipping_total, 'shippingDiscount', shipping_discount,
    'shippingTax', shipping_tax, 'taxTotal', tax_total, 'taxLines', json(tax_lines), 'total', total,
    'refundedTotal', refunded_total, 'refundedShipping', refunded_shipping, 'refundedTax', refunded_tax)) AS goods
FROM (SELECT *, status IN ('cancelled', 'expired') AS ended FROM orders) AS orders;
--> statement-breakpoint
CREATE VIEW next_invoices AS
SELECT reference, id, invoice_prefix || (id / 1000000000) || '-' || printf('%05d', id % 1000000000) AS number, order_id,
  CASE WHEN corrects IS NULL THEN 'invoice' WHEN total < 0 THEN 'credit_note' ELSE 'corrected_invoice' END AS type,
  issued_at, issued_on, currency, total, tax, seller, content, corrects
FROM (
  SELECT *, 1 + max(substr(issued_on, 1, 4) * 1000000000, last_id) AS id
  FROM (
    SELECT *, date(issued_at / 1000 + utc_offset * 60, 'unixepoch') AS issued_on
    FROM (
      SELECT reference, invoice_prefix, utc_offset, orders.id AS order_id, orders.currency,
        coalesce((SELECT max(id) FROM invoices), 0) AS last_id,
        max(orders.updated_at, coalesce((SELECT issued_at FROM invoices ORDER BY id DESC LIMIT 1), 0)) AS issued_at,
        amounts.total - coalesce((SELECT sum(total) FROM invoices WHERE order_id = orders.id), 0) AS total,
        amounts.tax - coalesce((SELECT sum(tax) FROM invoices WHERE order_id = orders.id), 0) AS tax,
        json_object('name', coalesce(shop.address ->> 'company', shop.name), 'address', json(shop.address), 'email', invoice_email,
          'vatId', vat_id, 'taxNumber', tax_number, 'registration', registration, 'iban', iban,
          'businessTerms', business_terms) AS seller,
        json_object('number', orders.number, 'language', coalesce(orders.language, shop.language), 'orderedOn', date(orders.created_at / 1000 + utc_offset * 60, 'unixepoch'),
          'deliveredOn', date(CASE fulfillment_status
            WHEN 'not_required' THEN paid_at ELSE (SELECT min(shipped_at) FROM shipments WHERE order_id = orders.id)
          END / 1000 + utc_offset * 60, 'unixepoch'), 'paidOn', date(paid_at / 1000 + utc_offset * 60, 'unixepoch'),
          'dueOn', date(expires_at / 1000 + utc_offset * 60, 'unixepoch'), 'paymentMethod', payment_method,
          'customerName', customer_name, 'customerEmail', customer_email, 'billingAddress', json(billing_address),
          'shippingAddress', json(shipping_address),
          'country', country, 'pricesIncludeTax', json(iif(orders.prices_include_tax, 'true', 'false')),
          'taxExemptReason', tax_exempt_reason, 'goods', json(amounts.goods)) AS content,
        (SELECT json_object('number', number, 'issuedOn', issued_on, 'goods', (
            SELECT json(content -> 'goods') FROM invoices WHERE order_id = orders.id ORDER BY id DESC LIMIT 1
          )) FROM invoices WHERE order_id = orders.id ORDER BY id LIMIT 1) AS corrects
      FROM orders JOIN invoiced_amounts AS amounts ON amounts.order_id = orders.id CROSS JOIN shop
      WHERE shop.address IS NOT NULL AND NOT sandbox
    )
  )
)
WHERE content -> 'goods' IS NOT coalesce(corrects -> 'goods', 'null');
--> statement-breakpoint
CREATE VIEW license_key_issues (order_item_id, units, issued_at) AS SELECT 0, 0, 0 WHERE FALSE;
--> statement-breakpoint
CREATE VIEW unsold_license_keys (product_id, units) AS
SELECT id, max(0, (
  SELECT count(*) FROM uploaded_license_keys WHERE product_id = products.id AND order_item_id IS NULL
) - (
  SELECT coalesce(sum(stock_allocations.quantity + sent), 0)
  FROM stock_allocations JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id
  WHERE stock_allocations.product_id = products.id AND paid_at IS NULL AND order_items.license ->> 'source' = 'uploaded'
))
FROM products WHERE license ->> 'source' = 'uploaded';
--> statement-breakpoint
CREATE VIEW searched_orders AS
SELECT id, customer_name, customer_email, folded_words, (
  SELECT group_concat(iif(key = 'phone', value || ' ' || substr(replace(replace(replace(replace(replace(replace(replace(replace(replace(value, ' ', ''), '+', ''), '-', ''), '/', ''), '(', ''), ')', ''), '.', ''), '·', ''), '•', ''), -9), replace(replace(replace(replace(replace(replace(replace(value, 'ß', 'ss'), 'ø', 'o'), 'Ø', 'O'), 'æ', 'ae'), 'Æ', 'Ae'), 'ł', 'l'), 'Ł', 'L')), ' ') FROM (
    SELECT key, value FROM json_each(shipping_address) UNION SELECT key, value FROM json_each(billing_address)
  ) WHERE key <> 'country'
) AS address_words
FROM orders;
--> statement-breakpoint
CREATE VIRTUAL TABLE orders_search USING fts5(
  customer_name, customer_email, folded_words, address_words, content = 'searched_orders', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE VIEW current_pages AS
SELECT * FROM page_versions AS page
WHERE text <> '' AND id = (SELECT max(id) FROM page_versions WHERE slug = page.slug AND language = page.language);
--> statement-breakpoint
CREATE VIEW variant_recounts (id, prices_only, stock_only) AS SELECT 0, FALSE, FALSE WHERE FALSE;
--> statement-breakpoint
CREATE VIEW cheapest_variants AS
SELECT id, (
    SELECT unit_pricing FROM products WHERE parent_id = parent.id AND own_status = 'active' AND price = parent.price ORDER BY id LIMIT 1
  ) AS unit_pricing
FROM products AS parent WHERE options <> '[]';
--> statement-breakpoint
CREATE VIEW inherited_values AS
SELECT variant.id, iif(instr(variant.inherits, '"name"'), parent.name, variant.name) AS name, iif(instr(variant.inherits, '"description"'), parent.description, variant.description) AS description, iif(instr(variant.inherits, '"brand"'), parent.brand, variant.brand) AS brand, iif(instr(variant.inherits, '"seo_title"'), parent.seo_title, variant.seo_title) AS seo_title, iif(instr(variant.inherits, '"seo_description"'), parent.seo_description, variant.seo_description) AS seo_description, iif(instr(variant.inherits, '"type"'), parent.type, variant.type) AS type, iif(instr(variant.inherits, '"images"'), parent.images, variant.images) AS images, iif(instr(variant.inherits, '"requires_shipping"'), parent.requires_shipping, variant.requires_shipping) AS requires_shipping, iif(instr(variant.inherits, '"weight_grams"'), parent.weight_grams, variant.weight_grams) AS weight_grams, iif(instr(variant.inherits, '"tax_class"'), parent.tax_class, variant.tax_class) AS tax_class, iif(instr(variant.inherits, '"download_limit"'), parent.download_limit, variant.download_limit) AS download_limit, iif(instr(variant.inherits, '"download_days"'), parent.download_days, variant.download_days) AS download_days, iif(instr(variant.inherits, '"license"'), parent.license, variant.license) AS license, iif(instr(variant.inherits, '"renews"'), parent.renews, variant.renews) AS renews, iif(instr(variant.inherits, '"condition"'), parent.condition, variant.condition) AS condition, iif(instr(variant.inherits, '"withdrawal"'), parent.withdrawal, variant.withdrawal) AS withdrawal, iif(instr(variant.inherits, '"unit_pricing"'), parent.unit_pricing, variant.unit_pricing) AS unit_pricing
FROM products AS variant JOIN products AS parent ON parent.id = variant.parent_id;
--> statement-breakpoint
CREATE VIEW units_in_returns AS
SELECT order_item_id, return_lines.quantity FROM return_lines JOIN returns ON returns.id = return_id
WHERE status NOT IN ('settled', 'declined');
--> statement-breakpoint
CREATE VIEW used_downloads AS
SELECT order_item_id FROM packages WHERE downloads_used > 0
UNION ALL SELECT order_item_id FROM license_keys WHERE activations > 0;
--> statement-breakpoint
CREATE VIEW subscription_access AS
SELECT subscription_id, subscription_periods.order_id, subscriptions.order_id AS first_order_id,
  min(access_until, coalesce(ended_at, access_until)) AS access_until
FROM subscription_periods JOIN subscriptions ON subscriptions.id = subscription_id;
--> statement-breakpoint
CREATE VIEW subscription_standings AS
SELECT subscription_id, first_order_id, max(iif(status IN ('refunded', 'cancelled'), NULL, access_until)) AS paid_until
FROM subscription_access JOIN orders ON orders.id = order_id GROUP BY subscription_id;
--> statement-breakpoint
CREATE VIEW license_key_renewals (subscription_id) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER app_removal_ends_tokens AFTER UPDATE OF revoked_at ON api_keys WHEN NEW.app_id IS NOT NULL AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN DELETE FROM app_tokens WHERE api_key_id = NEW.id; DELETE FROM app_codes WHERE api_key_id = NEW.id; INSERT INTO events (type, subject, created_at, data) SELECT 'app.uninstalled', 'api_key:' || NEW.id, NEW.revoked_at, json_object('client_id', client_id, 'installation_id', NEW.id) FROM apps WHERE id = NEW.app_id; END;
--> statement-breakpoint
CREATE TRIGGER app_permissions_reach_webhooks AFTER UPDATE OF permissions, revoked_at ON api_keys WHEN NEW.app_id IS NOT NULL BEGIN UPDATE webhook_endpoints SET updated_at = max(updated_at + 1, NEW.updated_at) WHERE installation_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER api_key_creation_is_published AFTER INSERT ON api_keys BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'api_key.created', 'api_key:' || id, NEW.created_at, data FROM api_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER api_key_change_is_published AFTER UPDATE OF hash, revoked_at ON api_keys WHEN NEW.hash <> OLD.hash OR NEW.revoked_at IS NOT OLD.revoked_at BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(NEW.hash <> OLD.hash, 'api_key.rotated', 'api_key.revoked'), 'api_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM api_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER api_keys_no_unlisted_insert BEFORE INSERT ON api_keys WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER api_keys_no_unlisted_update BEFORE UPDATE OF "tier" ON api_keys WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER category_placement INSTEAD OF INSERT ON category_placements BEGIN UPDATE categories SET path = placed.path, tree_order = placed.tree_order FROM ( WITH RECURSIVE below (id, path, tree_order) AS ( SELECT category.id, json_insert(ifnull(parent.path, '[]'), '$[#]', json_object('id', category.id, 'name', category.name, 'slug', category.slug)), ifnull(parent.tree_order, '') || replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(category.name, 'ä', 'a'), 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ã', 'a'), 'å', 'a'), 'Ä', 'A'), 'Á', 'A'), 'Å', 'A'), 'ç', 'c'), 'č', 'c'), 'ć', 'c'), 'Ç', 'C'), 'Č', 'C'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'É', 'E'), 'È', 'E'), 'í', 'i'), 'î', 'i'), 'ï', 'i'), 'Í', 'I'), 'ł', 'l'), 'Ł', 'L'), 'ñ', 'n'), 'ń', 'n'), 'Ñ', 'N'), 'ö', 'o'), 'ó', 'o'), 'ô', 'o'), 'õ', 'o'), 'ő', 'o'), 'ø', 'o'), 'Ö', 'O'), 'Ó', 'O'), 'Ø', 'O'), 'ř', 'r'), 'Ř', 'R'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'Š', 'S'), 'Ś', 'S'), 'ü', 'u'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ů', 'u'), 'Ü', 'U'), 'Ú', 'U'), 'ý', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'Z'), 'Ż', 'Z'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'Ae'), 'œ', 'oe') || char(1) || category.id || char(1) FROM categories AS category LEFT JOIN categories AS parent ON parent.id = category.parent_id WHERE category.id = NEW.id UNION ALL SELECT child.id, json_insert(below.path, '$[#]', json_object('id', child.id, 'name', child.name, 'slug', child.slug)), below.tree_order || replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(child.name, 'ä', 'a'), 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ã', 'a'), 'å', 'a'), 'Ä', 'A'), 'Á', 'A'), 'Å', 'A'), 'ç', 'c'), 'č', 'c'), 'ć', 'c'), 'Ç', 'C'), 'Č', 'C'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'É', 'E'), 'È', 'E'), 'í', 'i'), 'î', 'i'), 'ï', 'i'), 'Í', 'I'), 'ł', 'l'), 'Ł', 'L'), 'ñ', 'n'), 'ń', 'n'), 'Ñ', 'N'), 'ö', 'o'), 'ó', 'o'), 'ô', 'o'), 'õ', 'o'), 'ő', 'o'), 'ø', 'o'), 'Ö', 'O'), 'Ó', 'O'), 'Ø', 'O'), 'ř', 'r'), 'Ř', 'R'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'Š', 'S'), 'Ś', 'S'), 'ü', 'u'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ů', 'u'), 'Ü', 'U'), 'Ú', 'U'), 'ý', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'Z'), 'Ż', 'Z'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'Ae'), 'œ', 'oe') || char(1) || child.id || char(1) FROM below JOIN categories AS child ON child.parent_id = below.id ) SELECT * FROM below ) AS placed WHERE categories.id = placed.id; END;
--> statement-breakpoint
CREATE TRIGGER category_keeps_former_slug AFTER UPDATE OF slug ON categories WHEN NEW.slug <> OLD.slug BEGIN INSERT INTO former_category_slugs (slug, category_id) VALUES (OLD.slug, NEW.id) ON CONFLICT DO UPDATE SET category_id = excluded.category_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_forgets_category AFTER DELETE ON categories BEGIN UPDATE discounts SET enabled = enabled AND NOT (json_array_length(category_ids) = 1 AND product_ids = '[]'), category_ids = (SELECT json_group_array(value) FROM json_each(category_ids) WHERE value <> OLD.id), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE category_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(category_ids) WHERE value = OLD.id); END;
--> statement-breakpoint
CREATE TRIGGER category_move_versions_pricing AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER category_creation_versions_pricing AFTER INSERT ON categories WHEN NEW.parent_id IS NOT NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER user_change_is_published AFTER UPDATE OF email, email_verified_at, name, role, disabled_at, phone, company, accepts_marketing, external_id, metadata, tags, erased_at ON users WHEN (OLD.email, OLD.email_verified_at, OLD.name, OLD.role, OLD.disabled_at, OLD.phone, OLD.company, OLD.accepts_marketing, OLD.external_id, OLD.metadata, OLD.tags, OLD.erased_at) IS NOT (NEW.email, NEW.email_verified_at, NEW.name, NEW.role, NEW.disabled_at, NEW.phone, NEW.company, NEW.accepts_marketing, NEW.external_id, NEW.metadata, NEW.tags, NEW.erased_at) BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL, 'user.deleted', 'user.updated'), 'user:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM user_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER account_finds_guest_license_keys AFTER UPDATE OF email_verified_at ON users WHEN NEW.email_verified_at IS NOT NULL AND NEW.email_verified_at IS NOT OLD.email_verified_at AND NEW.disabled_at IS NULL BEGIN UPDATE license_keys SET user_id = NEW.id WHERE user_id IS NULL AND order_id IN (SELECT id FROM orders WHERE customer_email = NEW.email AND user_id IS NULL AND NOT sandbox); END;
--> statement-breakpoint
CREATE TRIGGER account_finds_guest_packages AFTER UPDATE OF email_verified_at ON users WHEN NEW.email_verified_at IS NOT NULL AND NEW.email_verified_at IS NOT OLD.email_verified_at AND NEW.disabled_at IS NULL BEGIN UPDATE packages SET user_id = NEW.id WHERE user_id IS NULL AND order_id IN (SELECT id FROM orders WHERE customer_email = NEW.email AND user_id IS NULL); END;
--> statement-breakpoint
CREATE TRIGGER lost_role_ends_access AFTER UPDATE OF role, disabled_at ON users WHEN OLD.role <> 'customer' AND (NEW.disabled_at IS NOT NULL OR NEW.role NOT IN (OLD.role, 'admin')) BEGIN UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at WHERE created_by = 'user:' || NEW.id AND state IN ('queued', 'running'); DELETE FROM staff_invitations WHERE OLD.role = 'admin' AND invited_by = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER new_password_ends_challenges AFTER UPDATE OF password_hash ON users WHEN NEW.password_hash <> OLD.password_hash BEGIN DELETE FROM login_challenges WHERE user_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0 BEGIN SELECT RAISE(ABORT, 'wallet_ledger_mismatch'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id) BEGIN SELECT RAISE(ABORT, 'last_administrator'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_erasure_owed BEFORE UPDATE OF role, erase_at ON users WHEN NEW.erase_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'erasure_not_due') WHERE OLD.erase_at IS NULL AND NEW.erase_at < NEW.updated_at + 604800000; SELECT RAISE(ABORT, 'staff_cannot_be_erased') WHERE NEW.role <> 'customer'; SELECT RAISE(ABORT, 'wallet_not_empty') WHERE OLD.erase_at IS NULL AND NEW.wallet_balance > 0; SELECT RAISE(ABORT, 'orders_open') WHERE OLD.erase_at IS NULL AND EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing')); END;
--> statement-breakpoint
CREATE TRIGGER users_no_early_erasure BEFORE UPDATE OF erased_at ON users WHEN OLD.erase_at IS NULL OR OLD.erase_at > NEW.erased_at OR NEW.wallet_balance > 0 OR EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing')) BEGIN SELECT RAISE(ABORT, 'erasure_not_due'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, formerly_verified_at, pending_email, name, password_hash, role, disabled_at, phone, company, accepts_marketing, tax_exempt_reason, external_id, metadata, tags, erase_at, erased_at ON users WHEN OLD.erased_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'account_erased'); END;
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
CREATE TRIGGER users_no_edit_without_version AFTER UPDATE OF email, email_verified_at, formerly_verified_at, pending_email, name, role, wallet_locked_until, disabled_at, phone, company, accepts_marketing, tax_exempt_reason, external_id, tags, metadata, erase_at, erased_at ON users WHEN NEW.updated_at = OLD.updated_at AND (OLD.email, OLD.email_verified_at, OLD.formerly_verified_at, OLD.pending_email, OLD.name, OLD.role, OLD.wallet_locked_until, OLD.disabled_at, OLD.phone, OLD.company, OLD.accepts_marketing, OLD.tax_exempt_reason, OLD.external_id, OLD.tags, OLD.metadata, OLD.erase_at, OLD.erased_at) IS NOT (NEW.email, NEW.email_verified_at, NEW.formerly_verified_at, NEW.pending_email, NEW.name, NEW.role, NEW.wallet_locked_until, NEW.disabled_at, NEW.phone, NEW.company, NEW.accepts_marketing, NEW.tax_exempt_reason, NEW.external_id, NEW.tags, NEW.metadata, NEW.erase_at, NEW.erased_at) BEGIN UPDATE users SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_insert BEFORE INSERT ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'packer' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_update BEFORE UPDATE OF "role", "language" ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'packer' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER users_update_is_backed_up AFTER UPDATE ON users WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('users', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER users_deletion_is_backed_up AFTER DELETE ON users WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('users', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_release_is_counted AFTER UPDATE OF released_at ON discount_redemptions WHEN (OLD.released_at IS NULL) <> (NEW.released_at IS NULL) BEGIN SELECT (CASE WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up') WHEN iif(first_order_only, 1, max_uses_per_customer) < ( SELECT count(*) FROM discount_redemptions WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL ) THEN RAISE(ABORT, 'discount_used_by_customer') END) FROM discounts WHERE NEW.released_at IS NULL AND id = NEW.discount_id; UPDATE discounts SET uses = uses + iif(NEW.released_at IS NULL, 1, -1) WHERE id = NEW.discount_id; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_no_delete BEFORE DELETE ON discount_redemptions BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_update_is_backed_up AFTER UPDATE ON discount_redemptions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('discount_redemptions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_deletion_is_backed_up AFTER DELETE ON discount_redemptions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('discount_redemptions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_move_changes_discounts AFTER UPDATE OF status ON orders BEGIN UPDATE discount_redemptions SET released_at = NULL WHERE OLD.status = 'expired' AND NEW.status IN ('processing', 'completed') AND order_id = NEW.id AND released_at IS NOT NULL AND discount_id IN (SELECT value ->> 'id' FROM json_each(NEW.discounts)); UPDATE discount_redemptions SET released_at = NEW.updated_at WHERE NEW.status IN ('cancelled', 'expired') AND order_id = NEW.id AND released_at IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_payment_failure_is_published AFTER UPDATE OF payment_status ON orders WHEN NEW.payment_status = 'failed' AND OLD.payment_status <> 'failed' BEGIN INSERT INTO events (type, subject, created_at, data) VALUES ('order.payment_failed', 'order:' || NEW.id, NEW.updated_at, json_object('order_id', NEW.id, 'number', NEW.number, 'reference', NEW.reference, 'external_id', NEW.external_id, 'user_id', NEW.user_id, 'status', NEW.status, 'payment_method', NEW.payment_method, 'test', json(iif(NEW.payment_method = 'test_card', 'true', 'false')), 'total', NEW.total, 'currency', NEW.currency)); END;
--> statement-breakpoint
CREATE TRIGGER refund_leaves_gift_cards BEFORE UPDATE OF refunded_total ON orders WHEN NEW.refunded_total > OLD.refunded_total BEGIN SELECT RAISE(ABORT, 'gift_card_in_use') WHERE NEW.refunded_total > NEW.total - ( SELECT coalesce(sum(iif(ended_at IS NULL, value, value - balance)), 0) FROM gift_cards WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_number_is_final BEFORE UPDATE OF number, sequence, reference ON orders BEGIN SELECT RAISE(ABORT, 'order_number_given'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_unpaid_start BEFORE INSERT ON orders WHEN NEW.paid_at IS NULL AND NEW.status IN ('processing', 'shipped', 'completed', 'refunded') AND NOT ( NEW.status = 'processing' AND NEW.fulfillment_status = 'unfulfilled' AND NEW.payment_method IN ('invoice', 'cash') AND coalesce((SELECT methods ->> ('$.' || NEW.payment_method || '.ship_before_payment') FROM payment_settings), TRUE) ) BEGIN SELECT RAISE(ABORT, 'order_not_paid'); END;
--> statement-breakpoint
CREATE TRIGGER order_move_is_allowed BEFORE UPDATE OF status ON orders BEGIN SELECT (CASE WHEN NEW.status = 'shipped' AND EXISTS ( SELECT 1 FROM order_items WHERE order_id = NEW.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity ) THEN RAISE(ABORT, 'order_has_unsent_units') WHEN NEW.status = 'cancelled' AND NEW.paid_at IS NOT NULL AND (OLD.status IN ('shipped', 'completed') OR OLD.fulfillment_status = 'partially_fulfilled') THEN RAISE(ABORT, 'order_partly_sent') WHEN NEW.status = 'cancelled' AND ( EXISTS (SELECT 1 FROM packages WHERE order_id = NEW.id AND downloads_used > 0) OR EXISTS (SELECT 1 FROM license_keys WHERE order_id = NEW.id AND activations > 0) ) THEN RAISE(ABORT, 'downloads_used') WHEN NEW.paid_at IS NULL AND ( NEW.status = 'refunded' OR OLD.status IN ('pending', 'expired') AND NEW.status IN ('processing', 'completed') ) THEN RAISE(ABORT, 'order_not_paid') WHEN NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status) AND NOT (OLD.status IN ('processing', 'shipped', 'completed') AND NEW.status = OLD.status AND OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) THEN RAISE(ABORT, 'order_move_not_allowed') END); END;
--> statement-breakpoint
CREATE TRIGGER order_no_second_payment BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'order_paid_already'); END;
--> statement-breakpoint
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders BEGIN INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note) SELECT NEW.id, NEW.updated_at, iif(pays, 'payment', 'status'), OLD.status, NEW.status, iif(pays, NEW.total, NULL), NEW.updated_by, NEW.note FROM (SELECT OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 AS pays); END;
--> statement-breakpoint
CREATE TRIGGER order_refund_recorded AFTER UPDATE OF refunded_total ON orders BEGIN INSERT INTO order_history (order_id, at, kind, "from", "to", amount, shipping, tax, actor, note) VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total, NEW.refunded_shipping - OLD.refunded_shipping, NEW.refunded_tax - OLD.refunded_tax, NEW.updated_by, NEW.note); END;
--> statement-breakpoint
CREATE TRIGGER order_move_changes_stock AFTER UPDATE OF status ON orders BEGIN UPDATE stock_allocations SET unpaid_by = NULL, unpaid_from = NULL WHERE OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND OLD.expires_at IS NOT NULL AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL, unpaid_from = NULL WHERE NEW.status IN ('cancelled', 'expired') AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); INSERT INTO stock_allocations (order_item_id, product_id, quantity) SELECT order_items.id, product_id, order_items.quantity FROM order_items JOIN products ON products.id = product_id AND manage_stock WHERE OLD.status = 'expired' AND NEW.status IN ('processing', 'completed') AND order_id = NEW.id AND NOT NEW.sandbox ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity; UPDATE stock_allocations SET sent = sent + quantity, quantity = 0 WHERE (NEW.status = 'shipped' OR NEW.status = 'completed' AND OLD.status IN ('pending', 'processing', 'expired')) AND quantity > 0 AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_closes_payment AFTER UPDATE OF payment_url ON orders WHEN OLD.payment_url IS NOT NULL AND NEW.payment_url IS NOT OLD.payment_url AND (NEW.status IN ('pending', 'cancelled') OR NEW.paid_at IS NOT NULL AND NEW.payment_reference IS NULL) BEGIN INSERT INTO payments_to_close (provider, reference, created_at) VALUES (OLD.payment_provider, OLD.payment_reference, NEW.updated_at); END;
--> statement-breakpoint
CREATE TRIGGER order_change_is_dated AFTER UPDATE ON orders WHEN NEW.updated_at = OLD.updated_at BEGIN UPDATE orders SET updated_at = updated_at + 1 WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders WHEN coalesce(NEW.customer_email, NEW.customer_name, NEW.shipping_address, NEW.billing_address) IS NOT NULL AND NOT EXISTS ( SELECT 1 FROM orders WHERE (customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address) IS (NEW.customer_email, NEW.customer_name, NEW.shipping_address ->> 'address', NEW.shipping_address, NEW.billing_address) AND id < NEW.id ) BEGIN INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words) SELECT * FROM searched_orders WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER order_leaves_search BEFORE UPDATE OF customer_name, customer_email, shipping_address, billing_address ON orders WHEN (OLD.customer_email, OLD.customer_name, OLD.shipping_address ->> 'address', OLD.shipping_address, OLD.billing_address) IS NOT (NEW.customer_email, NEW.customer_name, NEW.shipping_address ->> 'address', NEW.shipping_address, NEW.billing_address) BEGIN INSERT INTO orders_search (orders_search, rowid, customer_name, customer_email, folded_words, address_words) SELECT 'delete', * FROM searched_orders WHERE id IN (SELECT min(id) FROM orders WHERE (customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address) IS (OLD.customer_email, OLD.customer_name, OLD.shipping_address ->> 'address', OLD.shipping_address, OLD.billing_address) AND coalesce(OLD.customer_email, OLD.customer_name, OLD.shipping_address, OLD.billing_address) IS NOT NULL UNION SELECT min(id) FROM orders WHERE (customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address) IS (NEW.customer_email, NEW.customer_name, NEW.shipping_address ->> 'address', NEW.shipping_address, NEW.billing_address) AND coalesce(NEW.customer_email, NEW.customer_name, NEW.shipping_address, NEW.billing_address) IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER order_enters_search AFTER UPDATE OF customer_name, customer_email, shipping_address, billing_address ON orders WHEN (OLD.customer_email, OLD.customer_name, OLD.shipping_address ->> 'address', OLD.shipping_address, OLD.billing_address) IS NOT (NEW.customer_email, NEW.customer_name, NEW.shipping_address ->> 'address', NEW.shipping_address, NEW.billing_address) BEGIN INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words) SELECT * FROM searched_orders WHERE id IN (SELECT min(id) FROM orders WHERE (customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address) IS (OLD.customer_email, OLD.customer_name, OLD.shipping_address ->> 'address', OLD.shipping_address, OLD.billing_address) AND coalesce(OLD.customer_email, OLD.customer_name, OLD.shipping_address, OLD.billing_address) IS NOT NULL UNION SELECT min(id) FROM orders WHERE (customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address) IS (NEW.customer_email, NEW.customer_name, NEW.shipping_address ->> 'address', NEW.shipping_address, NEW.billing_address) AND coalesce(NEW.customer_email, NEW.customer_name, NEW.shipping_address, NEW.billing_address) IS NOT NULL); END;
--> statement-breakpoint
CREATE TRIGGER order_no_other_customer BEFORE UPDATE OF customer_name, customer_email ON orders WHEN NEW.customer_name IS NOT NULL AND NEW.customer_name IS NOT OLD.customer_name OR NEW.customer_email IS NOT NULL AND NEW.customer_email IS NOT OLD.customer_email BEGIN SELECT RAISE(ABORT, 'order_customer_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_resend BEFORE INSERT ON orders WHEN NOT NEW.keyed BEGIN SELECT RAISE(ABORT, 'order_resent') FROM orders WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND shipping_address ->> 'address' IS NEW.shipping_address ->> 'address' AND fingerprint = NEW.fingerprint AND created_at > NEW.created_at - 15000 AND status NOT IN ('cancelled', 'expired', 'refunded') AND payment_status <> 'failed'; END;
--> statement-breakpoint
CREATE TRIGGER order_begins AFTER INSERT ON orders BEGIN UPDATE users SET order_count = order_count + 1, spent = spent + NEW.total - NEW.refunded_total WHERE NEW.paid_at IS NOT NULL AND id = NEW.user_id; INSERT INTO order_history (order_id, at, kind, "from", "to", actor, note) VALUES (NEW.id, NEW.created_at, 'status', NULL, iif(NEW.paid_at IS NULL, NEW.status, 'pending'), NEW.updated_by, NEW.note); INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note) SELECT NEW.id, NEW.paid_at, iif(NEW.total > 0, 'payment', 'status'), 'pending', NEW.status, nullif(NEW.total, 0), NEW.updated_by, NEW.note WHERE NEW.paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_change_counts_for_customer AFTER UPDATE OF paid_at, status, total, refunded_total ON orders WHEN NEW.user_id IS NOT NULL AND ( iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), -1, NEW.total - NEW.refunded_total) <> iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), -1, OLD.total - OLD.refunded_total)) BEGIN UPDATE users SET order_count = order_count + (NEW.paid_at IS NOT NULL AND NEW.status NOT IN ('cancelled', 'expired')) - (OLD.paid_at IS NOT NULL AND OLD.status NOT IN ('cancelled', 'expired')), spent = spent + iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), 0, NEW.total - NEW.refunded_total) - iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), 0, OLD.total - OLD.refunded_total) WHERE id = NEW.user_id; END;
--> statement-breakpoint
CREATE TRIGGER renewing_order_is_paid_by_provider BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.payment_provider IS NULL AND NEW.payment_method IN ('credit_card') BEGIN SELECT RAISE(ABORT, 'renewal_not_possible') FROM order_items JOIN products ON products.id = product_id WHERE order_id = NEW.id AND quantity > 0 AND renews IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_is_paid_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL BEGIN INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at) SELECT NEW.user_id, NEW.id, order_items.id, quantity, substr(order_items.name || iif(order_items.option_values = '[]', '', ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(order_items.option_values)) || ')'), 1, 200), download_limit * quantity, NEW.paid_at, iif(renews IS NULL OR NEW.payment_provider IS NOT 'stripe', NEW.paid_at + download_days * 86400000, unixepoch(NEW.paid_at / 1000, 'unixepoch', '+1 ' || renews) * 1000) FROM order_items JOIN products ON products.id = product_id WHERE order_id = NEW.id AND quantity > 0 AND NOT NEW.sandbox AND EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = products.id); INSERT INTO license_key_issues (order_item_id, units, issued_at) SELECT id, quantity, NEW.paid_at FROM order_items WHERE order_id = NEW.id AND license IS NOT NULL AND quantity > 0; INSERT INTO gift_card_issues (order_item_id, units) SELECT id, quantity FROM order_items WHERE order_id = NEW.id AND type = 'gift_card' AND quantity > 0; INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at) SELECT NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total END, NEW.note, NEW.paid_at WHERE NEW.total > 0; END;
--> statement-breakpoint
CREATE TRIGGER order_no_excess_pending BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'too_many_pending') FROM unpaid_limits WHERE orders_waiting <= (CASE WHEN NEW.user_id IS NOT NULL THEN (SELECT count(*) FROM orders WHERE user_id = NEW.user_id AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) WHEN NEW.customer_email IS NOT NULL THEN (SELECT count(*) FROM orders WHERE user_id IS NULL AND customer_email = NEW.customer_email AND sandbox = NEW.sandbox AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) ELSE (SELECT count(*) / 10 FROM orders WHERE user_id IS NULL AND customer_email IS NULL AND api_key_id = NEW.api_key_id AND status IN ('pending', 'processing') AND expires_at IS NOT NULL) END); END;
--> statement-breakpoint
CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_sandbox_is_final BEFORE UPDATE OF sandbox ON orders WHEN NEW.sandbox <> OLD.sandbox BEGIN SELECT RAISE(ABORT, 'order_leaves_sandbox'); END;
--> statement-breakpoint
CREATE TRIGGER order_exemption_has_valid_vat_id BEFORE INSERT ON orders WHEN NEW.tax_lines LIKE '%"reverse_charge"%' OR NEW.tax_lines LIKE '%"intra_community_supply"%' BEGIN SELECT RAISE(ABORT, 'vat_id_not_valid') WHERE NEW.vat_check ->> 'status' IS NOT 'valid' OR NEW.vat_check ->> 'vatId' IS NOT coalesce(NEW.billing_address, NEW.shipping_address) ->> 'vat_id'; END;
--> statement-breakpoint
CREATE TRIGGER order_exemption_keeps_vat_id BEFORE UPDATE OF tax_lines, vat_check, billing_address, shipping_address ON orders WHEN (NEW.tax_lines LIKE '%"reverse_charge"%' OR NEW.tax_lines LIKE '%"intra_community_supply"%') AND coalesce(NEW.billing_address, NEW.shipping_address) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'vat_id_not_valid') WHERE NEW.vat_check ->> 'status' IS NOT 'valid' OR NEW.vat_check ->> 'vatId' IS NOT coalesce(NEW.billing_address, NEW.shipping_address) ->> 'vat_id'; END;
--> statement-breakpoint
CREATE TRIGGER order_tags_follow AFTER UPDATE OF tags ON orders WHEN OLD.tags <> NEW.tags BEGIN DELETE FROM order_tags WHERE order_id = NEW.id; INSERT INTO order_tags (tag_id, order_id) SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value; END;
--> statement-breakpoint
CREATE TRIGGER order_end_settles_returns AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired') BEGIN UPDATE returns SET status = 'settled', updated_at = max(NEW.updated_at, updated_at + 1) WHERE order_id = NEW.id AND status NOT IN ('settled', 'declined'); END;
--> statement-breakpoint
CREATE TRIGGER period_refund_shortens_license_keys AFTER UPDATE OF status ON orders WHEN NEW.status IN ('refunded', 'cancelled') AND OLD.status <> NEW.status BEGIN INSERT INTO license_key_renewals (subscription_id) SELECT subscription_id FROM subscription_periods WHERE order_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER orders_no_unlisted_insert BEFORE INSERT ON orders WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded' OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded' OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled' OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal' AND NEW."payment_method" <> 'test_card' AND NEW."payment_method" <> 'bank_transfer' AND NEW."payment_method" <> 'invoice' AND NEW."payment_method" <> 'cash' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER orders_no_unlisted_update BEFORE UPDATE OF "status", "payment_status", "fulfillment_status", "payment_method", "language" ON orders WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded' OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded' OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled' OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal' AND NEW."payment_method" <> 'test_card' AND NEW."payment_method" <> 'bank_transfer' AND NEW."payment_method" <> 'invoice' AND NEW."payment_method" <> 'cash' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER orders_update_is_backed_up AFTER UPDATE ON orders WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('orders', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER orders_deletion_is_backed_up AFTER DELETE ON orders WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('orders', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at, uses ON discounts WHEN NEW.updated_at <> OLD.updated_at OR OLD.code IS NULL AND (OLD.uses >= OLD.max_uses) IS NOT (NEW.uses >= NEW.max_uses) BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_insert BEFORE INSERT ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' OR NEW."applies_to" <> 'all_products' AND NEW."applies_to" <> 'selected_products' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_update BEFORE UPDATE OF "kind", "applies_to" ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' OR NEW."applies_to" <> 'all_products' AND NEW."applies_to" <> 'selected_products' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER stock_management_is_published AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock <> NEW.manage_stock BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'stock.changed', 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM stock_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER gift_card_product_insert BEFORE INSERT ON products WHEN NEW.type = 'gift_card' AND (NEW.price <= 0 AND NEW.options = '[]' OR NEW.requires_shipping OR NEW.license IS NOT NULL OR NEW.renews IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'gift_card_is_only_its_value'); END;
--> statement-breakpoint
CREATE TRIGGER gift_card_product_update BEFORE UPDATE OF type, price, options, requires_shipping, license, renews ON products WHEN NEW.type = 'gift_card' AND (NEW.price <= 0 AND NEW.options = '[]' OR NEW.requires_shipping OR NEW.license IS NOT NULL OR NEW.renews IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'gift_card_is_only_its_value'); END;
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
CREATE TRIGGER product_change_is_inherited AFTER UPDATE OF name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, license, renews, condition, withdrawal, unit_pricing, category_id, tag_ids ON products WHEN NEW.options <> '[]' BEGIN INSERT INTO inheritance_copies (id, at) SELECT id, NEW.updated_at FROM products WHERE parent_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER variant_status_follows_product AFTER UPDATE OF own_status, status ON products WHEN NEW.parent_id IS NOT NULL AND NEW.status <> iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', NEW.own_status, 'draft') BEGIN UPDATE products SET status = iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', own_status, 'draft') WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_status_reaches_variants AFTER UPDATE OF status ON products WHEN NEW.options <> '[]' AND NEW.status <> OLD.status BEGIN UPDATE products SET status = iif(NEW.status = 'active', own_status, 'draft') WHERE parent_id = NEW.id AND status <> iif(NEW.status = 'active', own_status, 'draft'); END;
--> statement-breakpoint
CREATE TRIGGER variant_changes_parent AFTER UPDATE OF own_status, price, unit_pricing, sold_out, sku, barcode, option_values ON products WHEN NEW.parent_id IS NOT NULL AND (OLD.own_status, OLD.price, OLD.unit_pricing, OLD.sold_out, OLD.sku, OLD.barcode, OLD.option_values) IS NOT (NEW.own_status, NEW.price, NEW.unit_pricing, NEW.sold_out, NEW.sku, NEW.barcode, NEW.option_values) BEGIN INSERT INTO variant_recounts (id, prices_only, stock_only) VALUES (NEW.parent_id, (NEW.sku, NEW.barcode, NEW.option_values, NEW.own_status) IS (OLD.sku, OLD.barcode, OLD.option_values, OLD.own_status), (NEW.price, NEW.unit_pricing, NEW.own_status) IS (OLD.price, OLD.unit_pricing, OLD.own_status)); END;
--> statement-breakpoint
CREATE TRIGGER variant_leaves_parent AFTER DELETE ON products WHEN OLD.parent_id IS NOT NULL BEGIN INSERT INTO variant_recounts (id) VALUES (OLD.parent_id); INSERT INTO variant_changes (parent_id, id, at) VALUES (OLD.parent_id, OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER)); END;
--> statement-breakpoint
CREATE TRIGGER parent_begins AFTER INSERT ON products WHEN NEW.options <> '[]' BEGIN INSERT INTO variant_recounts (id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER parent_options_change AFTER UPDATE OF options ON products WHEN NEW.options <> OLD.options BEGIN INSERT INTO variant_recounts (id) VALUES (NEW.id); UPDATE products SET highest_variant_price = NULL, variant_unit_pricing = NULL, sold_out = NOT in_stock, variant_words = '', draft_words = '' WHERE id = NEW.id AND options = '[]'; END;
--> statement-breakpoint
CREATE TRIGGER parent_price_is_computed AFTER UPDATE OF price ON products WHEN NEW.options <> '[]' AND NEW.price <> OLD.price BEGIN INSERT INTO variant_recounts (id, prices_only) VALUES (NEW.id, TRUE); END;
--> statement-breakpoint
CREATE TRIGGER parent_keeps_options BEFORE UPDATE OF options ON products WHEN NEW.options = '[]' AND OLD.variant_count > 0 BEGIN SELECT RAISE(ABORT, 'product_has_variants'); END;
--> statement-breakpoint
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock BEGIN UPDATE products SET sold_out = 1 WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock BEGIN UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_license_keys_are_counted AFTER INSERT ON products WHEN NEW.license ->> 'source' = 'uploaded' AND NEW.options = '[]' BEGIN SELECT RAISE(ABORT, 'stock_not_managed') WHERE NOT NEW.manage_stock; UPDATE products SET stock_quantity = 0 WHERE id = NEW.id AND stock_quantity <> 0; END;
--> statement-breakpoint
CREATE TRIGGER product_license_keys_are_recounted AFTER UPDATE OF license, manage_stock, options ON products WHEN NEW.license ->> 'source' = 'uploaded' AND NEW.options = '[]' AND (NOT NEW.manage_stock OR OLD.license ->> 'source' IS NOT 'uploaded') BEGIN SELECT RAISE(ABORT, 'stock_not_managed') WHERE NOT NEW.manage_stock; UPDATE products SET stock_quantity = (SELECT units FROM unsold_license_keys WHERE product_id = NEW.id) WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER product_changes_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock <> OLD.manage_stock AND NEW.license ->> 'source' IS NOT 'uploaded' BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity) SELECT order_items.id, NEW.id, quantity - refunded_quantity - shipped_quantity FROM order_items JOIN orders ON orders.id = order_id WHERE NEW.manage_stock AND product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity + shipped_quantity ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity; DELETE FROM stock_allocations WHERE NOT NEW.manage_stock AND product_id = NEW.id AND quantity > 0; END;
--> statement-breakpoint
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN (OLD.status = 'active') <> (NEW.status = 'active') BEGIN DELETE FROM withdrawn_products WHERE NEW.status = 'active' AND product_id = NEW.id; INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping, option_values) SELECT OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping, OLD.option_values WHERE NEW.status <> 'active'; END;
--> statement-breakpoint
CREATE TRIGGER product_enters_lists AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO category_products (category_id, status, id, name, price) SELECT list, NEW.status, NEW.id, NEW.sort_name, NEW.price FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id); INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets); END;
--> statement-breakpoint
CREATE TRIGGER product_leaves_lists AFTER DELETE ON products WHEN OLD.parent_id IS NULL BEGIN DELETE FROM category_products WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets); END;
--> statement-breakpoint
CREATE TRIGGER product_changes_in_categories AFTER UPDATE OF status, name, price, category_id ON products WHEN NEW.parent_id IS NULL AND (OLD.status, OLD.name, OLD.price, OLD.category_id) IS NOT (NEW.status, NEW.name, NEW.price, NEW.category_id) BEGIN DELETE FROM category_products WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id) AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; INSERT INTO category_products (category_id, status, id, name, price) SELECT list, NEW.status, NEW.id, NEW.sort_name, NEW.price FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id); UPDATE category_products SET name = NEW.sort_name WHERE NEW.name <> OLD.name AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id; UPDATE category_products SET price = NEW.price WHERE NEW.price <> OLD.price AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER products_search_update AFTER UPDATE OF name, sku, brand, barcode, description, folded_words, variant_words, draft_words, status, type, manage_stock, stock_quantity, sold_out, category_id, tag_ids, price, highest_variant_price ON products WHEN NEW.parent_id IS NULL AND (OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets) IS NOT (NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets) BEGIN INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets); INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets) VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets); END;
--> statement-breakpoint
CREATE TRIGGER compare_at_price_is_higher BEFORE INSERT ON products WHEN NEW.compare_at_price <= NEW.price BEGIN SELECT RAISE(ABORT, 'compare_at_price_is_higher'); END;
--> statement-breakpoint
CREATE TRIGGER compare_at_price_stays_higher BEFORE UPDATE OF price, compare_at_price ON products WHEN NEW.compare_at_price <= NEW.price BEGIN SELECT RAISE(ABORT, 'compare_at_price_is_higher'); END;
--> statement-breakpoint
CREATE TRIGGER unit_pricing_is_valid BEFORE INSERT ON products WHEN NEW.unit_pricing IS NOT NULL AND (json_type(NEW.unit_pricing, '$.measure') = 'integer' AND json_type(NEW.unit_pricing, '$.reference') = 'integer' AND NEW.unit_pricing ->> 'measure' > 0 AND NEW.unit_pricing ->> 'reference' > 0 AND (NEW.unit_pricing ->> 'unit', NEW.unit_pricing ->> 'referenceUnit') IN (VALUES ('mg', 'mg'), ('mg', 'g'), ('mg', 'kg'), ('g', 'mg'), ('g', 'g'), ('g', 'kg'), ('kg', 'mg'), ('kg', 'g'), ('kg', 'kg'), ('ml', 'ml'), ('ml', 'cl'), ('ml', 'l'), ('ml', 'cbm'), ('cl', 'ml'), ('cl', 'cl'), ('cl', 'l'), ('cl', 'cbm'), ('l', 'ml'), ('l', 'cl'), ('l', 'l'), ('l', 'cbm'), ('cbm', 'ml'), ('cbm', 'cl'), ('cbm', 'l'), ('cbm', 'cbm'), ('cm', 'cm'), ('cm', 'm'), ('m', 'cm'), ('m', 'm'), ('sqm', 'sqm'), ('oz', 'oz'), ('oz', 'lb'), ('lb', 'oz'), ('lb', 'lb'), ('floz', 'floz'), ('floz', 'pt'), ('floz', 'qt'), ('floz', 'gal'), ('pt', 'floz'), ('pt', 'pt'), ('pt', 'qt'), ('pt', 'gal'), ('qt', 'floz'), ('qt', 'pt'), ('qt', 'qt'), ('qt', 'gal'), ('gal', 'floz'), ('gal', 'pt'), ('gal', 'qt'), ('gal', 'gal'), ('in', 'in'), ('in', 'ft'), ('in', 'yd'), ('ft', 'in'), ('ft', 'ft'), ('ft', 'yd'), ('yd', 'in'), ('yd', 'ft'), ('yd', 'yd'), ('sqft', 'sqft'), ('item', 'item'))) IS NOT TRUE BEGIN SELECT RAISE(ABORT, 'unit_pricing_is_valid'); END;
--> statement-breakpoint
CREATE TRIGGER unit_pricing_stays_valid BEFORE UPDATE OF unit_pricing ON products WHEN NEW.unit_pricing IS NOT NULL AND (json_type(NEW.unit_pricing, '$.measure') = 'integer' AND json_type(NEW.unit_pricing, '$.reference') = 'integer' AND NEW.unit_pricing ->> 'measure' > 0 AND NEW.unit_pricing ->> 'reference' > 0 AND (NEW.unit_pricing ->> 'unit', NEW.unit_pricing ->> 'referenceUnit') IN (VALUES ('mg', 'mg'), ('mg', 'g'), ('mg', 'kg'), ('g', 'mg'), ('g', 'g'), ('g', 'kg'), ('kg', 'mg'), ('kg', 'g'), ('kg', 'kg'), ('ml', 'ml'), ('ml', 'cl'), ('ml', 'l'), ('ml', 'cbm'), ('cl', 'ml'), ('cl', 'cl'), ('cl', 'l'), ('cl', 'cbm'), ('l', 'ml'), ('l', 'cl'), ('l', 'l'), ('l', 'cbm'), ('cbm', 'ml'), ('cbm', 'cl'), ('cbm', 'l'), ('cbm', 'cbm'), ('cm', 'cm'), ('cm', 'm'), ('m', 'cm'), ('m', 'm'), ('sqm', 'sqm'), ('oz', 'oz'), ('oz', 'lb'), ('lb', 'oz'), ('lb', 'lb'), ('floz', 'floz'), ('floz', 'pt'), ('floz', 'qt'), ('floz', 'gal'), ('pt', 'floz'), ('pt', 'pt'), ('pt', 'qt'), ('pt', 'gal'), ('qt', 'floz'), ('qt', 'pt'), ('qt', 'qt'), ('qt', 'gal'), ('gal', 'floz'), ('gal', 'pt'), ('gal', 'qt'), ('gal', 'gal'), ('in', 'in'), ('in', 'ft'), ('in', 'yd'), ('ft', 'in'), ('ft', 'ft'), ('ft', 'yd'), ('yd', 'in'), ('yd', 'ft'), ('yd', 'yd'), ('sqft', 'sqft'), ('item', 'item'))) IS NOT TRUE BEGIN SELECT RAISE(ABORT, 'unit_pricing_is_valid'); END;
--> statement-breakpoint
CREATE TRIGGER product_price_is_remembered AFTER UPDATE OF price ON products WHEN NEW.price <> OLD.price AND NEW.options = '[]' BEGIN INSERT INTO price_history (product_id, price, ended_at) VALUES (NEW.id, OLD.price, NEW.updated_at); END;
--> statement-breakpoint
CREATE TRIGGER product_reduction_has_prior_price AFTER UPDATE OF price, compare_at_price ON products WHEN NEW.compare_at_price IS NOT NULL AND (OLD.compare_at_price IS NULL OR NEW.price <> OLD.price) BEGIN UPDATE products SET prior_price = min(OLD.price, coalesce(( SELECT min(price) FROM price_history WHERE product_id = NEW.id AND ended_at > NEW.updated_at - 2592000000 ), OLD.price)) WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER products_id_is_new AFTER INSERT ON products WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'products') BEGIN SELECT RAISE(ABORT, 'id_given_before'); END;
--> statement-breakpoint
CREATE TRIGGER product_keeps_former_slug AFTER UPDATE OF slug ON products WHEN NEW.slug <> OLD.slug BEGIN INSERT INTO former_product_slugs (slug, product_id) VALUES (OLD.slug, NEW.id) ON CONFLICT DO UPDATE SET product_id = excluded.product_id; END;
--> statement-breakpoint
CREATE TRIGGER products_no_unlisted_insert BEFORE INSERT ON products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' OR NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."condition" <> 'new' AND NEW."condition" <> 'refurbished' AND NEW."condition" <> 'used' OR NEW."withdrawal" <> 'standard' AND NEW."withdrawal" <> 'sealed' AND NEW."withdrawal" <> 'personalized' AND NEW."withdrawal" <> 'perishable' AND NEW."withdrawal" <> 'periodical' AND NEW."withdrawal" <> 'dated_service' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."renews" <> 'month' AND NEW."renews" <> 'year' OR NEW."own_status" <> 'active' AND NEW."own_status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER products_no_unlisted_update BEFORE UPDATE OF "type", "status", "condition", "withdrawal", "tax_class", "renews", "own_status" ON products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' OR NEW."status" <> 'active' AND NEW."status" <> 'draft' OR NEW."condition" <> 'new' AND NEW."condition" <> 'refurbished' AND NEW."condition" <> 'used' OR NEW."withdrawal" <> 'standard' AND NEW."withdrawal" <> 'sealed' AND NEW."withdrawal" <> 'personalized' AND NEW."withdrawal" <> 'perishable' AND NEW."withdrawal" <> 'periodical' AND NEW."withdrawal" <> 'dated_service' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."renews" <> 'month' AND NEW."renews" <> 'year' OR NEW."own_status" <> 'active' AND NEW."own_status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER products_update_is_backed_up AFTER UPDATE ON products WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('products', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER products_deletion_is_backed_up AFTER DELETE ON products WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('products', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_status_is_published AFTER INSERT ON order_history WHEN NEW.kind IN ('status', 'payment') BEGIN INSERT INTO events (type, subject, created_at, data) SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'status', NEW."to", 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency) FROM orders JOIN ( SELECT 'order.created' AS type WHERE NEW."from" IS NULL UNION ALL SELECT 'order.paid' WHERE NEW.kind = 'payment' OR NEW."from" IN ('pending', 'expired') AND NEW."to" IN ('processing', 'completed') UNION ALL SELECT 'order.' || NEW."to" WHERE NEW."to" IN ('shipped', 'completed', 'cancelled', 'expired') AND NEW."from" IS NOT NEW."to" ) WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_refund_is_published AFTER INSERT ON order_history WHEN NEW.kind LIKE '%refund%' OR NEW.kind = 'payment_returned' BEGIN INSERT INTO events (type, subject, created_at, data) SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'amount', NEW.amount, 'currency', coalesce(NEW.currency, currency), 'refunded_total', refunded_total) FROM orders JOIN ( SELECT 'refund.created' AS type WHERE NEW.kind IN ('refund', 'edit_refund', 'payment_returned') UNION ALL SELECT 'refund.succeeded' WHERE NEW.kind IN ('refund', 'edit_refund', 'refund_sent') UNION ALL SELECT 'refund.failed' WHERE NEW.kind = 'refund_failed' ) WHERE id = NEW.order_id AND NOT (NEW.kind IN ('refund', 'edit_refund') AND type = 'refund.succeeded' AND payment_provider IS NOT NULL AND NEW.amount > 0 AND total - refunded_total + NEW.amount > received_by_hand); END;
--> statement-breakpoint
CREATE TRIGGER order_edit_is_published AFTER INSERT ON order_history WHEN NEW.kind LIKE 'edit%' OR NEW.kind = 'dispute_opened' BEGIN INSERT INTO events (type, subject, created_at, data) SELECT iif(NEW.kind = 'dispute_opened', 'order.disputed', 'order.edited'), 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'status', status, 'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_history_dates_order AFTER INSERT ON order_history WHEN NEW.kind IN ('payment_returned', 'refund_sent', 'refund_failed', 'dispute_opened', 'dispute_closed') BEGIN UPDATE orders SET updated_at = max(NEW.at, updated_at + 1) WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_delete BEFORE DELETE ON order_history BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER refund_settles_returns AFTER INSERT ON order_history WHEN NEW.kind = 'refund' BEGIN UPDATE returns SET refund_id = NEW.id WHERE order_id = NEW.order_id AND status = 'settled' AND refund_id IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_unlisted_insert BEFORE INSERT ON order_history WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'edit' AND NEW."kind" <> 'edit_charge' AND NEW."kind" <> 'edit_refund' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed' AND NEW."kind" <> 'dispute_opened' AND NEW."kind" <> 'dispute_closed' OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_history_no_unlisted_update BEFORE UPDATE OF "kind", "from", "to" ON order_history WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'edit' AND NEW."kind" <> 'edit_charge' AND NEW."kind" <> 'edit_refund' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed' AND NEW."kind" <> 'dispute_opened' AND NEW."kind" <> 'dispute_closed' OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded' OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_history_update_is_backed_up AFTER UPDATE ON order_history WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_history', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_history_deletion_is_backed_up AFTER DELETE ON order_history WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_history', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipment_is_published AFTER INSERT ON shipments BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'shipment.created', 'order:' || id, NEW.shipped_at, json_object('shipment_id', NEW.id, 'order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'test', json(iif(payment_method = 'test_card', 'true', 'false'))) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER shipment_no_closed_order BEFORE INSERT ON shipments WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND status = 'processing') BEGIN SELECT RAISE(ABORT, 'shipment_order_closed'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_no_delete BEFORE DELETE ON shipments WHEN NOT EXISTS ( SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE orders.id = OLD.order_id AND erased_at IS NOT NULL ) BEGIN SELECT RAISE(ABORT, 'shipments_stay'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_update_is_backed_up AFTER UPDATE ON shipments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipments', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipments_deletion_is_backed_up AFTER DELETE ON shipments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipments', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL BEGIN INSERT INTO package_files (package_id, file_id, user_id, standing, expires_at) SELECT NEW.id, file_id, package_standings.user_id, standing, package_standings.expires_at FROM order_items JOIN product_files USING (product_id) JOIN package_standings ON package_standings.id = NEW.id WHERE order_items.id = NEW.order_item_id; END;
--> statement-breakpoint
CREATE TRIGGER package_files_follow AFTER UPDATE OF user_id, revoked_at, expires_at, download_limit, downloads_used ON packages WHEN (NEW.user_id, NEW.revoked_at IS NULL, NEW.expires_at, NEW.download_limit IS NULL, coalesce(NEW.downloads_used < NEW.download_limit, 0)) IS NOT (OLD.user_id, OLD.revoked_at IS NULL, OLD.expires_at, OLD.download_limit IS NULL, coalesce(OLD.downloads_used < OLD.download_limit, 0)) BEGIN UPDATE package_files SET (user_id, standing, expires_at) = ( SELECT user_id, standing, expires_at FROM package_standings WHERE id = NEW.id) WHERE package_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER packages_no_delete BEFORE DELETE ON packages BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER guest_package_finds_account AFTER INSERT ON packages WHEN NEW.user_id IS NULL BEGIN UPDATE packages SET user_id = users.id FROM orders JOIN users ON users.email = customer_email WHERE packages.id = NEW.id AND orders.id = NEW.order_id AND email_verified_at IS NOT NULL AND disabled_at IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER packages_update_is_backed_up AFTER UPDATE ON packages WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('packages', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER packages_deletion_is_backed_up AFTER DELETE ON packages WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('packages', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER withdrawn_products_no_unlisted_insert BEFORE INSERT ON withdrawn_products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawn_products_no_unlisted_update BEFORE UPDATE OF "type" ON withdrawn_products WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER gift_card_is_sold_at_its_value BEFORE INSERT ON order_items WHEN NEW.type = 'gift_card' AND (NEW.unit_price <= 0 OR NEW.list_price IS NOT NULL OR NEW.discount <> 0 OR NEW.tax <> 0 OR NEW.requires_shipping) BEGIN SELECT RAISE(ABORT, 'gift_card_price_is_its_value'); END;
--> statement-breakpoint
CREATE TRIGGER gift_card_keeps_its_price BEFORE UPDATE OF type, unit_price, discount, tax ON order_items WHEN OLD.type = 'gift_card' AND (NEW.type, NEW.unit_price, NEW.discount, NEW.tax) IS NOT (OLD.type, OLD.unit_price, OLD.discount, OLD.tax) BEGIN SELECT RAISE(ABORT, 'gift_card_price_is_its_value'); END;
--> statement-breakpoint
CREATE TRIGGER order_item_issues_gift_cards AFTER INSERT ON order_items WHEN NEW.type = 'gift_card' BEGIN INSERT INTO gift_card_issues (order_item_id, units) SELECT NEW.id, NEW.quantity FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_issues_gift_cards AFTER UPDATE OF quantity ON order_items WHEN NEW.type = 'gift_card' AND NEW.quantity > OLD.quantity BEGIN INSERT INTO gift_card_issues (order_item_id, units) SELECT NEW.id, NEW.quantity - OLD.quantity FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER gift_cards_end_with_units AFTER UPDATE OF quantity, refunded_quantity ON order_items WHEN NEW.type = 'gift_card' AND NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity BEGIN SELECT RAISE(ABORT, 'gift_card_in_use') WHERE NEW.quantity - NEW.refunded_quantity < ( SELECT count(*) FROM gift_cards WHERE order_item_id = NEW.id AND balance < value); UPDATE gift_cards SET ended_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = updated_at + 1 WHERE order_item_id = NEW.id AND ended_at IS NULL AND id NOT IN ( SELECT id FROM gift_cards AS kept WHERE order_item_id = NEW.id ORDER BY balance = value, ended_at IS NOT NULL, id LIMIT NEW.quantity - NEW.refunded_quantity ); END;
--> statement-breakpoint
CREATE TRIGGER order_edit_issues_license_keys AFTER UPDATE OF quantity ON order_items WHEN NEW.license IS NOT NULL AND NEW.quantity > OLD.quantity BEGIN INSERT INTO license_key_issues (order_item_id, units, issued_at) SELECT NEW.id, NEW.quantity - OLD.quantity, max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER license_keys_end_with_units AFTER UPDATE OF quantity, refunded_quantity ON order_items WHEN NEW.license IS NOT NULL AND NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity BEGIN UPDATE license_keys SET revoked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = updated_at + 1 WHERE order_item_id = NEW.id AND revoked_at IS NULL AND id NOT IN ( SELECT id FROM license_keys AS kept WHERE order_item_id = NEW.id AND revoked_at IS NULL ORDER BY activations DESC, id LIMIT NEW.quantity - NEW.refunded_quantity ) AND NOT EXISTS ( SELECT 1 FROM subscriptions JOIN subscription_periods ON subscription_id = subscriptions.id JOIN orders ON orders.id = subscription_periods.order_id WHERE subscriptions.order_id = NEW.order_id AND orders.id <> NEW.order_id AND status NOT IN ('refunded', 'cancelled') ); END;
--> statement-breakpoint
CREATE TRIGGER order_edit_no_unsold_units BEFORE UPDATE OF quantity ON order_items WHEN NEW.quantity > OLD.quantity BEGIN SELECT (CASE WHEN status <> 'active' THEN RAISE(ABORT, 'product_unavailable') WHEN options <> '[]' THEN RAISE(ABORT, 'choose_variant') END) FROM products WHERE id = NEW.product_id; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_changes_line AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity <> OLD.quantity BEGIN SELECT RAISE(ABORT, 'downloads_used') FROM packages WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity AND downloads_used > 0; UPDATE packages SET units = NEW.quantity, download_limit = iif(NEW.quantity > 0, download_limit * NEW.quantity / OLD.quantity, download_limit), revoked_at = iif(NEW.quantity > 0, revoked_at, coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))) WHERE order_item_id = NEW.id AND OLD.quantity > 0; UPDATE stock_allocations SET quantity = min(quantity, NEW.quantity) WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity; INSERT INTO stock_allocations (order_item_id, product_id, quantity, unpaid_by) SELECT NEW.id, NEW.product_id, NEW.quantity - OLD.quantity, (CASE WHEN orders.expires_at IS NULL THEN NULL WHEN user_id IS NOT NULL THEN 'user:' || user_id WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email ELSE 'api_key:' || api_key_id END) FROM orders JOIN products ON products.id = NEW.product_id AND manage_stock WHERE orders.id = NEW.order_id AND NEW.quantity > OLD.quantity AND NOT orders.sandbox ON CONFLICT (order_item_id) DO UPDATE SET quantity = quantity + excluded.quantity; END;
--> statement-breakpoint
CREATE TRIGGER order_edit_no_excess_packages AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity > OLD.quantity AND (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)) AND 100 < ( SELECT sum(quantity) FROM order_items WHERE order_id = NEW.order_id AND (license IS NOT NULL OR type = 'gift_card' OR product_id IN (SELECT product_id FROM product_files)) ) BEGIN SELECT RAISE(ABORT, 'too_many_packages'); END;
--> statement-breakpoint
CREATE TRIGGER order_no_excess_packages AFTER INSERT ON order_items WHEN (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)) AND 100 < ( SELECT sum(quantity) FROM order_items WHERE order_id = NEW.order_id AND (license IS NOT NULL OR type = 'gift_card' OR product_id IN (SELECT product_id FROM product_files)) ) BEGIN SELECT RAISE(ABORT, 'too_many_packages'); END;
--> statement-breakpoint
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by, unpaid_from) SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity), iif(orders.status = 'completed', NEW.quantity, 0), CASE WHEN orders.expires_at IS NULL THEN NULL WHEN user_id IS NOT NULL THEN 'user:' || user_id WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email ELSE 'api_key:' || api_key_id END, unpaid_from FROM orders LEFT JOIN products ON products.id = NEW.product_id WHERE orders.id = NEW.order_id AND (CASE WHEN renewal_of IS NOT NULL THEN FALSE WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable') WHEN products.options <> '[]' THEN RAISE(ABORT, 'choose_variant') WHEN products.price <> coalesce(NEW.list_price, NEW.unit_price) THEN RAISE(ABORT, 'price_changed') WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required') WHEN orders.user_id IS NULL AND customer_email IS NULL AND (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)) THEN RAISE(ABORT, 'files_need_an_email') WHEN products.renews IS NOT NULL AND (payment_provider IS NOT 'stripe' OR paid_at IS NOT NULL OR NEW.quantity <> 1) THEN RAISE(ABORT, 'renewal_not_possible') ELSE manage_stock AND NOT sandbox END); END;
--> statement-breakpoint
CREATE TRIGGER order_is_charged AFTER INSERT ON order_items WHEN NOT EXISTS (SELECT 1 FROM transactions WHERE order_id = NEW.order_id AND kind = 'charge') BEGIN INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at) SELECT user_id, api_key_id, id, 'charge', payment_method, -total, CASE payment_method WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE users.id = orders.user_id) - total END, note, paid_at FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL AND total > 0; END;
--> statement-breakpoint
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) BEGIN INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at) SELECT user_id, orders.id, NEW.id, NEW.quantity, substr(NEW.name || iif(NEW.option_values = '[]', '', ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(NEW.option_values)) || ')'), 1, 200), download_limit * NEW.quantity, orders.updated_at, iif(renews IS NULL, orders.updated_at + download_days * 86400000, unixepoch(orders.updated_at / 1000, 'unixepoch', '+1 ' || renews) * 1000) FROM orders JOIN products ON products.id = NEW.product_id WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL AND NOT sandbox; END;
--> statement-breakpoint
CREATE TRIGGER order_item_issues_license_keys AFTER INSERT ON order_items WHEN NEW.license IS NOT NULL BEGIN INSERT INTO license_key_issues (order_item_id, units, issued_at) SELECT NEW.id, NEW.quantity, max(updated_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL AND renewal_of IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER refund_changes_line AFTER UPDATE OF refunded_quantity ON order_items WHEN NEW.refunded_quantity > OLD.refunded_quantity BEGIN INSERT INTO refund_lines (order_item_id, refunded_before, refunded, created_at) VALUES (NEW.id, OLD.refunded_quantity, NEW.refunded_quantity, CAST(unixepoch('subsec') * 1000 AS INTEGER)); UPDATE packages SET units = NEW.quantity - NEW.refunded_quantity, download_limit = iif(NEW.refunded_quantity < NEW.quantity, max(downloads_used, download_limit * (NEW.quantity - NEW.refunded_quantity) / units), download_limit), revoked_at = iif(NEW.refunded_quantity < NEW.quantity, revoked_at, coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))) WHERE order_item_id = NEW.id AND units > NEW.quantity - NEW.refunded_quantity; END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_delete BEFORE DELETE ON order_items BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER order_item_keeps_returning_units BEFORE UPDATE OF quantity, refunded_quantity ON order_items WHEN NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity AND NEW.quantity - NEW.refunded_quantity < (SELECT sum(quantity) FROM units_in_returns WHERE order_item_id = NEW.id) BEGIN SELECT RAISE(ABORT, 'units_in_return'); END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_unlisted_insert BEFORE INSERT ON order_items WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."withdrawal" <> 'standard' AND NEW."withdrawal" <> 'sealed' AND NEW."withdrawal" <> 'personalized' AND NEW."withdrawal" <> 'perishable' AND NEW."withdrawal" <> 'periodical' AND NEW."withdrawal" <> 'dated_service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_items_no_unlisted_update BEFORE UPDATE OF "type", "tax_class", "withdrawal" ON order_items WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service' AND NEW."type" <> 'gift_card' OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt' OR NEW."withdrawal" <> 'standard' AND NEW."withdrawal" <> 'sealed' AND NEW."withdrawal" <> 'personalized' AND NEW."withdrawal" <> 'perishable' AND NEW."withdrawal" <> 'periodical' AND NEW."withdrawal" <> 'dated_service' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER order_items_update_is_backed_up AFTER UPDATE ON order_items WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_items', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_items_deletion_is_backed_up AFTER DELETE ON order_items WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_items', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shop_change_versions_pricing AFTER UPDATE OF home_country, home_region, prices_include_tax, vat_id, small_business, language ON shop WHEN (OLD.home_country, OLD.home_region, OLD.prices_include_tax, OLD.vat_id, OLD.small_business, OLD.language) IS NOT (NEW.home_country, NEW.home_region, NEW.prices_include_tax, NEW.vat_id, NEW.small_business, NEW.language) BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shop_creation_versions_pricing AFTER INSERT ON shop BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER shop_time_zone_restarts_sales AFTER UPDATE OF time_zone ON shop WHEN OLD.time_zone <> NEW.time_zone BEGIN DELETE FROM sales; DELETE FROM sales_progress; DELETE FROM failed_items WHERE queue = 'add_up_sales'; END;
--> statement-breakpoint
CREATE TRIGGER shop_creation_restarts_sales AFTER INSERT ON shop WHEN NEW.time_zone <> 'UTC' BEGIN DELETE FROM sales; DELETE FROM sales_progress; DELETE FROM failed_items WHERE queue = 'add_up_sales'; END;
--> statement-breakpoint
CREATE TRIGGER shop_currency_is_not_in_use BEFORE UPDATE OF currency ON shop WHEN NEW.currency IS NOT OLD.currency AND (EXISTS (SELECT 1 FROM orders) OR EXISTS (SELECT 1 FROM transactions) OR EXISTS (SELECT 1 FROM gift_cards) OR EXISTS (SELECT 1 FROM products) OR EXISTS (SELECT 1 FROM discounts WHERE coalesce(amount, minimum_subtotal) IS NOT NULL) OR EXISTS (SELECT 1 FROM shipping_methods) OR EXISTS (SELECT 1 FROM draft_orders) OR EXISTS (SELECT 1 FROM checkout_sessions)) BEGIN SELECT RAISE(ABORT, 'currency_in_use'); END;
--> statement-breakpoint
CREATE TRIGGER first_shop_currency_is_not_in_use BEFORE INSERT ON shop WHEN NEW.currency <> ifnull((SELECT currency FROM shop), '') AND (EXISTS (SELECT 1 FROM orders) OR EXISTS (SELECT 1 FROM transactions) OR EXISTS (SELECT 1 FROM gift_cards) OR EXISTS (SELECT 1 FROM products) OR EXISTS (SELECT 1 FROM discounts WHERE coalesce(amount, minimum_subtotal) IS NOT NULL) OR EXISTS (SELECT 1 FROM shipping_methods) OR EXISTS (SELECT 1 FROM draft_orders) OR EXISTS (SELECT 1 FROM checkout_sessions)) BEGIN SELECT RAISE(ABORT, 'currency_in_use'); END;
--> statement-breakpoint
CREATE TRIGGER shop_no_unlisted_insert BEFORE INSERT ON shop WHEN NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' OR NEW."agent_access" <> 'off' AND NEW."agent_access" <> 'listed' AND NEW."agent_access" <> 'signed' AND NEW."agent_access" <> 'open' OR NEW."invoice_moment" <> 'manual' AND NEW."invoice_moment" <> 'payment' AND NEW."invoice_moment" <> 'shipment' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER shop_no_unlisted_update BEFORE UPDATE OF "language", "agent_access", "invoice_moment" ON shop WHEN NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' OR NEW."agent_access" <> 'off' AND NEW."agent_access" <> 'listed' AND NEW."agent_access" <> 'signed' AND NEW."agent_access" <> 'open' OR NEW."invoice_moment" <> 'manual' AND NEW."invoice_moment" <> 'payment' AND NEW."invoice_moment" <> 'shipment' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER inheritance_is_copied INSTEAD OF INSERT ON inheritance_copies BEGIN UPDATE products SET category_id = parent.category_id, tags = parent.tags, tag_ids = parent.tag_ids FROM products AS parent WHERE products.id = NEW.id AND parent.id = products.parent_id AND (products.category_id, products.tag_ids) IS NOT (parent.category_id, parent.tag_ids); UPDATE products SET (name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, license, renews, condition, withdrawal, unit_pricing) = (SELECT name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, license, renews, condition, withdrawal, unit_pricing FROM inherited_values WHERE id = NEW.id), updated_at = ifnull(max(updated_at + 1, NEW.at), updated_at), related_updated_at = ifnull(max(updated_at + 1, NEW.at), related_updated_at) WHERE id = NEW.id AND (name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, license, renews, condition, withdrawal, unit_pricing) IS NOT (SELECT name, description, brand, seo_title, seo_description, type, images, requires_shipping, weight_grams, tax_class, download_limit, download_days, license, renews, condition, withdrawal, unit_pricing FROM inherited_values WHERE id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER variant_keeps_file AFTER UPDATE OF inherited ON product_files WHEN OLD.inherited AND NOT NEW.inherited BEGIN INSERT INTO variant_file_owners (id) VALUES (NEW.product_id); END;
--> statement-breakpoint
CREATE TRIGGER product_file_reaches_variants AFTER INSERT ON product_files BEGIN INSERT INTO product_files (product_id, file_id, inherited) SELECT id, NEW.file_id, 1 FROM products WHERE parent_id = NEW.product_id AND instr(inherits, '"file_ids"') ON CONFLICT DO NOTHING; INSERT INTO inherited_file_changes (parent_id) VALUES (NEW.product_id); INSERT INTO variant_file_owners (id) SELECT NEW.product_id WHERE NOT NEW.inherited; END;
--> statement-breakpoint
CREATE TRIGGER product_file_leaves_variants AFTER DELETE ON product_files BEGIN DELETE FROM product_files WHERE file_id = OLD.file_id AND inherited AND product_id IN (SELECT id FROM products WHERE parent_id = OLD.product_id); INSERT INTO inherited_file_changes (parent_id) VALUES (OLD.product_id); END;
--> statement-breakpoint
CREATE TRIGGER sessions_no_unlisted_insert BEFORE INSERT ON sessions WHEN NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER sessions_no_unlisted_update BEFORE UPDATE OF "resource" ON sessions WHEN NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER sessions_update_is_backed_up AFTER UPDATE ON sessions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('sessions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER sessions_deletion_is_backed_up AFTER DELETE ON sessions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('sessions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending BEGIN SELECT RAISE(ABORT, 'session_needs_reauthentication') WHERE NEW.session_limit IS NOT NULL AND NEW.amount > 0 AND NEW.amount + ( SELECT coalesce(sum(amount), 0) FROM staff_spending WHERE session_id = NEW.session_id AND created_at >= NEW.authenticated_at ) > NEW.session_limit; SELECT RAISE(ABORT, 'staff_spending_limit') WHERE NEW.amount + ( SELECT coalesce(sum(amount), 0) FROM staff_spending WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000 ) > NEW.day_limit; END;
--> statement-breakpoint
CREATE TRIGGER adjustment_no_unmanaged_stock BEFORE INSERT ON stock_adjustments WHEN NOT EXISTS ( SELECT 1 FROM products LEFT JOIN unsold_license_keys ON product_id = id WHERE id = NEW.product_id AND manage_stock AND stock_quantity + NEW.delta = coalesce(units, stock_quantity + NEW.delta) ) BEGIN SELECT RAISE(ABORT, 'stock_not_managed'); END;
--> statement-breakpoint
CREATE TRIGGER adjustment_changes_stock AFTER INSERT ON stock_adjustments BEGIN UPDATE products SET stock_quantity = stock_quantity + NEW.delta WHERE id = NEW.product_id; END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_no_update BEFORE UPDATE ON stock_adjustments BEGIN SELECT RAISE(ABORT, 'stock_adjustments_are_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_update_is_backed_up AFTER UPDATE ON stock_adjustments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_adjustments', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_deletion_is_backed_up AFTER DELETE ON stock_adjustments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_adjustments', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, sent, written_off ON stock_allocations WHEN OLD.quantity + OLD.sent + OLD.written_off <> NEW.quantity + NEW.sent + NEW.written_off BEGIN UPDATE products SET stock_quantity = stock_quantity + OLD.quantity + OLD.sent + OLD.written_off - NEW.quantity - NEW.sent - NEW.written_off WHERE id = NEW.product_id AND manage_stock AND (license ->> 'source' IS NOT 'uploaded' OR NEW.quantity + NEW.sent + NEW.written_off > OLD.quantity + OLD.sent + OLD.written_off OR EXISTS ( SELECT 1 FROM order_items JOIN orders ON orders.id = order_id WHERE order_items.id = NEW.order_item_id AND order_items.license ->> 'source' = 'uploaded' AND paid_at IS NULL )); END;
--> statement-breakpoint
CREATE TRIGGER unpaid_order_no_excess_stock BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by IS NOT NULL BEGIN SELECT RAISE(ABORT, 'too_much_unpaid') FROM unpaid_limits, products, ( SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations WHERE product_id = NEW.product_id AND unpaid_by = NEW.unpaid_by ) WHERE products.id = NEW.product_id AND held + NEW.quantity > max(units_held, (stock_quantity + held) * percent_held / 100) * iif(NEW.unpaid_by LIKE 'api_key:%', 10, 1); END;
--> statement-breakpoint
CREATE TRIGGER unpaid_order_no_excess_of_network BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_from IS NOT NULL BEGIN SELECT RAISE(ABORT, 'too_much_unpaid') FROM unpaid_limits, products, ( SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations WHERE product_id = NEW.product_id AND unpaid_from = NEW.unpaid_from ) WHERE products.id = NEW.product_id AND held + NEW.quantity > max(units_held, (stock_quantity + held) * percent_held / 100) * 2; END;
--> statement-breakpoint
CREATE TRIGGER unpaid_order_no_excess_unverified BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by LIKE 'user:%' BEGIN SELECT RAISE(ABORT, 'too_much_unverified') FROM users, unpaid_limits WHERE users.id = CAST(substr(NEW.unpaid_by, 6) AS INTEGER) AND email_verified_at IS NULL AND NEW.quantity + ( SELECT coalesce(sum(stock_allocations.quantity), 0) FROM orders JOIN order_items ON order_items.order_id = orders.id JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id WHERE orders.user_id = users.id AND orders.status IN ('pending', 'processing') AND stock_allocations.unpaid_by IS NOT NULL ) > units_unverified; END;
--> statement-breakpoint
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations BEGIN UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock; END;
--> statement-breakpoint
CREATE TRIGGER stock_allocations_update_is_backed_up AFTER UPDATE ON stock_allocations WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_allocations', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER stock_allocations_deletion_is_backed_up AFTER DELETE ON stock_allocations WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_allocations', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER transaction_redeems_gift_card AFTER INSERT ON transactions WHEN NEW.gift_card_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'gift_card_ended') WHERE NOT EXISTS (SELECT 1 FROM gift_cards WHERE id = NEW.gift_card_id AND ended_at IS NULL AND balance > 0 AND NOT test); SELECT RAISE(ABORT, 'gift_card_ledger_mismatch') WHERE (NEW.kind, NEW.method) <> ('credit', 'wallet') OR NEW.amount <= 0 OR NEW.currency IS NOT NULL; UPDATE gift_cards SET balance = balance - NEW.amount, updated_at = max(updated_at + 1, NEW.created_at) WHERE id = NEW.gift_card_id; END;
--> statement-breakpoint
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions WHEN NEW.note IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND erased_at IS NOT NULL) OR (NEW.id, NEW.user_id, NEW.api_key_id, NEW.order_id, NEW.kind, NEW.method, NEW.amount, NEW.currency, NEW.balance_after, NEW.created_at, NEW.gift_card_id) IS NOT (OLD.id, OLD.user_id, OLD.api_key_id, OLD.order_id, OLD.kind, OLD.method, OLD.amount, OLD.currency, OLD.balance_after, OLD.created_at, OLD.gift_card_id) BEGIN SELECT RAISE(ABORT, 'ledger_is_append_only'); END;
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
CREATE TRIGGER transactions_update_is_backed_up AFTER UPDATE ON transactions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('transactions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER transactions_deletion_is_backed_up AFTER DELETE ON transactions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('transactions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER staff_invitations_no_unlisted_insert BEFORE INSERT ON staff_invitations WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'packer' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER staff_invitations_no_unlisted_update BEFORE UPDATE OF "role" ON staff_invitations WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'packer' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id) IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id) OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND ( OLD.at < unixepoch() * 1000 - 2592000000 OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL))) OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT ( OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL) OR OLD.subject = 'staff_invitation' AND NEW.before IS NULL AND NEW.after IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE email = coalesce(OLD.after, OLD.before) ->> 'email') AND NOT EXISTS (SELECT 1 FROM staff_invitations WHERE email = coalesce(OLD.after, OLD.before) ->> 'email') OR ifnull(NEW.before, '') IN (ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), ''), ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason', '$.metadata', '$.item_metadata'), '')) AND ifnull(NEW.after, '') IN (ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), ''), ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason', '$.metadata', '$.item_metadata'), '')) AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id) WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id) END)) BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_update_is_backed_up AFTER UPDATE ON audit_log WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('audit_log', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER audit_log_deletion_is_backed_up AFTER DELETE ON audit_log WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('audit_log', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts BEGIN UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock; UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out FROM variant_prices AS counted WHERE products.id = counted.id; UPDATE products SET variant_unit_pricing = cheapest.unit_pricing FROM cheapest_variants AS cheapest WHERE products.id = cheapest.id; UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words FROM variant_texts AS counted WHERE products.id = counted.id; DELETE FROM category_products; INSERT INTO category_products (category_id, status, id, name, price) SELECT 0 AS list, status, id, sort_name, price FROM products WHERE parent_id IS NULL UNION ALL SELECT list, status, id, sort_name, price FROM products CROSS JOIN category_lists USING (category_id) WHERE parent_id IS NULL ORDER BY list, status, id; DELETE FROM product_counts; INSERT INTO product_counts (category_id, status, items) SELECT category_id, status, count(*) FROM category_products GROUP BY category_id, status; END;
--> statement-breakpoint
CREATE TRIGGER app_code_no_second_use BEFORE UPDATE OF spent_at ON app_codes WHEN OLD.spent_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'app_code_is_spent'); END;
--> statement-breakpoint
CREATE TRIGGER app_codes_no_unlisted_insert BEFORE INSERT ON app_codes WHEN NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER app_codes_no_unlisted_update BEFORE UPDATE OF "resource" ON app_codes WHEN NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER app_token_no_insert_after_removal BEFORE INSERT ON app_tokens WHEN (SELECT revoked_at FROM api_keys WHERE id = NEW.api_key_id) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'app_is_removed'); END;
--> statement-breakpoint
CREATE TRIGGER app_tokens_no_unlisted_insert BEFORE INSERT ON app_tokens WHEN NEW."kind" <> 'access' AND NEW."kind" <> 'refresh' OR NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER app_tokens_no_unlisted_update BEFORE UPDATE OF "kind", "resource" ON app_tokens WHEN NEW."kind" <> 'access' AND NEW."kind" <> 'refresh' OR NEW."resource" <> '/api/v1' AND NEW."resource" <> '/mcp/admin' AND NEW."resource" <> '/mcp' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER app_deletion_ends_access AFTER UPDATE OF deleted_at ON apps WHEN NEW.deleted_at IS NOT NULL BEGIN UPDATE api_keys SET revoked_at = NEW.deleted_at, updated_at = max(updated_at + 1, NEW.deleted_at) WHERE app_id = NEW.id AND revoked_at IS NULL; UPDATE sessions SET ended_at = NEW.deleted_at WHERE app_id = NEW.id AND ended_at IS NULL; DELETE FROM app_codes WHERE app_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER return_creation_is_published AFTER INSERT ON returns BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'return.' || NEW.status, 'order:' || id, NEW.created_at, json_object('return_id', NEW.id, 'order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'requested_by', NEW.requested_by, 'test', json(iif(payment_method = 'test_card', 'true', 'false'))) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER return_move_is_published AFTER UPDATE OF status ON returns WHEN NEW.status <> OLD.status BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'return.' || NEW.status, 'order:' || id, NEW.updated_at, json_object('return_id', NEW.id, 'order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'requested_by', NEW.requested_by, 'test', json(iif(payment_method = 'test_card', 'true', 'false'))) FROM orders WHERE id = NEW.order_id; END;
--> statement-breakpoint
CREATE TRIGGER return_no_excess BEFORE INSERT ON returns WHEN (SELECT count(*) FROM returns WHERE order_id = NEW.order_id AND requested_by = NEW.requested_by) >= 20 BEGIN SELECT RAISE(ABORT, 'too_many_returns'); END;
--> statement-breakpoint
CREATE TRIGGER return_move_is_allowed BEFORE UPDATE OF status ON returns WHEN NEW.status <> OLD.status AND (OLD.status IN ('settled', 'declined') OR NEW.status = 'requested' OR NEW.status = 'approved' AND OLD.status <> 'requested' OR NEW.status = 'in_transit' AND OLD.status = 'received') BEGIN SELECT RAISE(ABORT, 'return_move_not_allowed'); END;
--> statement-breakpoint
CREATE TRIGGER returns_no_delete BEFORE DELETE ON returns BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER returns_no_unlisted_insert BEFORE INSERT ON returns WHEN NEW."status" <> 'requested' AND NEW."status" <> 'approved' AND NEW."status" <> 'in_transit' AND NEW."status" <> 'received' AND NEW."status" <> 'settled' AND NEW."status" <> 'declined' OR NEW."requested_by" <> 'customer' AND NEW."requested_by" <> 'withdrawal' AND NEW."requested_by" <> 'staff' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER returns_no_unlisted_update BEFORE UPDATE OF "status", "requested_by" ON returns WHEN NEW."status" <> 'requested' AND NEW."status" <> 'approved' AND NEW."status" <> 'in_transit' AND NEW."status" <> 'received' AND NEW."status" <> 'settled' AND NEW."status" <> 'declined' OR NEW."requested_by" <> 'customer' AND NEW."requested_by" <> 'withdrawal' AND NEW."requested_by" <> 'staff' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER returns_update_is_backed_up AFTER UPDATE ON returns WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('returns', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER returns_deletion_is_backed_up AFTER DELETE ON returns WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('returns', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER license_key_creation_is_published AFTER INSERT ON license_keys BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'license_key.created', 'license_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM license_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER license_key_end_is_published AFTER UPDATE OF revoked_at ON license_keys WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'license_key.revoked', 'license_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM license_key_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER license_keys_no_delete BEFORE DELETE ON license_keys BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER license_keys_update_is_backed_up AFTER UPDATE ON license_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('license_keys', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER license_keys_deletion_is_backed_up AFTER DELETE ON license_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('license_keys', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER gift_card_creation_is_published AFTER INSERT ON gift_cards BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'gift_card.created', 'gift_card:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM gift_card_event_data WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER gift_card_end_counts_for_customer AFTER UPDATE OF ended_at ON gift_cards WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL BEGIN UPDATE users SET spent = spent + NEW.balance WHERE id = (SELECT user_id FROM orders WHERE id = NEW.order_id); END;
--> statement-breakpoint
CREATE TRIGGER gift_card_begins_full BEFORE INSERT ON gift_cards WHEN NEW.balance <> NEW.value BEGIN SELECT RAISE(ABORT, 'gift_card_ledger_mismatch'); END;
--> statement-breakpoint
CREATE TRIGGER gift_card_no_change_without_ledger BEFORE UPDATE ON gift_cards WHEN (NEW.nonce, NEW.value, NEW.order_id, NEW.order_item_id, NEW.test) IS NOT (OLD.nonce, OLD.value, OLD.order_id, OLD.order_item_id, OLD.test) OR OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at OR NEW.balance <> OLD.balance AND (NEW.id, OLD.balance - NEW.balance) IS NOT (SELECT gift_card_id, amount FROM transactions ORDER BY id DESC LIMIT 1) BEGIN SELECT RAISE(ABORT, 'gift_card_ledger_mismatch'); END;
--> statement-breakpoint
CREATE TRIGGER gift_cards_no_delete BEFORE DELETE ON gift_cards BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER gift_cards_update_is_backed_up AFTER UPDATE ON gift_cards WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('gift_cards', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER gift_cards_deletion_is_backed_up AFTER DELETE ON gift_cards WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('gift_cards', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER subscription_creation_is_published AFTER INSERT ON subscription_periods WHEN NEW.order_id = (SELECT order_id FROM subscriptions WHERE id = NEW.subscription_id) BEGIN INSERT INTO events (type, subject, created_at, data) SELECT 'subscription.created', 'subscription:' || id, NEW.created_at, data FROM subscription_event_data WHERE id = NEW.subscription_id; END;
--> statement-breakpoint
CREATE TRIGGER subscription_period_grants_access AFTER INSERT ON subscription_periods BEGIN UPDATE packages SET expires_at = (SELECT access_until FROM subscription_access WHERE order_id = NEW.order_id) WHERE order_id = NEW.order_id; INSERT INTO license_key_renewals (subscription_id) VALUES (NEW.subscription_id); END;
--> statement-breakpoint
CREATE TRIGGER subscription_change_is_published AFTER UPDATE OF past_due, reminded_for, cancels_at, ended_at ON subscriptions BEGIN INSERT INTO events (type, subject, created_at, data) SELECT type, 'subscription:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM subscription_event_data JOIN ( SELECT 'subscription.cancelled' AS type WHERE OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL UNION ALL SELECT 'subscription.updated' WHERE NEW.cancels_at IS NOT OLD.cancels_at UNION ALL SELECT 'subscription.renewing' WHERE NEW.reminded_for IS NOT OLD.reminded_for UNION ALL SELECT 'subscription.payment_failed' WHERE NEW.past_due AND NOT OLD.past_due AND NEW.ended_at IS NULL ) WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER subscription_end_ends_access AFTER UPDATE OF ended_at ON subscriptions WHEN NEW.ended_at IS NOT OLD.ended_at BEGIN UPDATE packages SET expires_at = min(expires_at, NEW.ended_at) WHERE order_id IN (SELECT order_id FROM subscription_periods WHERE subscription_id = NEW.id); INSERT INTO license_key_renewals (subscription_id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER gift_cards_are_issued INSTEAD OF INSERT ON gift_card_issues BEGIN UPDATE users SET spent = spent - NEW.units * bought.unit_price FROM (SELECT user_id, unit_price FROM order_items JOIN orders ON orders.id = order_id WHERE order_items.id = NEW.order_item_id) AS bought WHERE users.id = bought.user_id; INSERT INTO gift_cards (nonce, value, balance, order_id, order_item_id, test, created_at, updated_at) SELECT hex(randomblob(6)), unit_price, unit_price, orders.id, order_items.id, sandbox, orders.updated_at, orders.updated_at FROM order_items JOIN orders ON orders.id = order_id CROSS JOIN json_each('[' || substr(replace(hex(zeroblob(NEW.units)), '00', ',0'), 2) || ']') WHERE order_items.id = NEW.order_item_id; END;
--> statement-breakpoint
CREATE TRIGGER invoice_number_follows BEFORE INSERT ON invoices BEGIN SELECT RAISE(ABORT, 'invoice_number_has_gap') WHERE NEW.id <> 1 + max(substr(NEW.issued_on, 1, 4) * 1000000000, coalesce((SELECT max(id) FROM invoices), 0)) OR NEW.issued_at < (SELECT issued_at FROM invoices ORDER BY id DESC LIMIT 1); END;
--> statement-breakpoint
CREATE TRIGGER invoices_add_up AFTER INSERT ON invoices BEGIN SELECT RAISE(ABORT, 'invoices_do_not_add_up') FROM invoiced_amounts AS amounts WHERE amounts.order_id = NEW.order_id AND (amounts.total, amounts.tax) <> (SELECT sum(total), sum(tax) FROM invoices WHERE order_id = NEW.order_id); END;
--> statement-breakpoint
CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoices BEGIN SELECT RAISE(ABORT, 'invoice_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER invoices_no_unlisted_insert BEFORE INSERT ON invoices WHEN NEW."type" <> 'invoice' AND NEW."type" <> 'credit_note' AND NEW."type" <> 'corrected_invoice' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER invoices_no_unlisted_update BEFORE UPDATE OF "type" ON invoices WHEN NEW."type" <> 'invoice' AND NEW."type" <> 'credit_note' AND NEW."type" <> 'corrected_invoice' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER license_keys_are_issued INSTEAD OF INSERT ON license_key_issues BEGIN UPDATE uploaded_license_keys SET order_item_id = NEW.order_item_id WHERE id IN ( SELECT unsold.id FROM order_items JOIN orders ON orders.id = order_id AND NOT sandbox JOIN uploaded_license_keys AS unsold ON unsold.product_id = order_items.product_id AND unsold.order_item_id IS NULL WHERE order_items.id = NEW.order_item_id AND license ->> 'source' = 'uploaded' ORDER BY unsold.id LIMIT NEW.units ); INSERT INTO license_keys (nonce, prefix, name, product_id, order_id, order_item_id, user_id, activation_limit, expires_at, updates_until, test, created_at, updated_at) SELECT coalesce(uploaded.nonce, hex(randomblob(6))), iif(uploaded.nonce IS NULL, license ->> 'prefix', NULL), order_items.name || iif(order_items.option_values = '[]', '', ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(order_items.option_values)) || ')'), order_items.product_id, orders.id, order_items.id, iif(sandbox, NULL, coalesce(orders.user_id, ( SELECT id FROM users WHERE email = customer_email AND email_verified_at IS NOT NULL AND disabled_at IS NULL))), license ->> 'activation_limit', NEW.issued_at + (license ->> 'valid_days') * 86400000, NEW.issued_at + (license ->> 'update_days') * 86400000, sandbox, NEW.issued_at, NEW.issued_at FROM order_items JOIN orders ON orders.id = order_id CROSS JOIN json_each('[' || substr(replace(hex(zeroblob(NEW.units)), '00', ',0'), 2) || ']') AS unit LEFT JOIN ( SELECT nonce, row_number() OVER (ORDER BY id) - 1 AS place FROM uploaded_license_keys WHERE order_item_id = NEW.order_item_id AND nonce NOT IN (SELECT nonce FROM license_keys WHERE order_item_id = NEW.order_item_id) ) AS uploaded ON place = unit.key WHERE order_items.id = NEW.order_item_id; SELECT RAISE(ABORT, 'stock_not_negative') FROM order_items JOIN orders ON orders.id = order_id AND NOT sandbox WHERE order_items.id = NEW.order_item_id AND license ->> 'source' = 'uploaded' AND (SELECT count(*) FROM uploaded_license_keys WHERE order_item_id = NEW.order_item_id) < (SELECT count(*) FROM license_keys WHERE order_item_id = NEW.order_item_id); END;
--> statement-breakpoint
CREATE TRIGGER license_activation_no_ended_key BEFORE INSERT ON license_activations WHEN NOT EXISTS ( SELECT 1 FROM license_keys WHERE id = NEW.license_key_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > NEW.created_at) ) BEGIN SELECT RAISE(ABORT, 'license_key_ended'); END;
--> statement-breakpoint
CREATE TRIGGER license_activation_is_counted AFTER INSERT ON license_activations BEGIN UPDATE license_keys SET activations = activations + 1 WHERE id = NEW.license_key_id; END;
--> statement-breakpoint
CREATE TRIGGER license_deactivation_is_counted AFTER DELETE ON license_activations BEGIN UPDATE license_keys SET activations = activations - 1 WHERE id = OLD.license_key_id; END;
--> statement-breakpoint
CREATE TRIGGER uploaded_license_key_no_delete_once_sold BEFORE DELETE ON uploaded_license_keys WHEN OLD.order_item_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER uploaded_license_keys_update_is_backed_up AFTER UPDATE ON uploaded_license_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('uploaded_license_keys', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER uploaded_license_keys_deletion_is_backed_up AFTER DELETE ON uploaded_license_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('uploaded_license_keys', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER page_version_is_final BEFORE UPDATE ON page_versions BEGIN SELECT RAISE(ABORT, 'page_version_is_final'); END;
--> statement-breakpoint
CREATE TRIGGER page_versions_no_delete BEFORE DELETE ON page_versions BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER page_versions_no_unlisted_insert BEFORE INSERT ON page_versions WHEN NEW."slug" <> 'terms' AND NEW."slug" <> 'privacy' AND NEW."slug" <> 'imprint' AND NEW."slug" <> 'withdrawal' AND NEW."slug" <> 'returns' AND NEW."slug" <> 'shipping' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER page_versions_no_unlisted_update BEFORE UPDATE OF "slug", "language" ON page_versions WHEN NEW."slug" <> 'terms' AND NEW."slug" <> 'privacy' AND NEW."slug" <> 'imprint' AND NEW."slug" <> 'withdrawal' AND NEW."slug" <> 'returns' AND NEW."slug" <> 'shipping' OR NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER payment_account_creation_versions_pricing AFTER INSERT ON payment_accounts BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER payment_account_change_versions_pricing AFTER UPDATE OF live ON payment_accounts WHEN NEW.live <> OLD.live BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER payment_account_deletion_versions_pricing AFTER DELETE ON payment_accounts BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER payment_accounts_no_unlisted_insert BEFORE INSERT ON payment_accounts WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER payment_accounts_no_unlisted_update BEFORE UPDATE OF "provider" ON payment_accounts WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER variants_are_recounted INSTEAD OF INSERT ON variant_recounts WHEN (SELECT variant_count FROM products WHERE id = NEW.id) >= 0 BEGIN UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words FROM (SELECT * FROM variant_texts WHERE NEW.prices_only IS NOT TRUE AND id = NEW.id LIMIT 1) AS counted WHERE products.id = NEW.id AND (products.variant_count, products.variant_words, products.draft_words) IS NOT (counted.variant_count, counted.variant_words, counted.draft_words); SELECT RAISE(ABORT, 'too_many_variants') FROM products WHERE NEW.prices_only IS NOT TRUE AND id = NEW.id AND variant_count > 1000; UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out FROM variant_prices AS counted WHERE products.id = NEW.id AND counted.id = NEW.id AND (products.price, products.highest_variant_price, products.sold_out) IS NOT (counted.price, counted.highest_variant_price, counted.sold_out); UPDATE products SET variant_unit_pricing = cheapest.unit_pricing FROM cheapest_variants AS cheapest WHERE NEW.stock_only IS NOT TRUE AND products.id = NEW.id AND cheapest.id = NEW.id AND products.variant_unit_pricing IS NOT cheapest.unit_pricing; END;
--> statement-breakpoint
CREATE TRIGGER return_line_no_excess BEFORE INSERT ON return_lines WHEN NOT EXISTS ( SELECT 1 FROM returns JOIN orders ON orders.id = returns.order_id JOIN order_items ON order_items.order_id = orders.id WHERE returns.id = NEW.return_id AND order_items.id = NEW.order_item_id AND orders.status NOT IN ('cancelled', 'expired') AND (requested_by = 'staff' OR order_items.withdrawal NOT IN ('personalized', 'perishable', 'periodical', 'dated_service') AND NOT ( download_consent AND EXISTS (SELECT 1 FROM used_downloads WHERE order_item_id = NEW.order_item_id))) AND NEW.quantity + coalesce((SELECT sum(quantity) FROM units_in_returns WHERE order_item_id = NEW.order_item_id), 0) <= min(order_items.quantity - refunded_quantity, CASE WHEN requested_by = 'withdrawal' OR orders.status = 'completed' THEN order_items.quantity WHEN requires_shipping THEN shipped_quantity ELSE iif(paid_at IS NULL, 0, order_items.quantity) END) ) BEGIN SELECT RAISE(ABORT, 'return_exceeds_order'); END;
--> statement-breakpoint
CREATE TRIGGER return_lines_no_update BEFORE UPDATE OF return_id, order_item_id, quantity ON return_lines BEGIN SELECT RAISE(ABORT, 'return_lines_are_final'); END;
--> statement-breakpoint
CREATE TRIGGER return_lines_no_delete BEFORE DELETE ON return_lines BEGIN SELECT RAISE(ABORT, 'rows_stay'); END;
--> statement-breakpoint
CREATE TRIGGER return_lines_update_is_backed_up AFTER UPDATE ON return_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('return_lines', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER return_lines_deletion_is_backed_up AFTER DELETE ON return_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('return_lines', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER license_keys_are_renewed INSTEAD OF INSERT ON license_key_renewals BEGIN UPDATE license_keys SET expires_at = coalesce(paid_until, CAST(unixepoch('subsec') * 1000 AS INTEGER)), updates_until = max(updates_until, coalesce(paid_until, 0)), updated_at = updated_at + 1 FROM subscription_standings WHERE subscription_id = NEW.subscription_id AND license_keys.order_id = first_order_id; INSERT INTO payments_to_close (provider, reference, created_at) SELECT 'stripe', reference, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM subscription_standings JOIN subscriptions ON subscriptions.id = subscription_id WHERE subscription_id = NEW.subscription_id AND paid_until IS NULL AND ended_at IS NULL ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER email_texts_no_unlisted_insert BEFORE INSERT ON email_texts WHEN NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER email_texts_no_unlisted_update BEFORE UPDATE OF "language" ON email_texts WHEN NEW."language" <> 'en' AND NEW."language" <> 'de' AND NEW."language" <> 'fr' AND NEW."language" <> 'es' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER staff_notifications_no_unlisted_insert BEFORE INSERT ON staff_notifications WHEN NEW."kind" <> 'new_order' AND NEW."kind" <> 'return_requested' AND NEW."kind" <> 'payment_failed' AND NEW."kind" <> 'low_stock' OR NEW."mode" <> 'never' AND NEW."mode" <> 'each' AND NEW."mode" <> 'daily' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER staff_notifications_no_unlisted_update BEFORE UPDATE OF "kind", "mode" ON staff_notifications WHEN NEW."kind" <> 'new_order' AND NEW."kind" <> 'return_requested' AND NEW."kind" <> 'payment_failed' AND NEW."kind" <> 'low_stock' OR NEW."mode" <> 'never' AND NEW."mode" <> 'each' AND NEW."mode" <> 'daily' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER vat_checks_no_unlisted_insert BEFORE INSERT ON vat_checks WHEN NEW."status" <> 'valid' AND NEW."status" <> 'invalid' AND NEW."status" <> 'unavailable' AND NEW."status" <> 'other_name' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER vat_checks_no_unlisted_update BEFORE UPDATE OF "status" ON vat_checks WHEN NEW."status" <> 'valid' AND NEW."status" <> 'invalid' AND NEW."status" <> 'unavailable' AND NEW."status" <> 'other_name' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
INSERT INTO orders_search (orders_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words)
SELECT * FROM searched_orders WHERE id IN (
  SELECT min(id) FROM orders WHERE coalesce(customer_email, customer_name, shipping_address, billing_address) IS NOT NULL GROUP BY customer_email, customer_name, shipping_address ->> 'address', shipping_address, billing_address
);
--> statement-breakpoint
UPDATE category_products SET name = (SELECT sort_name FROM products WHERE products.id = category_products.id) WHERE octet_length(name) > length(name);
--> statement-breakpoint
INSERT INTO category_placements (id) SELECT id FROM categories WHERE parent_id IS NULL;
--> statement-breakpoint
UPDATE products SET inherits = json_insert(inherits, '$[#]', 'condition', '$[#]', 'withdrawal', '$[#]', 'unit_pricing', '$[#]', 'license') WHERE parent_id IS NOT NULL;
