DROP TRIGGER IF EXISTS audit_log_no_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_releases_discounts;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_redeems_again;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_payment_failure_is_published;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_unlisted_move;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_second_payment;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_cancel_after_download;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_move_recorded;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_status_is_published;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_refund_is_published;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_history_dates_order;
--> statement-breakpoint
DROP TRIGGER IF EXISTS users_no_erasure_owed;
--> statement-breakpoint
DROP TRIGGER IF EXISTS users_no_early_erasure;
--> statement-breakpoint
DROP TRIGGER IF EXISTS unpaid_order_no_excess_unverified;
--> statement-breakpoint
DROP TRIGGER IF EXISTS discount_redemption_is_allowed;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_item_is_sold;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_item_grants_packages;
--> statement-breakpoint
DROP TRIGGER IF EXISTS product_begins_allocations;
--> statement-breakpoint
DROP TRIGGER IF EXISTS saved_views_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS saved_views_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_refund_recorded;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_sends_stock;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_allocates_again;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_releases_stock;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_pays_for_stock;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_closes_payment;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_change_is_dated;
--> statement-breakpoint
DROP TRIGGER IF EXISTS orders_search_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS orders_search_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_other_customer;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_resend;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_begins;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_is_charged;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_is_charged_later;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_grants_packages_later;
--> statement-breakpoint
DROP TRIGGER IF EXISTS order_no_excess_pending;
--> statement-breakpoint
DROP TRIGGER IF EXISTS orders_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS orders_no_unlisted_update;
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
ALTER TABLE `order_items` ADD `shipped_quantity` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO shipments (order_id, carrier, tracking_number, tracking_url, shipped_at, shipped_by)
SELECT orders.id, shipment ->> 'carrier', shipment ->> 'tracking_number', shipment ->> 'tracking_url',
  CAST(unixepoch(shipment ->> 'shipped_at', 'subsec') * 1000 AS INTEGER), coalesce((
    SELECT actor FROM order_history WHERE order_id = orders.id AND "to" = 'shipped' ORDER BY id LIMIT 1
  ), 'system')
FROM orders WHERE shipment IS NOT NULL;--> statement-breakpoint
INSERT INTO shipment_lines (shipment_id, order_item_id, quantity)
SELECT shipments.id, order_items.id, quantity - refunded_quantity
FROM shipments JOIN order_items USING (order_id) WHERE requires_shipping AND refunded_quantity < quantity;--> statement-breakpoint
UPDATE order_items SET shipped_quantity = quantity - refunded_quantity
WHERE id IN (SELECT order_item_id FROM shipment_lines);--> statement-breakpoint
ALTER TABLE `orders` DROP COLUMN `shipment`;
--> statement-breakpoint
DROP TRIGGER audit_log_no_delete;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_history_no_unlisted_update;
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
DROP TRIGGER products_search_update;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER users_no_hasty_erasure;
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
DROP TRIGGER users_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER refunded_units_recorded;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER allocation_takes_stock;
--> statement-breakpoint
DROP TRIGGER discount_redemption_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_release_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_return_is_counted;
--> statement-breakpoint
-- Prevents rewriting who changed what. An address goes after 30 days, and what is said of a person with their erased account.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id)
    IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id)
  OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND (
    OLD.at < unixepoch() * 1000 - 2592000000
    OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL)))
  OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT (
    OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL
      AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL)
    OR NEW.before IS json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name')
      AND NEW.after IS json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name')
      AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject
        WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id)
        WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id)
      END))
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
-- Prevents deleting who changed what.
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
-- Prevents a change of an order's status, or a payment, without its event: an order that is paid at once has one of each.
CREATE TRIGGER order_status_is_published AFTER INSERT ON order_history WHEN NEW.kind IN ('status', 'payment')
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'user_id', user_id, 'status', NEW."to",
    'payment_method', payment_method, 'total', total / 100.0, 'currency', currency)
  FROM orders JOIN (
    SELECT 'order.created' AS type WHERE NEW."from" IS NULL
    UNION ALL SELECT 'order.paid' WHERE NEW."from" IN ('pending', 'expired') AND NEW."to" IN ('processing', 'completed')
    UNION ALL SELECT 'order.' || NEW."to" WHERE NEW."to" IN ('shipped', 'completed', 'cancelled', 'expired')
  )
  WHERE id = NEW.order_id;
