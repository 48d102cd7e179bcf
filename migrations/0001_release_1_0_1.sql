-- expand: audit_log_no_update, it allows entries of a staff invitation and reasons of tax exemptions to be emptied
-- expand: unpaid_order_no_excess_of_network, the running version never sets unpaid_from
-- expand: order_item_is_sold, it also copies the network of the order
-- expand: product_counts_delete_category, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_changes_category, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts_insert, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts_delete, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts_update, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_price_counts_update, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_range_counts_update, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_range_counts_delete, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_price_counts, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_range_counts, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_by_price_ratio, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_by_highest_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_newest, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_by_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_by_name, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_active_newest, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_active_by_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_active_by_name, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_draft_newest, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_draft_by_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products_draft_by_name, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: listed_products.price_band, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products.price_band, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: listed_products.highest_price_band, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: products.highest_price_band, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: category_products_by_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: category_products_by_name, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: category_products.type, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: category_products.sold_out, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: category_products.highest_variant_price, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts.type, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts.sold_out, no Worker of 1.0.0 runs beside it because its first deployment failed
-- expand: product_counts.primary_key, no Worker of 1.0.0 runs beside it because its first deployment failed
DELETE FROM product_counts;
--> statement-breakpoint
DROP TRIGGER IF EXISTS category_may_move;
--> statement-breakpoint
DROP TRIGGER IF EXISTS category_moves;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_delete_category;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_enters_categories;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_changes_in_categories;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_changes_category;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_delete;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_price_counts_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_range_counts_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_range_counts_delete;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_recount;
--> statement-breakpoint
DROP TRIGGER IF EXISTS category_products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS category_products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_counts_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_price_counts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_price_counts_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_range_counts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_range_counts_no_unlisted_update;
--> statement-breakpoint
CREATE TABLE `backup_changes` (
	`table_name` text NOT NULL,
	`changed_row` integer NOT NULL,
	PRIMARY KEY(`table_name`, `changed_row`)
);
--> statement-breakpoint
DROP TABLE `product_price_counts`;--> statement-breakpoint
DROP TABLE `product_range_counts`;--> statement-breakpoint
DROP INDEX `products_by_price_ratio`;--> statement-breakpoint
DROP INDEX `products_by_highest_price`;--> statement-breakpoint
DROP INDEX `products_newest`;--> statement-breakpoint
DROP INDEX `products_by_price`;--> statement-breakpoint
DROP INDEX `products_by_name`;--> statement-breakpoint
DROP INDEX `products_active_newest`;--> statement-breakpoint
DROP INDEX `products_active_by_price`;--> statement-breakpoint
DROP INDEX `products_active_by_name`;--> statement-breakpoint
DROP INDEX `products_draft_newest`;--> statement-breakpoint
DROP INDEX `products_draft_by_price`;--> statement-breakpoint
DROP INDEX `products_draft_by_name`;--> statement-breakpoint
ALTER TABLE `products` DROP COLUMN `price_band`;--> statement-breakpoint
ALTER TABLE `products` DROP COLUMN `highest_price_band`;--> statement-breakpoint
DROP INDEX `category_products_by_price`;--> statement-breakpoint
DROP INDEX `category_products_by_name`;--> statement-breakpoint
CREATE INDEX `category_products_by_price` ON `category_products` (`category_id`,`status`,`price`,`id`);--> statement-breakpoint
CREATE INDEX `category_products_by_name` ON `category_products` (`category_id`,`status`,name COLLATE NOCASE,`id`);--> statement-breakpoint
ALTER TABLE `category_products` DROP COLUMN `type`;--> statement-breakpoint
ALTER TABLE `category_products` DROP COLUMN `sold_out`;--> statement-breakpoint
ALTER TABLE `category_products` DROP COLUMN `highest_variant_price`;--> statement-breakpoint
PRAGMA defer_foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__old_product_counts` AS SELECT * FROM `product_counts`;--> statement-breakpoint
CREATE TABLE `__ids_product_counts` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'product_counts';--> statement-breakpoint
DROP TABLE `product_counts`;--> statement-breakpoint
CREATE TABLE `product_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `product_counts`("category_id", "status", "items") SELECT "category_id", "status", "items" FROM `__old_product_counts`;--> statement-breakpoint
DROP TABLE `__old_product_counts`;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM `__ids_product_counts`);--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__ids_product_counts`;--> statement-breakpoint
DROP TABLE `__ids_product_counts`;--> statement-breakpoint
ALTER TABLE `discounts` ADD `applies_to` text DEFAULT 'all_products' NOT NULL;--> statement-breakpoint
ALTER TABLE `draft_orders` ADD `given_away` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `unpaid_from` text;--> statement-breakpoint
ALTER TABLE `stock_allocations` ADD `unpaid_from` text;--> statement-breakpoint
CREATE INDEX `stock_allocations_unpaid_from` ON `stock_allocations` (`product_id`,`unpaid_from`,`quantity`) WHERE unpaid_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_agent` ON `checkout_sessions` (`agent`,`expires_at`) WHERE webhook_url IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER api_key_no_other_mode;
--> statement-breakpoint
DROP TRIGGER api_key_creation_is_published;
--> statement-breakpoint
DROP TRIGGER api_key_change_is_published;
--> statement-breakpoint
DROP TRIGGER api_keys_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER api_keys_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_delete;
--> statement-breakpoint
DROP TRIGGER categories_id_is_new;
--> statement-breakpoint
DROP TRIGGER discount_forgets_category;
--> statement-breakpoint
DROP TRIGGER category_move_versions_pricing;
--> statement-breakpoint
DROP TRIGGER category_creation_versions_pricing;
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
DROP TRIGGER users_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_update;
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
DROP TRIGGER discount_creation_versions_pricing;
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
DROP TRIGGER product_leaves_categories;
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
DROP TRIGGER unpaid_order_no_excess_unverified;
--> statement-breakpoint
DROP TRIGGER allocation_takes_stock;
--> statement-breakpoint
CREATE TRIGGER addresses_update_is_backed_up AFTER UPDATE ON addresses WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('addresses', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER addresses_deletion_is_backed_up AFTER DELETE ON addresses WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('addresses', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER lost_permission_cancels_jobs AFTER UPDATE OF revoked_at, permissions ON api_keys WHEN NEW.revoked_at IS NOT NULL OR EXISTS (SELECT value FROM json_each(OLD.permissions) EXCEPT SELECT value FROM json_each(NEW.permissions)) BEGIN UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at WHERE created_by = 'api_key:' || NEW.id AND state IN ('queued', 'running'); END;
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
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id) IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id) OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND ( OLD.at < unixepoch() * 1000 - 2592000000 OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL))) OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT ( OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL) OR OLD.subject = 'staff_invitation' AND NEW.before IS NULL AND NEW.after IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE email = coalesce(OLD.after, OLD.before) ->> 'email') AND NOT EXISTS (SELECT 1 FROM staff_invitations WHERE email = coalesce(OLD.after, OLD.before) ->> 'email') OR ifnull(NEW.before, '') IN (ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name'), ''), ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), '')) AND ifnull(NEW.after, '') IN (ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name'), ''), ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), '')) AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id) WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id) END)) BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log_is_append_only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_update_is_backed_up AFTER UPDATE ON audit_log WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('audit_log', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER audit_log_deletion_is_backed_up AFTER DELETE ON audit_log WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('audit_log', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER category_may_move BEFORE UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN SELECT RAISE(ABORT, 'category_not_below_itself') FROM category_lists WHERE category_id = NEW.parent_id AND list = NEW.id; SELECT RAISE(ABORT, 'category_too_large_to_move') WHERE (SELECT sum(items) FROM product_counts WHERE category_id = NEW.id) > 200000; END;
--> statement-breakpoint
CREATE TRIGGER category_moves AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN DELETE FROM category_products WHERE (category_id, status, id) IN ( SELECT list, status, id FROM category_products CROSS JOIN ( SELECT value ->> 'id' AS list FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id EXCEPT SELECT list FROM category_lists WHERE category_id = NEW.parent_id) WHERE category_id = NEW.id); INSERT INTO category_products (category_id, status, id, name, price) SELECT list, status, id, name, price FROM ( SELECT list FROM category_lists WHERE category_id = NEW.parent_id EXCEPT SELECT value ->> 'id' FROM json_each(OLD.path) ) CROSS JOIN category_products WHERE category_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER categories_id_is_new AFTER INSERT ON categories WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'categories') BEGIN SELECT RAISE(ABORT, 'id_given_before'); END;
--> statement-breakpoint
CREATE TRIGGER discount_forgets_category AFTER DELETE ON categories BEGIN UPDATE discounts SET enabled = enabled AND NOT (json_array_length(category_ids) = 1 AND product_ids = '[]'), category_ids = (SELECT json_group_array(value) FROM json_each(category_ids) WHERE value <> OLD.id), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE category_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(category_ids) WHERE value = OLD.id); END;
--> statement-breakpoint
CREATE TRIGGER category_move_versions_pricing AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER category_creation_versions_pricing AFTER INSERT ON categories WHEN NEW.parent_id IS NOT NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]'); END;
--> statement-breakpoint
CREATE TRIGGER lost_role_cancels_jobs AFTER UPDATE OF role, disabled_at ON users WHEN OLD.role <> 'customer' AND (NEW.disabled_at IS NOT NULL OR NEW.role NOT IN (OLD.role, 'admin')) BEGIN UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at WHERE created_by = 'user:' || NEW.id AND state IN ('queued', 'running'); END;
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
CREATE TRIGGER users_no_edit_without_version AFTER UPDATE OF email, email_verified_at, formerly_verified_at, pending_email, name, role, wallet_locked_until, disabled_at, phone, company, accepts_marketing, tax_exempt_reason, tags, metadata, erase_at, erased_at ON users WHEN NEW.updated_at = OLD.updated_at AND (OLD.email, OLD.email_verified_at, OLD.formerly_verified_at, OLD.pending_email, OLD.name, OLD.role, OLD.wallet_locked_until, OLD.disabled_at, OLD.phone, OLD.company, OLD.accepts_marketing, OLD.tax_exempt_reason, OLD.tags, OLD.metadata, OLD.erase_at, OLD.erased_at) IS NOT (NEW.email, NEW.email_verified_at, NEW.formerly_verified_at, NEW.pending_email, NEW.name, NEW.role, NEW.wallet_locked_until, NEW.disabled_at, NEW.phone, NEW.company, NEW.accepts_marketing, NEW.tax_exempt_reason, NEW.tags, NEW.metadata, NEW.erase_at, NEW.erased_at) BEGIN UPDATE users SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_insert BEFORE INSERT ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER users_no_unlisted_update BEFORE UPDATE OF "role" ON users WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER users_update_is_backed_up AFTER UPDATE ON users WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('users', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER users_deletion_is_backed_up AFTER DELETE ON users WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('users', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_update_is_backed_up AFTER UPDATE ON discount_redemptions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('discount_redemptions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_redemptions_deletion_is_backed_up AFTER DELETE ON discount_redemptions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('discount_redemptions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired') BEGIN UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL, unpaid_from = NULL WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER order_pays_for_stock AFTER UPDATE OF status ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND OLD.expires_at IS NOT NULL BEGIN UPDATE stock_allocations SET unpaid_by = NULL, unpaid_from = NULL WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id); END;
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
CREATE TRIGGER orders_update_is_backed_up AFTER UPDATE ON orders WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('orders', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER orders_deletion_is_backed_up AFTER DELETE ON orders WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('orders', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER discount_covers_what_it_names AFTER INSERT ON discounts WHEN NEW.applies_to = 'all_products' AND (NEW.product_ids <> '[]' OR NEW.category_ids <> '[]') BEGIN UPDATE discounts SET applies_to = 'selected_products' WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER discount_covers_what_it_names_later AFTER UPDATE OF applies_to, product_ids, category_ids ON discounts WHEN NEW.applies_to = 'all_products' AND (NEW.product_ids <> '[]' OR NEW.category_ids <> '[]') BEGIN UPDATE discounts SET applies_to = 'selected_products' WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at ON discounts BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discount_release_versions_pricing AFTER UPDATE OF uses ON discounts WHEN OLD.code IS NULL AND (OLD.uses >= OLD.max_uses) IS NOT (NEW.uses >= NEW.max_uses) BEGIN UPDATE pricing_rules SET version = lower(hex(randomblob(8))); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_insert BEFORE INSERT ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' OR NEW."applies_to" <> 'all_products' AND NEW."applies_to" <> 'selected_products' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER discounts_no_unlisted_update BEFORE UPDATE OF "kind", "applies_to" ON discounts WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y' OR NEW."applies_to" <> 'all_products' AND NEW."applies_to" <> 'selected_products' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_enters_categories AFTER INSERT ON products WHEN NEW.parent_id IS NULL BEGIN INSERT INTO category_products (category_id, status, id, name, price) SELECT list, NEW.status, NEW.id, NEW.name, NEW.price FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id); END;
--> statement-breakpoint
CREATE TRIGGER product_leaves_categories AFTER DELETE ON products WHEN OLD.parent_id IS NULL BEGIN DELETE FROM category_products WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER product_changes_in_categories AFTER UPDATE OF status, name, price, category_id ON products WHEN NEW.parent_id IS NULL AND (OLD.status, OLD.name, OLD.price, OLD.category_id) IS NOT (NEW.status, NEW.name, NEW.price, NEW.category_id) BEGIN DELETE FROM category_products WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id) AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id; INSERT INTO category_products (category_id, status, id, name, price) SELECT list, NEW.status, NEW.id, NEW.name, NEW.price FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id); UPDATE category_products SET name = NEW.name WHERE NEW.name <> OLD.name AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id; UPDATE category_products SET price = NEW.price WHERE NEW.price <> OLD.price AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id; END;
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
CREATE TRIGGER products_update_is_backed_up AFTER UPDATE ON products WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('products', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER products_deletion_is_backed_up AFTER DELETE ON products WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('products', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_history_update_is_backed_up AFTER UPDATE ON order_history WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_history', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_history_deletion_is_backed_up AFTER DELETE ON order_history WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_history', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipments_update_is_backed_up AFTER UPDATE ON shipments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipments', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipments_deletion_is_backed_up AFTER DELETE ON shipments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipments', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER packages_update_is_backed_up AFTER UPDATE ON packages WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('packages', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER packages_deletion_is_backed_up AFTER DELETE ON packages WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('packages', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER events_update_is_backed_up AFTER UPDATE ON events WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('events', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER events_deletion_is_backed_up AFTER DELETE ON events WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('events', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items BEGIN INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by, unpaid_from) SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity), iif(orders.status = 'completed', NEW.quantity, 0), CASE WHEN orders.expires_at IS NULL THEN NULL WHEN user_id IS NOT NULL THEN 'user:' || user_id WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email ELSE 'api_key:' || api_key_id END, unpaid_from FROM orders LEFT JOIN products ON products.id = NEW.product_id WHERE orders.id = NEW.order_id AND (CASE WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable') WHEN products.options <> '[]' THEN RAISE(ABORT, 'choose_variant') WHEN products.price <> coalesce(NEW.list_price, NEW.unit_price) THEN RAISE(ABORT, 'price_changed') WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required') WHEN orders.user_id IS NULL AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) THEN RAISE(ABORT, 'files_need_an_account') ELSE manage_stock AND NOT sandbox END); END;
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
CREATE TRIGGER order_items_update_is_backed_up AFTER UPDATE ON order_items WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_items', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_items_deletion_is_backed_up AFTER DELETE ON order_items WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_items', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER refund_lines_update_is_backed_up AFTER UPDATE ON refund_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('refund_lines', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER refund_lines_deletion_is_backed_up AFTER DELETE ON refund_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('refund_lines', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER downloads_update_is_backed_up AFTER UPDATE ON downloads WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('downloads', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER downloads_deletion_is_backed_up AFTER DELETE ON downloads WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('downloads', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER package_files_update_is_backed_up AFTER UPDATE ON package_files WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('package_files', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER package_files_deletion_is_backed_up AFTER DELETE ON package_files WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('package_files', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipment_lines_update_is_backed_up AFTER UPDATE ON shipment_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipment_lines', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER shipment_lines_deletion_is_backed_up AFTER DELETE ON shipment_lines WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('shipment_lines', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER sessions_update_is_backed_up AFTER UPDATE ON sessions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('sessions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER sessions_deletion_is_backed_up AFTER DELETE ON sessions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('sessions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_update_is_backed_up AFTER UPDATE ON stock_adjustments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_adjustments', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_deletion_is_backed_up AFTER DELETE ON stock_adjustments WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('stock_adjustments', OLD.rowid) ON CONFLICT DO NOTHING; END;
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
CREATE TRIGGER transactions_update_is_backed_up AFTER UPDATE ON transactions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('transactions', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER transactions_deletion_is_backed_up AFTER DELETE ON transactions WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('transactions', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER emails_update_is_backed_up AFTER UPDATE ON emails WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('emails', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER emails_deletion_is_backed_up AFTER DELETE ON emails WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('emails', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER backup_end_forgets_changes AFTER UPDATE OF state ON jobs WHEN NEW.kind = 'back_up' AND NEW.state NOT IN ('queued', 'running') BEGIN DELETE FROM backup_changes; END;
--> statement-breakpoint
CREATE TRIGGER request_counts_update_is_backed_up AFTER UPDATE ON request_counts WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('request_counts', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER request_counts_deletion_is_backed_up AFTER DELETE ON request_counts WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('request_counts', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts BEGIN UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock; UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out FROM variant_prices AS counted WHERE products.id = counted.id; UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words FROM variant_texts AS counted WHERE products.id = counted.id; DELETE FROM category_products; INSERT INTO category_products (category_id, status, id, name, price) SELECT 0 AS list, status, id, name, price FROM products WHERE parent_id IS NULL UNION ALL SELECT list, status, id, name, price FROM products CROSS JOIN category_lists USING (category_id) WHERE parent_id IS NULL ORDER BY list, status, id; DELETE FROM product_counts; INSERT INTO product_counts (category_id, status, items) SELECT category_id, status, count(*) FROM category_products GROUP BY category_id, status; END;
--> statement-breakpoint
CREATE TRIGGER category_products_insert_is_counted AFTER INSERT ON category_products BEGIN INSERT INTO product_counts (category_id, status, items) VALUES (NEW.category_id, NEW.status, 1) ON CONFLICT DO UPDATE SET items = items + 1; END;
--> statement-breakpoint
CREATE TRIGGER category_products_delete_is_counted AFTER DELETE ON category_products BEGIN UPDATE product_counts SET items = items - 1 WHERE category_id = OLD.category_id AND status = OLD.status; END;
--> statement-breakpoint
CREATE TRIGGER category_products_no_unlisted_insert BEFORE INSERT ON category_products WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER category_products_no_unlisted_update BEFORE UPDATE OF "status" ON category_products WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_counts_no_unlisted_insert BEFORE INSERT ON product_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER product_counts_no_unlisted_update BEFORE UPDATE OF "status" ON product_counts WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft' BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;
--> statement-breakpoint
CREATE TRIGGER cart_answers_update_is_backed_up AFTER UPDATE ON cart_answers WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('cart_answers', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER cart_answers_deletion_is_backed_up AFTER DELETE ON cart_answers WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('cart_answers', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_update_is_backed_up AFTER UPDATE ON idempotency_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('idempotency_keys', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_deletion_is_backed_up AFTER DELETE ON idempotency_keys WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('idempotency_keys', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER job_changes_update_is_backed_up AFTER UPDATE ON job_changes WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('job_changes', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER job_changes_deletion_is_backed_up AFTER DELETE ON job_changes WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('job_changes', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER job_failures_update_is_backed_up AFTER UPDATE ON job_failures WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('job_failures', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER job_failures_deletion_is_backed_up AFTER DELETE ON job_failures WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('job_failures', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_notes_update_is_backed_up AFTER UPDATE ON order_notes WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_notes', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER order_notes_deletion_is_backed_up AFTER DELETE ON order_notes WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('order_notes', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER refresh_tokens_update_is_backed_up AFTER UPDATE ON refresh_tokens WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('refresh_tokens', NEW.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER refresh_tokens_deletion_is_backed_up AFTER DELETE ON refresh_tokens WHEN (SELECT count(*) FROM backup_changes) BEGIN INSERT INTO backup_changes (table_name, changed_row) VALUES ('refresh_tokens', OLD.rowid) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- A disabled discount whose lists are empty, although the last one written named something, lost what it covered to deletions.
UPDATE discounts SET applies_to = 'selected_products'
WHERE product_ids <> '[]' OR category_ids <> '[]' OR NOT enabled AND (
  (SELECT after ->> 'product_ids' FROM audit_log WHERE subject = 'discount' AND subject_id = discounts.id
    AND after ->> 'product_ids' IS NOT NULL ORDER BY id DESC LIMIT 1) <> '[]'
  OR (SELECT after ->> 'category_ids' FROM audit_log WHERE subject = 'discount' AND subject_id = discounts.id
    AND after ->> 'category_ids' IS NOT NULL ORDER BY id DESC LIMIT 1) <> '[]');

--> statement-breakpoint
-- Keys that hold more than a permissions of a storefront keep the reads of the administration.
UPDATE api_keys SET permissions = json_insert(permissions, '$[#]', 'products:read_all')
WHERE revoked_at IS NULL AND allowed_origins = '[]'
  AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value = 'products:read')
  AND NOT EXISTS (SELECT 1 FROM json_each(permissions) WHERE value IN ('read', 'write', 'products:write', 'products:read_all'))
  AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value NOT IN ('products:read', 'products:read_all', 'files:read',
    'carts:read', 'carts:write', 'sessions:read', 'sessions:write', 'checkout:read', 'checkout:write'));
--> statement-breakpoint
UPDATE api_keys SET permissions = json_insert(permissions, '$[#]', 'files:read_all')
WHERE revoked_at IS NULL AND allowed_origins = '[]'
  AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value = 'files:read')
  AND NOT EXISTS (SELECT 1 FROM json_each(permissions) WHERE value IN ('read', 'write', 'files:write', 'files:read_all'))
  AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value NOT IN ('products:read', 'products:read_all', 'files:read',
    'carts:read', 'carts:write', 'sessions:read', 'sessions:write', 'checkout:read', 'checkout:write'));
--> statement-breakpoint
INSERT INTO product_recounts (n) VALUES (0);
