-- Finds the customers of orders by any word of a name or an e-mail address; their orders are read from orders_by_customer.
CREATE VIRTUAL TABLE orders_search USING fts5(
  customer_name, customer_email, content = 'orders', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
--> statement-breakpoint
-- Shows every product as shoppers may know it: what is on sale as it is, a draft as it was when it was last on sale.
CREATE VIEW product_offers AS
SELECT products.id, ifnull(withdrawn.name, products.name) AS name, ifnull(withdrawn.sku, products.sku) AS sku,
  ifnull(withdrawn.type, products.type) AS type, ifnull(withdrawn.price, products.price) AS price,
  ifnull(withdrawn.images, products.images) AS images,
  ifnull(withdrawn.requires_shipping, products.requires_shipping) AS requires_shipping
FROM products LEFT JOIN withdrawn_products AS withdrawn ON withdrawn.product_id = products.id;
--> statement-breakpoint
-- Counts products anew after a bulk load with the triggers off: it has no rows, its trigger does what an insert asks for.
CREATE VIEW product_recounts (n) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
-- Finds products by words. Facets have status, type, stock, category and price as words: a search is counted in the index alone.
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, description, facets, content = 'products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
-- Shows each wallet whose balance is not the sum of its ledger: there is none at any moment.
CREATE VIEW ledger_mismatches AS
SELECT users.id AS user_id, wallet_balance, coalesce(sum(amount), 0) AS ledger_sum
FROM users LEFT JOIN transactions ON transactions.user_id = users.id AND method = 'wallet'
GROUP BY users.id HAVING wallet_balance <> coalesce(sum(amount), 0);
--> statement-breakpoint
-- Finds accounts by any word of a name or an e-mail address.
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
-- Prevents a revoked key from coming back to life, by an edit or a rotation under way: only its last use is still written.
CREATE TRIGGER revoked_api_key_no_update BEFORE UPDATE OF start, name, hash, previous_hash, previous_expires_at, permissions,
  tier, expires_at, revoked_at ON api_keys
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'revoked_api_key_is_final');
END;
--> statement-breakpoint
-- Prevents what is no tier.
CREATE TRIGGER api_keys_no_unlisted_insert BEFORE INSERT ON api_keys
WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no tier.
CREATE TRIGGER api_keys_no_unlisted_update BEFORE UPDATE OF "tier" ON api_keys
WHEN NEW."tier" <> 'standard' AND NEW."tier" <> 'premium'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents rewriting who changed what: the audit log is append-only.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
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
-- Prevents a batch that was decided on a row that has changed since; nothing is ever stored here.
CREATE TRIGGER precondition_holds BEFORE INSERT ON preconditions
BEGIN
  SELECT RAISE(ABORT, 'row_changed') WHERE NOT NEW.holds;
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- Prevents counts of a category that is gone.
CREATE TRIGGER product_counts_delete_category AFTER DELETE ON categories
BEGIN
  DELETE FROM product_counts WHERE category_id = OLD.id;
END;
--> statement-breakpoint
-- Prevents storing for nothing: what is open holds up to 5 GB each until it is completed or its day is over.
CREATE TRIGGER uploads_no_excess_open BEFORE INSERT ON uploads
WHEN (SELECT count(*) FROM uploads WHERE completed_at IS NULL) >= 20
BEGIN
  SELECT RAISE(ABORT, 'too_many_uploads');
END;
--> statement-breakpoint
-- Prevents an order that writes packages by the thousand: each unit that grants files is a row of its own.
CREATE TRIGGER order_no_excess_packages AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) AND 100 < (
  SELECT sum(quantity) FROM order_items
  WHERE order_id = NEW.order_id AND product_id IN (SELECT product_id FROM product_files)
)
BEGIN
  SELECT RAISE(ABORT, 'too_many_packages');