END;
--> statement-breakpoint
-- Prevents money that goes back without its events: what no provider has to send has arrived with its decision.
CREATE TRIGGER order_refund_is_published AFTER INSERT ON order_history WHEN NEW.kind NOT IN ('status', 'payment')
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'user_id', user_id,
    'payment_method', payment_method, 'amount', NEW.amount / 100.0, 'currency', coalesce(NEW.currency, currency),
    'refunded_total', refunded_total / 100.0)
  FROM orders JOIN (
    SELECT 'refund.created' AS type WHERE NEW.kind IN ('refund', 'payment_returned')
    UNION ALL SELECT 'refund.succeeded' WHERE NEW.kind IN ('refund', 'refund_sent')
    UNION ALL SELECT 'refund.failed' WHERE NEW.kind = 'refund_failed'
  )
  WHERE id = NEW.order_id
    AND NOT (NEW.kind = 'refund' AND type = 'refund.succeeded' AND payment_provider IS NOT NULL AND NEW.amount > 0);
END;
--> statement-breakpoint
-- Prevents readers by updated_at from missing what became of a refund or a payment, which only the history tells.
CREATE TRIGGER order_history_dates_order AFTER INSERT ON order_history
WHEN NEW.kind IN ('payment_returned', 'refund_sent', 'refund_failed')
BEGIN
  UPDATE orders SET updated_at = max(NEW.at, updated_at + 1) WHERE id = NEW.order_id;
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
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product that is gone.
CREATE TRIGGER product_counts_delete AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
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
-- Prevents erasing staff, whose role is taken away first, and an account that the shop owes money or goods.
CREATE TRIGGER users_no_erasure_owed BEFORE UPDATE OF role, erase_at ON users WHEN NEW.erase_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'staff_cannot_be_erased') WHERE NEW.role <> 'customer';
  SELECT RAISE(ABORT, 'wallet_not_empty') WHERE OLD.erase_at IS NULL AND NEW.wallet_balance > 0;
  SELECT RAISE(ABORT, 'orders_open') WHERE OLD.erase_at IS NULL
    AND EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'));
END;
--> statement-breakpoint
-- Prevents an erasure that its owner had no seven days to undo.
CREATE TRIGGER users_no_hasty_erasure BEFORE UPDATE OF erase_at ON users
WHEN OLD.erase_at IS NULL AND NEW.erase_at < NEW.updated_at + 604800000
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due');
END;
--> statement-breakpoint
-- Prevents erasing an account whose owner undid it meanwhile, or that has money or an open order again.
CREATE TRIGGER users_no_early_erasure BEFORE UPDATE OF erased_at ON users
WHEN OLD.erase_at IS NULL OR OLD.erase_at > NEW.erased_at OR NEW.wallet_balance > 0
  OR EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'))
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due');
END;
--> statement-breakpoint
-- Prevents an erased account from becoming somebody's again: only its wallet follows the ledger still.
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, pending_email, name, password_hash, role,
  disabled_at, phone, company, accepts_marketing, metadata, erase_at, erased_at ON users
