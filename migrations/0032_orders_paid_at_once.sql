-- An order that is paid at once begins as paid: it is written once, and charged by the row itself.
DROP TRIGGER order_begins;
--> statement-breakpoint
-- No order without its line in the history; one that is paid at once has its payment there too.
CREATE TRIGGER order_begins AFTER INSERT ON orders
BEGIN
  INSERT INTO order_history (order_id, at, "from", "to", actor, note)
  VALUES (NEW.id, NEW.created_at, NULL, iif(NEW.paid_at IS NULL, NEW.status, 'pending'), NEW.updated_by, NEW.note);
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.paid_at, iif(NEW.total > 0, 'payment', 'status'), 'pending', NEW.status, nullif(NEW.total, 0),
    NEW.updated_by, NEW.note
  WHERE NEW.paid_at IS NOT NULL;
END;
--> statement-breakpoint
-- Prevents an order that is paid and was not charged. The wallet pays what it holds (wallet_covers_charge).
CREATE TRIGGER order_is_charged AFTER INSERT ON orders WHEN NEW.paid_at IS NOT NULL AND NEW.total > 0
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  VALUES (NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total
  END, NEW.note, NEW.paid_at);
END;
--> statement-breakpoint
-- What an order keeps already it is not charged for again.
CREATE TRIGGER order_is_charged_later AFTER UPDATE OF paid_at ON orders
WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0
  AND (SELECT coalesce(sum(amount), 0) FROM transactions WHERE order_id = NEW.id) = 0
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  VALUES (NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total
  END, NEW.note, NEW.paid_at);
END;
--> statement-breakpoint
-- The row of the day is written once for an order that is paid at once, by the order; what is paid later counts by its charge.
DROP TRIGGER order_counts_in_sales;
--> statement-breakpoint
CREATE TRIGGER order_counts_in_sales AFTER INSERT ON orders
BEGIN
  INSERT INTO daily_sales (day, orders, revenue)
  VALUES (date(NEW.created_at / 1000, 'unixepoch'), 1, iif(NEW.paid_at IS NULL, 0, NEW.total))
  ON CONFLICT DO UPDATE SET orders = orders + 1, revenue = revenue + excluded.revenue;
END;
--> statement-breakpoint
DROP TRIGGER transaction_counts_in_sales;
--> statement-breakpoint
-- Sales are in the shop's own currency. A wallet is charged by an order that is paid at once, which has counted it.
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
-- The wallet moves with its ledger: by the row that was just added, which has to leave the balance that it says.
DROP TRIGGER wallet_moves_by_ledger;
--> statement-breakpoint
-- Prevents a balance that no ledger row accounts for.
CREATE TRIGGER wallet_moves_by_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT (
  SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;
--> statement-breakpoint
DROP TRIGGER transaction_moves_wallet;
--> statement-breakpoint
CREATE TRIGGER transaction_moves_wallet AFTER INSERT ON transactions WHEN NEW.method = 'wallet'
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch') WHERE NEW.user_id IS NULL;
  UPDATE users SET wallet_balance = wallet_balance + NEW.amount WHERE id = NEW.user_id;
END;
--> statement-breakpoint
-- A line is checked, and takes its stock, in one look at its order and its product.
DROP TRIGGER order_item_product_available;
--> statement-breakpoint
DROP TRIGGER order_item_price_current;
--> statement-breakpoint
DROP TRIGGER order_item_has_address;
--> statement-breakpoint
DROP TRIGGER order_item_files_need_account;
--> statement-breakpoint
DROP TRIGGER order_item_allocates_stock;
--> statement-breakpoint
-- Prevents selling what is not for sale, at another price than the catalogue's, to nowhere, or files to nobody. What is sold
-- is held where its stock is managed; of an order that begins as completed it is gone.
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
DROP TRIGGER allocation_takes_stock;
--> statement-breakpoint
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- The units of a line that may each be a package: order_item_grants_few allows no more of an order.
CREATE TABLE `package_units` (`unit` integer PRIMARY KEY NOT NULL);
--> statement-breakpoint
INSERT INTO package_units (unit)
WITH RECURSIVE units (unit) AS (SELECT 1 UNION ALL SELECT unit + 1 FROM units WHERE unit < 100) SELECT unit FROM units;
--> statement-breakpoint
-- No paid order without the packages of its units whose product has files, be it paid at once or later.
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
  SELECT user_id, orders.id, NEW.id, unit, NEW.name, download_limit, paid_at, paid_at + download_days * 86400000
  FROM orders JOIN products ON products.id = NEW.product_id JOIN package_units ON unit <= NEW.quantity
  WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER order_grants_packages_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
  SELECT NEW.user_id, NEW.id, order_items.id, unit, order_items.name, download_limit, NEW.paid_at,
    NEW.paid_at + download_days * 86400000
  FROM order_items JOIN products ON products.id = product_id JOIN package_units ON unit <= quantity
  WHERE order_id = NEW.id AND EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = products.id);
END;
--> statement-breakpoint
-- A package that is bought holds the files of its product.
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL
BEGIN
  INSERT INTO package_files (package_id, file_id)
  SELECT NEW.id, file_id FROM order_items JOIN product_files USING (product_id) WHERE order_items.id = NEW.order_item_id;
END;
--> statement-breakpoint
-- While a Worker from before these triggers still runs, it grants packages by statements of its own, behind them: what was
-- granted stays as it is, and its order is not refused.
CREATE TRIGGER package_is_granted_once BEFORE INSERT ON packages
WHEN EXISTS (SELECT 1 FROM packages WHERE order_item_id = NEW.order_item_id AND unit = NEW.unit)
BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER package_file_is_held_once BEFORE INSERT ON package_files
WHEN EXISTS (SELECT 1 FROM package_files WHERE package_id = NEW.package_id AND file_id = NEW.file_id)
BEGIN
  SELECT RAISE(IGNORE);
END;