END;
--> statement-breakpoint
-- Prevents downloads of what was refunded: the last units lose their packages first, each unit once.
CREATE TRIGGER refund_revokes_packages AFTER UPDATE OF refunded_quantity ON order_items
WHEN NEW.refunded_quantity > OLD.refunded_quantity
BEGIN
  UPDATE packages SET revoked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE order_item_id = NEW.id AND revoked_at IS NULL AND unit > NEW.quantity - NEW.refunded_quantity;
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
-- Prevents what is no type.
CREATE TRIGGER order_items_no_unlisted_insert BEFORE INSERT ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type.
CREATE TRIGGER order_items_no_unlisted_update BEFORE UPDATE OF "type" ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
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
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total,
    NEW.updated_by, NEW.note);
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
-- Prevents an order that the day's sales miss; one that is paid at once counts its revenue with that, in one write.
CREATE TRIGGER order_counts_in_sales AFTER INSERT ON orders
BEGIN
  INSERT INTO daily_sales (day, orders, revenue)
  VALUES (date(NEW.created_at / 1000, 'unixepoch'), 1, iif(NEW.paid_at IS NULL, 0, NEW.total))
  ON CONFLICT DO UPDATE SET orders = orders + 1, revenue = revenue + excluded.revenue;
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
  OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'fulfilled'
  OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no status, payment_status, fulfillment_status, payment_method.
CREATE TRIGGER orders_no_unlisted_update BEFORE UPDATE OF "status", "payment_status", "fulfillment_status", "payment_method" ON orders
WHEN NEW."status" <> 'pending' AND NEW."status" <> 'processing' AND NEW."status" <> 'shipped' AND NEW."status" <> 'completed' AND NEW."status" <> 'cancelled' AND NEW."status" <> 'expired' AND NEW."status" <> 'refunded'
  OR NEW."payment_status" <> 'unpaid' AND NEW."payment_status" <> 'requires_action' AND NEW."payment_status" <> 'failed' AND NEW."payment_status" <> 'paid' AND NEW."payment_status" <> 'partially_refunded' AND NEW."payment_status" <> 'refunded'
  OR NEW."fulfillment_status" <> 'not_required' AND NEW."fulfillment_status" <> 'unfulfilled' AND NEW."fulfillment_status" <> 'fulfilled'
  OR NEW."payment_method" <> 'wallet' AND NEW."payment_method" <> 'credit_card' AND NEW."payment_method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents a download of a package that has ended or not begun; the CHECK downloads_within_limit refuses one too many.
CREATE TRIGGER download_no_ended_package BEFORE INSERT ON downloads
WHEN NOT EXISTS (
  SELECT 1 FROM packages WHERE id = NEW.package_id AND revoked_at IS NULL
    AND starts_at <= NEW.created_at AND (expires_at IS NULL OR expires_at > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'package_ended');
END;
--> statement-breakpoint
-- Prevents a download that does not count against its package's limit.
CREATE TRIGGER download_uses_package AFTER INSERT ON downloads
BEGIN
  UPDATE packages SET downloads_used = downloads_used + 1 WHERE id = NEW.package_id;
END;
--> statement-breakpoint
-- Prevents a bought package without the files of its product.
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL
BEGIN
  INSERT INTO package_files (package_id, file_id)
  SELECT NEW.id, file_id FROM order_items JOIN product_files USING (product_id) WHERE order_items.id = NEW.order_item_id;
END;
--> statement-breakpoint
-- Prevents lists and totals that are wrong after a bulk load.
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts
BEGIN
  UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock;
  DELETE FROM product_counts;
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT 0, status, type, sold_out, count(*) FROM products GROUP BY status, type, sold_out
  UNION ALL
  SELECT category_id, status, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, type, sold_out;
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
  SELECT order_items.id, NEW.id, quantity - refunded_quantity FROM order_items JOIN orders ON orders.id = order_id
  WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity
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
-- Prevents what is no type, status.
CREATE TRIGGER products_no_unlisted_insert BEFORE INSERT ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type, status.
CREATE TRIGGER products_no_unlisted_update BEFORE UPDATE OF "type", "status" ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents a stock where none is managed; the CHECK stock_not_negative refuses to take away what is not there.
CREATE TRIGGER adjustment_no_unmanaged_stock BEFORE INSERT ON stock_adjustments
WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = NEW.product_id AND manage_stock)
BEGIN
  SELECT RAISE(ABORT, 'stock_not_managed');
