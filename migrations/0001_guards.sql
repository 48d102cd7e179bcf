-- Rules of money and stock that no code path can forget. A violated rule aborts the whole batch; its message is the
-- rule's name, which orders/refusal.ts turns into words.

-- Prevents selling a draft or a product that does not exist.
CREATE TRIGGER order_item_product_available BEFORE INSERT ON order_items
WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = NEW.product_id AND status = 'active')
BEGIN
  SELECT RAISE(ABORT, 'product_unavailable');
END;
--> statement-breakpoint
-- Prevents charging another price than the catalogue's of this moment.
CREATE TRIGGER order_item_price_current BEFORE INSERT ON order_items
WHEN NEW.unit_price IS NOT (SELECT price FROM products WHERE id = NEW.product_id)
BEGIN
  SELECT RAISE(ABORT, 'price_changed');
END;
--> statement-breakpoint
-- Prevents selling goods that have to be sent without knowing where to.
CREATE TRIGGER order_item_has_address BEFORE INSERT ON order_items
WHEN NEW.requires_shipping AND (SELECT shipping_address FROM orders WHERE id = NEW.order_id) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'shipping_address_required');
END;
--> statement-breakpoint
-- A line allocates its stock in the moment it is written.
CREATE TRIGGER order_item_allocates_stock AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT NEW.id, NEW.product_id, NEW.quantity FROM products WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Stock moves with its allocations and by them alone, so what is left and what is allocated always add up to what came
-- in; the CHECK stock_not_negative refuses what is not there.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + OLD.quantity - NEW.quantity
  WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
CREATE TRIGGER allocation_returns_stock AFTER DELETE ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + OLD.quantity WHERE id = OLD.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents a move of the status that is not in the table below, whoever makes it.
CREATE TRIGGER order_moves_by_table BEFORE UPDATE OF status ON orders
WHEN NEW.status <> OLD.status
  AND NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status)
BEGIN
  SELECT RAISE(ABORT, 'order_move_not_allowed');
END;
--> statement-breakpoint
INSERT INTO order_moves ("from", "to") VALUES
  ('pending', 'processing'), ('pending', 'completed'), ('pending', 'cancelled'), ('pending', 'expired'),
  ('processing', 'shipped'), ('processing', 'completed'), ('processing', 'cancelled'), ('processing', 'refunded'),
  ('shipped', 'completed'), ('shipped', 'refunded'),
  ('completed', 'refunded'),
  ('expired', 'processing'), ('expired', 'completed');
--> statement-breakpoint
-- No order and no move without its line in the history.
CREATE TRIGGER order_begins AFTER INSERT ON orders
BEGIN
  INSERT INTO order_history (order_id, at, "from", "to", actor, note)
  VALUES (NEW.id, NEW.created_at, NULL, NEW.status, NEW.updated_by, NEW.note);
END;
--> statement-breakpoint
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO order_history (order_id, at, "from", "to", actor, note)
  VALUES (NEW.id, NEW.updated_at, OLD.status, NEW.status, NEW.updated_by, NEW.note);
END;
--> statement-breakpoint
-- An order that ends unpaid releases its own stock, all of it and nothing else.
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders
WHEN NEW.status IN ('cancelled', 'expired') AND NEW.status <> OLD.status
BEGIN
  DELETE FROM stock_allocations WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- An expired order that is paid after all needs its stock again, or the payment is refused.
CREATE TRIGGER order_allocates_again AFTER UPDATE OF status ON orders
WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed')
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, product_id, quantity FROM order_items JOIN products ON products.id = product_id
  WHERE order_id = NEW.id AND manage_stock;
END;
--> statement-breakpoint
-- A refunded unit takes its download package along: the last units first, each unit once.
CREATE TRIGGER refund_revokes_packages AFTER UPDATE OF refunded_quantity ON order_items
WHEN NEW.refunded_quantity > OLD.refunded_quantity
BEGIN
  UPDATE packages SET revoked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE order_item_id = NEW.id AND revoked_at IS NULL AND unit > NEW.quantity - NEW.refunded_quantity;
END;
--> statement-breakpoint
-- The wallet moves with its ledger, and a row whose balance_after is not the balance it leaves is refused.
CREATE TRIGGER transaction_moves_wallet AFTER INSERT ON transactions WHEN NEW.method = 'wallet'
BEGIN
  UPDATE users SET wallet_balance = wallet_balance + NEW.amount WHERE id = NEW.user_id;
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch')
  WHERE NEW.balance_after IS NOT (SELECT wallet_balance FROM users WHERE id = NEW.user_id);
END;
--> statement-breakpoint
-- Prevents a balance that no ledger row accounts for.
CREATE TRIGGER wallet_moves_by_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN NEW.wallet_balance IS NOT (
  SELECT balance_after FROM transactions WHERE user_id = NEW.id AND method = 'wallet' ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;
--> statement-breakpoint
CREATE TRIGGER wallet_starts_empty BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;
--> statement-breakpoint
-- The ledger is append-only: history is corrected by a new row, never by changing an old one.
CREATE TRIGGER transactions_keep BEFORE UPDATE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_stay BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;
--> statement-breakpoint
-- Prevents a download of a package that has ended; the CHECK downloads_within_limit refuses one too many.
CREATE TRIGGER download_needs_live_package BEFORE INSERT ON downloads
WHEN NOT EXISTS (
  SELECT 1 FROM packages WHERE id = NEW.package_id AND revoked_at IS NULL
    AND starts_at <= NEW.created_at AND (expires_at IS NULL OR expires_at > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'package_ended');
END;
--> statement-breakpoint
CREATE TRIGGER download_uses_package AFTER INSERT ON downloads
BEGIN
  UPDATE packages SET downloads_used = downloads_used + 1 WHERE id = NEW.package_id;
END;
--> statement-breakpoint
-- Empty at any moment: every balance is the sum of its ledger.
CREATE VIEW ledger_mismatches AS
SELECT users.id AS user_id, wallet_balance, coalesce(sum(amount), 0) AS ledger_sum
FROM users LEFT JOIN transactions ON transactions.user_id = users.id AND method = 'wallet'
GROUP BY users.id HAVING wallet_balance <> coalesce(sum(amount), 0);
