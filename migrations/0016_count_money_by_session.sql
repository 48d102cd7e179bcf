DROP TRIGGER IF EXISTS staff_no_excess_spending;
--> statement-breakpoint
PRAGMA defer_foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__old_email_switches` AS SELECT * FROM `email_switches`;--> statement-breakpoint
CREATE TABLE `__ids_email_switches` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'email_switches';--> statement-breakpoint
DROP TABLE `email_switches`;--> statement-breakpoint
CREATE TABLE `email_switches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`template` text NOT NULL,
	`off` integer NOT NULL
);--> statement-breakpoint
INSERT INTO `email_switches`("id", "template", "off") SELECT "id", "template", "off" FROM `__old_email_switches`;--> statement-breakpoint
DROP TABLE `__old_email_switches`;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM `__ids_email_switches`);--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__ids_email_switches`;--> statement-breakpoint
DROP TABLE `__ids_email_switches`;--> statement-breakpoint
CREATE UNIQUE INDEX `email_switches_template_unique` ON `email_switches` (`template`);--> statement-breakpoint
CREATE TABLE `__old_job_failures` AS SELECT * FROM `job_failures`;--> statement-breakpoint
CREATE TABLE `__ids_job_failures` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'job_failures';--> statement-breakpoint
DROP TABLE `job_failures`;--> statement-breakpoint
CREATE TABLE `job_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`line` integer,
	`subject_id` integer,
	`field` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`is_warning` integer NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
INSERT INTO `job_failures`("id", "job_id", "line", "subject_id", "field", "code", "message", "is_warning") SELECT "id", "job_id", "line", "subject_id", "field", "code", "message", "is_warning" FROM `__old_job_failures`;--> statement-breakpoint
DROP TABLE `__old_job_failures`;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM `__ids_job_failures`);--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__ids_job_failures`;--> statement-breakpoint
DROP TABLE `__ids_job_failures`;--> statement-breakpoint
CREATE INDEX `job_failures_by_job` ON `job_failures` (`job_id`,`id`);--> statement-breakpoint
CREATE TABLE `__old_staff_spending` AS SELECT * FROM `staff_spending`;--> statement-breakpoint
CREATE TABLE `__ids_staff_spending` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'staff_spending';--> statement-breakpoint
DROP TABLE `staff_spending`;--> statement-breakpoint
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
);--> statement-breakpoint
INSERT INTO `staff_spending`("id", "actor", "amount", "day_limit", "created_at") SELECT "id", "actor", "amount", "day_limit", "created_at" FROM `__old_staff_spending`;--> statement-breakpoint
DROP TABLE `__old_staff_spending`;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM `__ids_staff_spending`);--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__ids_staff_spending`;--> statement-breakpoint
DROP TABLE `__ids_staff_spending`;--> statement-breakpoint
CREATE INDEX `staff_spending_by_actor` ON `staff_spending` (`actor`,`created_at`);--> statement-breakpoint
CREATE INDEX `staff_spending_by_session` ON `staff_spending` (`session_id`,`created_at`);
--> statement-breakpoint
DROP TRIGGER product_creation_is_published;
--> statement-breakpoint
DROP TRIGGER product_change_is_published;
--> statement-breakpoint
DROP TRIGGER product_deletion_is_published;
--> statement-breakpoint
DROP TRIGGER product_stock_is_published;
--> statement-breakpoint
DROP TRIGGER product_images_insert;
--> statement-breakpoint
DROP TRIGGER product_images_update;
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
DROP TRIGGER product_counts_insert;
--> statement-breakpoint
DROP TRIGGER product_counts_delete;
--> statement-breakpoint
DROP TRIGGER product_counts_update;
--> statement-breakpoint
DROP TRIGGER product_price_counts_update;
--> statement-breakpoint
DROP TRIGGER products_search_update;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_update;
--> statement-breakpoint
-- Prevents a discount from naming a product that is gone. One that would cover everything without it is disabled.
CREATE TRIGGER discount_forgets_product AFTER DELETE ON products
BEGIN
  UPDATE discounts SET
    enabled = enabled AND NOT (json_array_length(product_ids) = 1 AND category_ids = '[]'),
    product_ids = (SELECT json_group_array(value) FROM json_each(product_ids) WHERE value <> OLD.id),
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE product_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(product_ids) WHERE value = OLD.id);
END;
--> statement-breakpoint
-- Prevents a new product without its event.
CREATE TRIGGER product_creation_is_published AFTER INSERT ON products
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.created', 'product:' || id, NEW.created_at, data FROM product_event_data WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents an edit of a product without its event; what orders take from its stock is no edit.
CREATE TRIGGER product_change_is_published AFTER UPDATE OF updated_at ON products WHEN NEW.updated_at <> OLD.updated_at
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.updated', 'product:' || id, NEW.updated_at, data FROM product_event_data WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a product that is gone without its event.
CREATE TRIGGER product_deletion_is_published BEFORE DELETE ON products
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.deleted', 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = OLD.id;
END;
--> statement-breakpoint
-- Prevents a stock that runs low, runs out or comes back without its event.
CREATE TRIGGER product_stock_is_published AFTER UPDATE OF stock_quantity, manage_stock, low_stock_threshold ON products
WHEN OLD.in_stock <> NEW.in_stock
  OR NEW.in_stock AND NEW.stock_quantity <= NEW.low_at AND (OLD.stock_quantity IS NULL OR OLD.stock_quantity > OLD.low_at)
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT CASE WHEN NOT NEW.in_stock THEN 'product.sold_out' WHEN OLD.in_stock THEN 'product.stock_low'
    ELSE 'product.back_in_stock' END, 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents the image of a new product from being deleted as one that nobody shows.