WHEN OLD.erased_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_erased');
END;
--> statement-breakpoint
-- Prevents an administrator, or other staff, whose e-mails reach somebody else.
CREATE TRIGGER users_no_unverified_staff BEFORE UPDATE OF role ON users
WHEN OLD.role = 'customer' AND NEW.role <> 'customer' AND NEW.email_verified_at IS NULL AND NEW.erased_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'email_not_verified');
END;
--> statement-breakpoint
-- Prevents taking an address that its account may still go back to, since somebody else changed it.
CREATE TRIGGER users_no_reserved_email_insert BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;
--> statement-breakpoint
-- Prevents an account from moving to an address that another may still go back to.
CREATE TRIGGER users_no_reserved_email_update BEFORE UPDATE OF email ON users
WHEN NEW.email <> OLD.email AND EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000 AND user_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;
--> statement-breakpoint
-- Prevents a new account that the search misses.
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;
--> statement-breakpoint
-- Prevents the search from finding an account that is gone.
CREATE TRIGGER users_search_delete AFTER DELETE ON users
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
END;
--> statement-breakpoint
-- Prevents the search from finding an account by what it was called.
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email ON users
WHEN (OLD.name, OLD.email) IS NOT (NEW.name, NEW.email)
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;
--> statement-breakpoint
-- Prevents a balance that the ledger's latest row does not account for.
CREATE TRIGGER wallet_no_change_without_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT (
  SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
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
-- Prevents selling what is not for sale, at another price than the catalogue's, to nowhere, or files to nobody; holds the stock of the rest.
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by)
  SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity),
    iif(orders.status = 'completed', NEW.quantity, 0), CASE
      WHEN orders.expires_at IS NULL THEN NULL
      WHEN user_id IS NOT NULL THEN 'user:' || user_id
      WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
      ELSE 'api_key:' || api_key_id
    END
  FROM orders LEFT JOIN products ON products.id = NEW.product_id
  WHERE orders.id = NEW.order_id AND CASE
    WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable')
    WHEN products.price <> NEW.unit_price THEN RAISE(ABORT, 'price_changed')
    WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required')
    WHEN orders.user_id IS NULL AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
      THEN RAISE(ABORT, 'files_need_an_account')
    ELSE manage_stock
  END;
END;
--> statement-breakpoint
-- Prevents an order that is paid at once from lacking the packages of its units whose product has files.
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
  SELECT user_id, orders.id, NEW.id, unit, NEW.name, download_limit, paid_at, paid_at + download_days * 86400000
  FROM orders JOIN products ON products.id = NEW.product_id JOIN package_units ON unit <= NEW.quantity
  WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL;
END;
--> statement-breakpoint
-- Prevents returned units that the sales of their product would miss.
CREATE TRIGGER refunded_units_recorded AFTER UPDATE OF refunded_quantity ON order_items
WHEN NEW.refunded_quantity > OLD.refunded_quantity
BEGIN
  INSERT INTO refund_lines (order_item_id, refunded_before, refunded, created_at)
  VALUES (NEW.id, OLD.refunded_quantity, NEW.refunded_quantity, CAST(unixepoch('subsec') * 1000 AS INTEGER));
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
-- Prevents holding stock under an address that nobody has shown to be theirs: a few units in all that are not paid.
CREATE TRIGGER unpaid_order_no_excess_unverified BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by LIKE 'user:%'
BEGIN
  SELECT RAISE(ABORT, 'too_much_unverified')
  FROM users, unpaid_limits
  WHERE users.id = CAST(substr(NEW.unpaid_by, 6) AS INTEGER) AND email_verified_at IS NULL
    AND NEW.quantity + (
      SELECT coalesce(sum(stock_allocations.quantity), 0)
      FROM orders JOIN order_items ON order_items.order_id = orders.id
        JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id
      WHERE orders.user_id = users.id AND orders.status = 'pending' AND stock_allocations.unpaid_by IS NOT NULL
    ) > units_unverified;