END;
--> statement-breakpoint
-- Prevents an adjustment that the product's stock does not follow.
CREATE TRIGGER adjustment_changes_stock AFTER INSERT ON stock_adjustments
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + NEW.delta WHERE id = NEW.product_id;
END;
--> statement-breakpoint
-- Prevents rewriting an adjustment: a wrong one is corrected by another.
CREATE TRIGGER stock_adjustments_no_update BEFORE UPDATE ON stock_adjustments
BEGIN
  SELECT RAISE(ABORT, 'stock_adjustments_are_append_only');
END;
--> statement-breakpoint
-- Prevents losing units: what is left, held, sent and written off always adds up to what came in.
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, sent, written_off ON stock_allocations
WHEN OLD.quantity + OLD.sent + OLD.written_off <> NEW.quantity + NEW.sent + NEW.written_off
BEGIN
  UPDATE products SET stock_quantity = stock_quantity
    + OLD.quantity + OLD.sent + OLD.written_off - NEW.quantity - NEW.sent - NEW.written_off
  WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents taking a product out of stock without paying: a buyer's unpaid orders hold a share of it, or a few units.
CREATE TRIGGER unpaid_order_no_excess_stock BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_much_unpaid')
  FROM unpaid_limits, products, (
    SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations
    WHERE product_id = NEW.product_id AND unpaid_by = NEW.unpaid_by
  )
  WHERE products.id = NEW.product_id AND held + NEW.quantity >
    max(units_held, (stock_quantity + held) * percent_held / 100) * iif(NEW.unpaid_by LIKE 'api_key:%', 10, 1);
END;
--> statement-breakpoint
-- Prevents selling a unit twice: what a line holds or has sent leaves the stock; stock_not_negative refuses what is not there.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents rewriting the ledger: a wrong row is corrected by a new one.
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;
--> statement-breakpoint
-- Prevents deleting from the ledger.
CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;
--> statement-breakpoint
-- Prevents giving back more than was paid. A charge is a debit, so what an order keeps is negative.
CREATE TRIGGER refund_no_more_than_paid BEFORE INSERT ON transactions WHEN NEW.kind = 'refund' AND NEW.order_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'refund_exceeds_payment')
  WHERE NEW.amount + (SELECT coalesce(sum(amount), 0) FROM transactions WHERE order_id = NEW.order_id) > 0;
END;
--> statement-breakpoint
-- Prevents money of the shop's own currency that the day's sales miss; a wallet's charge is counted by its order.
CREATE TRIGGER transaction_counts_in_sales AFTER INSERT ON transactions
WHEN (NEW.kind = 'refund' OR NEW.kind = 'charge' AND NEW.method <> 'wallet') AND NEW.currency IS NULL
BEGIN
  INSERT INTO daily_sales (day, revenue, refunded) VALUES (
    date(NEW.created_at / 1000, 'unixepoch'),
    CASE NEW.kind WHEN 'charge' THEN -NEW.amount ELSE 0 END,
    CASE NEW.kind WHEN 'refund' THEN NEW.amount ELSE 0 END
  )
  ON CONFLICT DO UPDATE SET revenue = revenue + excluded.revenue, refunded = refunded + excluded.refunded;
END;
--> statement-breakpoint
-- Prevents a ledger row that the wallet does not follow.
CREATE TRIGGER transaction_moves_wallet AFTER INSERT ON transactions WHEN NEW.method = 'wallet'
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch') WHERE NEW.user_id IS NULL;
  UPDATE users SET wallet_balance = wallet_balance + NEW.amount WHERE id = NEW.user_id;
END;
--> statement-breakpoint
-- Prevents what is no kind, method.
CREATE TRIGGER transactions_no_unlisted_insert BEFORE INSERT ON transactions
WHEN NEW."kind" <> 'charge' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'credit' AND NEW."kind" <> 'adjustment'
  OR NEW."method" <> 'wallet' AND NEW."method" <> 'credit_card' AND NEW."method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind, method.