CREATE TRIGGER product_images_insert AFTER INSERT ON products WHEN NEW.images <> '[]'
BEGIN
  INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id;
END;
--> statement-breakpoint
-- Prevents an image that a product shows from being deleted, and one that it shows no longer from staying.
CREATE TRIGGER product_images_update AFTER UPDATE OF images ON products WHEN OLD.images <> NEW.images
BEGIN
  DELETE FROM product_images WHERE product_id = NEW.id
    AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = NEW.id);
  INSERT INTO product_images (product_id, image_id)
  SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- Prevents a new product without stock from being listed as in stock.
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock
BEGIN
  UPDATE products SET sold_out = 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a product from being listed as in stock after it has sold out, and as sold out after it has come in.
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock
BEGIN
  UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a new product that the search misses.
CREATE TRIGGER products_search_insert AFTER INSERT ON products
BEGIN
  INSERT INTO products_search (rowid, name, sku, description, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.facets);
END;
--> statement-breakpoint
-- Prevents the search from finding a product that is gone.
CREATE TRIGGER products_search_delete AFTER DELETE ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.facets);
END;
--> statement-breakpoint
-- Prevents an order from giving units back to a stock that was counted without them: nothing is held of what is not managed.
CREATE TRIGGER product_ends_allocations AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock AND NOT NEW.manage_stock
BEGIN
  DELETE FROM stock_allocations WHERE product_id = NEW.id AND quantity > 0;
END;
--> statement-breakpoint
-- Prevents selling what orders from before the stock was managed wait for; stock_not_negative refuses a count below that.
CREATE TRIGGER product_begins_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock AND NOT OLD.manage_stock
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, NEW.id, quantity - refunded_quantity - shipped_quantity
  FROM order_items JOIN orders ON orders.id = order_id
  WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity + shipped_quantity
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
END;
--> statement-breakpoint
-- Prevents edits of what is not on sale from being seen: carts that hold it go on showing what was.
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping)
  VALUES (OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping);
END;
--> statement-breakpoint
-- Prevents a product on sale from being shown as it was before it was withdrawn.
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF status ON products WHEN OLD.status <> 'active' AND NEW.status = 'active'
BEGIN
  DELETE FROM withdrawn_products WHERE product_id = NEW.id;
END;
--> statement-breakpoint
-- Prevents totals of lists that miss a new product.
CREATE TRIGGER product_counts_insert AFTER INSERT ON products
BEGIN
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
  INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items)
  SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product that is gone.
CREATE TRIGGER product_counts_delete AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
  UPDATE product_price_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type
    AND sold_out = OLD.sold_out;
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product by what it was.
CREATE TRIGGER product_counts_update AFTER UPDATE OF status, type, sold_out, category_id ON products
WHEN (OLD.status, OLD.type, OLD.sold_out, OLD.category_id) IS NOT (NEW.status, NEW.type, NEW.sold_out, NEW.category_id)
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
-- Prevents totals of price ranges that count a product by what it was.
CREATE TRIGGER product_price_counts_update AFTER UPDATE OF status, price, type, sold_out, category_id ON products
WHEN (OLD.status, OLD.price_band, OLD.type, OLD.sold_out, OLD.category_id)
  IS NOT (NEW.status, NEW.price_band, NEW.type, NEW.sold_out, NEW.category_id)
BEGIN
  UPDATE product_price_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type
    AND sold_out = OLD.sold_out;
  INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items)
  SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