END;
--> statement-breakpoint
-- Prevents selling a unit twice: what a line holds or has sent leaves the stock; stock_not_negative refuses what is not there.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents a use of a discount that has changed, is off, is not on yet or no more, or has no use left for this customer or at all.
CREATE TRIGGER discount_redemption_is_allowed BEFORE INSERT ON discount_redemptions
BEGIN
  SELECT CASE
    WHEN discounts.updated_at <> NEW.discount_version OR NOT enabled THEN RAISE(ABORT, 'discount_changed')
    WHEN starts_at > NEW.created_at OR ends_at <= NEW.created_at THEN RAISE(ABORT, 'discount_not_current')
    WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up')
    WHEN max_uses_per_customer <= (
      SELECT count(*) FROM discount_redemptions
      WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL
    ) THEN RAISE(ABORT, 'discount_used_by_customer')
    WHEN first_order_only AND (
      EXISTS (
        SELECT 1 FROM orders WHERE user_id = (SELECT user_id FROM orders WHERE id = NEW.order_id)
          AND id <> NEW.order_id AND status NOT IN ('cancelled', 'expired')
      ) OR EXISTS (
        SELECT 1 FROM orders AS this JOIN orders AS other ON other.customer_email = this.customer_email
        WHERE this.id = NEW.order_id AND this.user_id IS NULL AND other.user_id IS NULL
          AND other.id <> this.id AND other.status NOT IN ('cancelled', 'expired')
      )
    ) THEN RAISE(ABORT, 'discount_for_first_order')
  END
  FROM discounts WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a use that the discount does not count.
CREATE TRIGGER discount_redemption_is_counted AFTER INSERT ON discount_redemptions
BEGIN
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a released use from counting.
CREATE TRIGGER discount_release_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN OLD.released_at IS NULL AND NEW.released_at IS NOT NULL
BEGIN
  UPDATE discounts SET uses = uses - 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a use that comes back from going beyond what the discount allows in all, and to a customer who used it again meanwhile.
CREATE TRIGGER discount_return_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN OLD.released_at IS NOT NULL AND NEW.released_at IS NULL
BEGIN
  SELECT CASE
    WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up')
    WHEN iif(first_order_only, 1, max_uses_per_customer) < (
      SELECT count(*) FROM discount_redemptions
      WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL
    ) THEN RAISE(ABORT, 'discount_used_by_customer')
  END
  FROM discounts WHERE id = NEW.discount_id;
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents what is no list.
CREATE TRIGGER saved_views_no_unlisted_insert BEFORE INSERT ON saved_views
WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no list.
CREATE TRIGGER saved_views_no_unlisted_update BEFORE UPDATE OF "list" ON saved_views
WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents an order that was cancelled or has expired from using a discount up.
CREATE TRIGGER order_releases_discounts AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired')
BEGIN
  UPDATE discount_redemptions SET released_at = NEW.updated_at WHERE order_id = NEW.id AND released_at IS NULL;
END;
--> statement-breakpoint
-- Prevents paying for an expired order whose discount others have used up meanwhile: it is used again, or the payment is refused.
CREATE TRIGGER order_redeems_again AFTER UPDATE OF status ON orders
WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed')
BEGIN
  UPDATE discount_redemptions SET released_at = NULL WHERE order_id = NEW.id AND released_at IS NOT NULL;
END;
--> statement-breakpoint
-- Prevents a payment that failed without its event: the order's status stays, so its history has no row of it.
CREATE TRIGGER order_payment_failure_is_published AFTER UPDATE OF payment_status ON orders
WHEN NEW.payment_status = 'failed' AND OLD.payment_status <> 'failed'
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  VALUES ('order.payment_failed', 'order:' || NEW.id, NEW.updated_at, json_object('order_id', NEW.id, 'number', NEW.number,
    'user_id', NEW.user_id, 'status', NEW.status, 'payment_method', NEW.payment_method, 'total', NEW.total / 100.0,
    'currency', NEW.currency));
END;
--> statement-breakpoint
-- Prevents a change of status that order_moves does not list, whoever makes it.
CREATE TRIGGER order_no_unlisted_move BEFORE UPDATE OF status ON orders
WHEN NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status)
BEGIN
  SELECT RAISE(ABORT, 'order_move_not_allowed');
END;
--> statement-breakpoint
-- Prevents keeping two payments of one order: the second is refused, and goes back.
CREATE TRIGGER order_no_second_payment BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'order_paid_already');
END;
--> statement-breakpoint
-- Prevents downloading first and cancelling then; whoever may refund can still give the money back.
CREATE TRIGGER order_no_cancel_after_download BEFORE UPDATE OF status ON orders
WHEN NEW.status = 'cancelled'
  AND EXISTS (SELECT 1 FROM packages WHERE order_id = NEW.id AND downloads_used > 0)