CREATE TRIGGER transactions_no_unlisted_update BEFORE UPDATE OF "kind", "method" ON transactions
WHEN NEW."kind" <> 'charge' AND NEW."kind" <> 'refund' AND NEW."kind" <> 'credit' AND NEW."kind" <> 'adjustment'
  OR NEW."method" <> 'wallet' AND NEW."method" <> 'credit_card' AND NEW."method" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents a new account with money that no ledger row accounts for.
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;
--> statement-breakpoint
-- Prevents a shop that nobody can administer any more.
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'last_administrator');
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
WHEN NEW."role" <> 'customer' AND NEW."role" <> 'admin'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no role.
CREATE TRIGGER users_no_unlisted_update BEFORE UPDATE OF "role" ON users
WHEN NEW."role" <> 'customer' AND NEW."role" <> 'admin'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no access.
CREATE TRIGGER files_no_unlisted_insert BEFORE INSERT ON files
WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no access.
CREATE TRIGGER files_no_unlisted_update BEFORE UPDATE OF "access" ON files
WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no from, to.
CREATE TRIGGER order_moves_no_unlisted_insert BEFORE INSERT ON order_moves
WHEN NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded'
  OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no from, to.
CREATE TRIGGER order_moves_no_unlisted_update BEFORE UPDATE OF "from", "to" ON order_moves
WHEN NEW."from" <> 'pending' AND NEW."from" <> 'processing' AND NEW."from" <> 'shipped' AND NEW."from" <> 'completed' AND NEW."from" <> 'cancelled' AND NEW."from" <> 'expired' AND NEW."from" <> 'refunded'
  OR NEW."to" <> 'pending' AND NEW."to" <> 'processing' AND NEW."to" <> 'shipped' AND NEW."to" <> 'completed' AND NEW."to" <> 'cancelled' AND NEW."to" <> 'expired' AND NEW."to" <> 'refunded'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no provider.
CREATE TRIGGER payments_to_close_no_unlisted_insert BEFORE INSERT ON payments_to_close
WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no provider.
CREATE TRIGGER payments_to_close_no_unlisted_update BEFORE UPDATE OF "provider" ON payments_to_close
WHEN NEW."provider" <> 'stripe' AND NEW."provider" <> 'paypal'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no status, type.
CREATE TRIGGER product_counts_no_unlisted_insert BEFORE INSERT ON product_counts
WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no status, type.
CREATE TRIGGER product_counts_no_unlisted_update BEFORE UPDATE OF "status", "type" ON product_counts
WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type.
CREATE TRIGGER withdrawn_products_no_unlisted_insert BEFORE INSERT ON withdrawn_products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type.
CREATE TRIGGER withdrawn_products_no_unlisted_update BEFORE UPDATE OF "type" ON withdrawn_products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Fills the search anew where its table is: with the first order of each customer.
INSERT INTO orders_search (rowid, customer_name, customer_email)
SELECT min(id), customer_name, customer_email FROM orders
WHERE customer_email IS NOT NULL OR customer_name IS NOT NULL
GROUP BY customer_email, customer_name;
--> statement-breakpoint
-- Fills the search anew where its table is.
INSERT INTO products_search (products_search) VALUES ('rebuild');
--> statement-breakpoint
-- Fills the search anew where its table is.
INSERT INTO users_search (users_search) VALUES ('rebuild');
--> statement-breakpoint
-- The changes of status that an order may make; orders/transitions.ts holds the same.
INSERT INTO order_moves ("from", "to") VALUES
  ('pending', 'processing'), ('pending', 'completed'), ('pending', 'cancelled'), ('pending', 'expired'),
  ('processing', 'shipped'), ('processing', 'completed'), ('processing', 'cancelled'), ('processing', 'refunded'),
  ('shipped', 'completed'), ('shipped', 'refunded'),
  ('completed', 'refunded'),
  ('expired', 'processing'), ('expired', 'completed');
--> statement-breakpoint
-- The limits of unpaid orders until the first one writes the settings of wrangler.toml.
INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held) VALUES (1, 10, 5, 10);
--> statement-breakpoint
-- An insert into a table with AUTOINCREMENT reads sqlite_sequence up to its own row: those that orders write to come first.
INSERT INTO sqlite_sequence (name, seq)
VALUES ('transactions', 0), ('order_history', 0), ('orders', 0), ('order_items', 0), ('packages', 0), ('audit_log', 0);
--> statement-breakpoint
-- The units of a line that may each be a package: order_no_excess_packages allows no more of an order.
INSERT INTO package_units (unit)
WITH RECURSIVE units (unit) AS (SELECT 1 UNION ALL SELECT unit + 1 FROM units WHERE unit < 100) SELECT unit FROM units;