-- Prevents the search from finding a product by what it was; last here, so first to run: triggers above change the stock again.
CREATE TRIGGER products_search_update
AFTER UPDATE OF name, sku, description, status, type, manage_stock, stock_quantity, category_id, price ON products
WHEN (OLD.name, OLD.sku, OLD.description, OLD.facets) IS NOT (NEW.name, NEW.sku, NEW.description, NEW.facets)
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.facets);
  INSERT INTO products_search (rowid, name, sku, description, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.facets);
END;
--> statement-breakpoint
-- Prevents an id from being given twice: what refers to a row that was deleted would apply to the new one.
CREATE TRIGGER products_id_is_new AFTER INSERT ON products
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'products')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
--> statement-breakpoint
-- Prevents what is no type, status, tax_class.
CREATE TRIGGER products_no_unlisted_insert BEFORE INSERT ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type, status, tax_class.
CREATE TRIGGER products_no_unlisted_update BEFORE UPDATE OF "type", "status", "tax_class" ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER packages_no_delete BEFORE DELETE ON packages
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: what refers to a row that was deleted would apply to the new one.
CREATE TRIGGER users_id_is_new AFTER INSERT ON users
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'users')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
--> statement-breakpoint
-- Prevents what is no role.
CREATE TRIGGER users_no_unlisted_insert BEFORE INSERT ON users
WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no role.
CREATE TRIGGER users_no_unlisted_update BEFORE UPDATE OF "role" ON users
WHEN NEW."role" <> 'customer' AND NEW."role" <> 'viewer' AND NEW."role" <> 'catalogue' AND NEW."role" <> 'support' AND NEW."role" <> 'admin'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER order_items_no_delete BEFORE DELETE ON order_items
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents what is no type, tax_class.
CREATE TRIGGER order_items_no_unlisted_insert BEFORE INSERT ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type, tax_class.
CREATE TRIGGER order_items_no_unlisted_update BEFORE UPDATE OF "type", "tax_class" ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER order_history_no_delete BEFORE DELETE ON order_history
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents what is no kind, from, to.
CREATE TRIGGER order_history_no_unlisted_insert BEFORE INSERT ON order_history
WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed'
  OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded'
  OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind, from, to.
CREATE TRIGGER order_history_no_unlisted_update BEFORE UPDATE OF "kind", "from", "to" ON order_history
WHEN NEW."kind" <> 'status' AND NEW."kind" <> 'payment' AND NEW."kind" <> 'payment_returned' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'refund_sent' AND NEW."kind" <> 'refund_failed'
  OR NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded'
  OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER discount_redemptions_no_delete BEFORE DELETE ON discount_redemptions
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents what is no status, payment_status, fulfillment_status, payment_method.
CREATE TRIGGER orders_no_unlisted_insert BEFORE INSERT ON orders
WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded'
  OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded'
  OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled'
  OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no status, payment_status, fulfillment_status, payment_method.
CREATE TRIGGER orders_no_unlisted_update BEFORE UPDATE OF "status", "payment_status", "fulfillment_status", "payment_method" ON orders
WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded'
  OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded'
  OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'partially_fulfilled' AND NEW."fulfillment_status" <> 'fulfilled'
  OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an id from being given twice: what refers to a row that was deleted would apply to the new one.
CREATE TRIGGER categories_id_is_new AFTER INSERT ON categories
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'categories')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
--> statement-breakpoint
-- Prevents a discount from naming a category that is gone. One that would cover everything without it is disabled.
CREATE TRIGGER discount_forgets_category AFTER DELETE ON categories
BEGIN
  UPDATE discounts SET
    enabled = enabled AND NOT (json_array_length(category_ids) = 1 AND product_ids = '[]'),
    category_ids = (SELECT json_group_array(value) FROM json_each(category_ids) WHERE value <> OLD.id),
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE category_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(category_ids) WHERE value = OLD.id);
END;
--> statement-breakpoint
-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER refund_lines_no_delete BEFORE DELETE ON refund_lines
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
--> statement-breakpoint
-- Prevents staff from moving more than their limit by several small refunds or credits, also at the same instant.
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending
BEGIN
  SELECT RAISE(ABORT, 'staff_spending_limit')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000
  ) > NEW.day_limit;
END;
--> statement-breakpoint
-- Prevents a session whose password was shown long ago from moving more than its limit by many small refunds, credits or payments.
CREATE TRIGGER staff_spending_is_authenticated BEFORE INSERT ON staff_spending
WHEN NEW.session_limit IS NOT NULL AND NEW.amount > 0
BEGIN
  SELECT RAISE(ABORT, 'session_needs_reauthentication')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE session_id = NEW.session_id AND created_at >= NEW.authenticated_at
  ) > NEW.session_limit;
END;