BEGIN
  SELECT RAISE(ABORT, 'downloads_used');
END;
--> statement-breakpoint
-- Prevents taking back what is on its way; whoever may refund can still give the money back.
CREATE TRIGGER order_no_cancel_after_shipment BEFORE UPDATE OF status ON orders
WHEN NEW.status = 'cancelled' AND OLD.fulfillment_status = 'partially_fulfilled'
BEGIN
  SELECT RAISE(ABORT, 'order_partly_sent');
END;
--> statement-breakpoint
-- Prevents an order from counting as sent while units of it wait.
CREATE TRIGGER order_no_unsent_units BEFORE UPDATE OF status ON orders
WHEN NEW.status = 'shipped' AND EXISTS (
  SELECT 1 FROM order_items
  WHERE order_id = NEW.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity
)
BEGIN
  SELECT RAISE(ABORT, 'order_has_unsent_units');
END;
--> statement-breakpoint
-- Prevents a change of status without its row in the history; a payment that changes it is told by that row too.
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.updated_at, iif(pays, 'payment', 'status'), OLD.status, NEW.status, iif(pays, NEW.total, NULL),
    NEW.updated_by, NEW.note
  FROM (SELECT OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 AS pays);
END;
--> statement-breakpoint
-- Prevents a refund without its row in the history, also one of units that cost nothing or that leaves the status as it is.
CREATE TRIGGER order_refund_recorded AFTER UPDATE OF refunded_total ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, shipping, tax, actor, note)
  VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total,
    NEW.refunded_shipping - OLD.refunded_shipping, NEW.refunded_tax - OLD.refunded_tax, NEW.updated_by, NEW.note);
END;
--> statement-breakpoint
-- Prevents goods that were sent or handed over from counting as held; an expired order that is paid has a trigger of its own.
CREATE TRIGGER order_sends_stock AFTER UPDATE OF status ON orders
WHEN NEW.status = 'shipped' OR NEW.status = 'completed' AND OLD.status IN ('pending', 'processing')
BEGIN
  UPDATE stock_allocations SET sent = sent + quantity, quantity = 0
  WHERE quantity > 0 AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- Prevents paying for an expired order whose stock is gone: it takes its stock again, or the payment is refused.
CREATE TRIGGER order_allocates_again AFTER UPDATE OF status ON orders
WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed')
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, product_id, order_items.quantity
  FROM order_items JOIN products ON products.id = product_id AND manage_stock
  WHERE order_id = NEW.id
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
  UPDATE stock_allocations SET sent = quantity, quantity = 0
  WHERE NEW.status = 'completed' AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- Prevents an order that was cancelled or has expired from holding stock.
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired')
BEGIN
  UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- Prevents stock that is paid for from counting against the limits of unpaid orders.
CREATE TRIGGER order_pays_for_stock AFTER UPDATE OF status ON orders
WHEN OLD.status = 'pending' AND OLD.expires_at IS NOT NULL AND NEW.status IN ('processing', 'completed')
BEGIN
  UPDATE stock_allocations SET unpaid_by = NULL
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- Prevents paying at a provider for an order that was cancelled or paid by hand; the page of an expired one expires with it.
CREATE TRIGGER order_closes_payment AFTER UPDATE OF payment_url ON orders
WHEN OLD.payment_url IS NOT NULL AND NEW.payment_url IS NULL
  AND (NEW.status = 'cancelled' OR NEW.paid_at IS NOT NULL AND NEW.payment_reference IS NULL)
BEGIN
  INSERT INTO payments_to_close (provider, reference, created_at)
  VALUES (OLD.payment_provider, OLD.payment_reference, NEW.updated_at);
END;
--> statement-breakpoint
-- Prevents readers by updated_at from missing a change whose statement did not say when it was made.
CREATE TRIGGER order_change_is_dated AFTER UPDATE ON orders WHEN NEW.updated_at = OLD.updated_at
BEGIN
  UPDATE orders SET updated_at = updated_at + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a customer whom the search misses; one who orders again is in the index already, and costs it nothing.
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders
WHEN (NEW.customer_email IS NOT NULL OR NEW.customer_name IS NOT NULL) AND NOT EXISTS (
  SELECT 1 FROM orders
  WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND id < NEW.id
    AND (customer_email IS NOT NULL OR customer_name IS NOT NULL)
)
BEGIN
  INSERT INTO orders_search (rowid, customer_name, customer_email)
  VALUES (NEW.id, NEW.customer_name, NEW.customer_email);
END;
--> statement-breakpoint
-- Prevents the search from finding a customer whose data was erased; another of the same name and address takes their place.
CREATE TRIGGER orders_search_update AFTER UPDATE OF customer_name, customer_email ON orders
WHEN (OLD.customer_email, OLD.customer_name) IS NOT (NEW.customer_email, NEW.customer_name)
  AND (OLD.customer_email IS NOT NULL OR OLD.customer_name IS NOT NULL) AND NOT EXISTS (
    SELECT 1 FROM orders
    WHERE customer_email IS OLD.customer_email AND customer_name IS OLD.customer_name AND id < OLD.id
  )
BEGIN
  INSERT INTO orders_search (orders_search, rowid, customer_name, customer_email)
  VALUES ('delete', OLD.id, OLD.customer_name, OLD.customer_email);
  INSERT INTO orders_search (rowid, customer_name, customer_email)
  SELECT id, customer_name, customer_email FROM orders
  WHERE customer_email IS OLD.customer_email AND customer_name IS OLD.customer_name ORDER BY id LIMIT 1;
END;
--> statement-breakpoint
-- Prevents a customer's name and address from changing otherwise than by being erased.
CREATE TRIGGER order_no_other_customer BEFORE UPDATE OF customer_name, customer_email ON orders
WHEN NEW.customer_name IS NOT NULL AND NEW.customer_name IS NOT OLD.customer_name
  OR NEW.customer_email IS NOT NULL AND NEW.customer_email IS NOT OLD.customer_email
BEGIN
  SELECT RAISE(ABORT, 'order_customer_is_final');
END;
--> statement-breakpoint
-- Prevents buying twice by a double click or a lost answer; ordering again on purpose takes an Idempotency-Key.
CREATE TRIGGER order_no_resend BEFORE INSERT ON orders WHEN NOT NEW.keyed
BEGIN
  SELECT RAISE(ABORT, 'order_resent') FROM orders
  WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND fingerprint = NEW.fingerprint
    AND created_at > NEW.created_at - 15000
    AND status NOT IN ('cancelled', 'expired', 'refunded') AND payment_status <> 'failed';
END;
--> statement-breakpoint
-- Prevents an order without its first row in the history, and one that is paid at once without its payment there.
CREATE TRIGGER order_begins AFTER INSERT ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", actor, note)
  VALUES (NEW.id, NEW.created_at, 'status', NULL, iif(NEW.paid_at IS NULL, NEW.status, 'pending'), NEW.updated_by, NEW.note);
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.paid_at, iif(NEW.total > 0, 'payment', 'status'), 'pending', NEW.status, nullif(NEW.total, 0),
    NEW.updated_by, NEW.note
  WHERE NEW.paid_at IS NOT NULL;
END;
--> statement-breakpoint
-- Prevents an order that is paid at once and was not charged; the CHECK wallet_covers_charge refuses what the wallet does not hold.
CREATE TRIGGER order_is_charged AFTER INSERT ON orders WHEN NEW.paid_at IS NOT NULL AND NEW.total > 0
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  VALUES (NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total
  END, NEW.note, NEW.paid_at);
END;
--> statement-breakpoint
-- Prevents an order that is paid later and was not charged.
CREATE TRIGGER order_is_charged_later AFTER UPDATE OF paid_at ON orders
WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  VALUES (NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total
  END, NEW.note, NEW.paid_at);
END;
--> statement-breakpoint
-- Prevents an order that is paid later from lacking the packages of its units.
CREATE TRIGGER order_grants_packages_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
  SELECT NEW.user_id, NEW.id, order_items.id, unit, order_items.name, download_limit, NEW.paid_at,
    NEW.paid_at + download_days * 86400000
  FROM order_items JOIN products ON products.id = product_id JOIN package_units ON unit <= quantity
  WHERE order_id = NEW.id AND EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = products.id);
END;
--> statement-breakpoint
-- Prevents holding stock for nothing: a buyer has few orders that wait to be paid, guests of a key without an address ten times as many.
CREATE TRIGGER order_no_excess_pending BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_many_pending') FROM unpaid_limits WHERE orders_waiting <= CASE
    WHEN NEW.user_id IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE user_id = NEW.user_id AND status = 'pending' AND expires_at IS NOT NULL)
    WHEN NEW.customer_email IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE user_id IS NULL AND customer_email = NEW.customer_email
        AND status = 'pending' AND expires_at IS NOT NULL)
    ELSE (SELECT count(*) / 10 FROM orders WHERE user_id IS NULL AND customer_email IS NULL AND api_key_id = NEW.api_key_id
      AND status = 'pending' AND expires_at IS NOT NULL)
  END;
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
-- Prevents a parcel that was sent without its event.
CREATE TRIGGER shipment_is_published AFTER INSERT ON shipments
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'shipment.created', 'order:' || id, NEW.shipped_at, json_object('shipment_id', NEW.id, 'order_id', id,
    'number', number, 'user_id', user_id)
  FROM orders WHERE id = NEW.order_id;
END;
--> statement-breakpoint
-- Prevents sending an order that is not paid, and one that was sent, completed, cancelled or refunded.
CREATE TRIGGER shipment_no_closed_order BEFORE INSERT ON shipments
WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND status = 'processing')
BEGIN
  SELECT RAISE(ABORT, 'shipment_order_closed');
END;
--> statement-breakpoint
-- Prevents forgetting a parcel, but for one of an erased account.
CREATE TRIGGER shipments_no_delete BEFORE DELETE ON shipments
WHEN NOT EXISTS (
  SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE orders.id = OLD.order_id AND erased_at IS NOT NULL
)
BEGIN
  SELECT RAISE(ABORT, 'shipments_stay');
END;
--> statement-breakpoint
-- Prevents sending more units of a line than wait, what is not sent at all, and lines of another order.
CREATE TRIGGER shipment_line_no_excess BEFORE INSERT ON shipment_lines
WHEN NOT EXISTS (
  SELECT 1 FROM order_items JOIN shipments ON shipments.order_id = order_items.order_id
  WHERE order_items.id = NEW.order_item_id AND shipments.id = NEW.shipment_id AND requires_shipping
    AND shipped_quantity + NEW.quantity <= quantity - refunded_quantity
)
BEGIN
  SELECT RAISE(ABORT, 'shipment_exceeds_order');
END;
--> statement-breakpoint
-- Prevents units that were sent from waiting still, or from counting as held in stock.
CREATE TRIGGER shipment_line_is_sent AFTER INSERT ON shipment_lines
BEGIN
  UPDATE order_items SET shipped_quantity = shipped_quantity + NEW.quantity WHERE id = NEW.order_item_id;
  UPDATE stock_allocations SET quantity = quantity - min(quantity, NEW.quantity), sent = sent + min(quantity, NEW.quantity)
  WHERE order_item_id = NEW.order_item_id;
END;
--> statement-breakpoint
-- Prevents telling otherwise afterwards what a parcel held.
CREATE TRIGGER shipment_lines_no_update BEFORE UPDATE ON shipment_lines
BEGIN
  SELECT RAISE(ABORT, 'shipment_lines_are_final');
END;
