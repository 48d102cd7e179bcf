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
-- Prevents selling files to a guest, who has no account to download them with.
CREATE TRIGGER order_item_files_need_account BEFORE INSERT ON order_items
WHEN (SELECT user_id FROM orders WHERE id = NEW.order_id) IS NULL
  AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
BEGIN
  SELECT RAISE(ABORT, 'files_need_an_account');
END;
--> statement-breakpoint
-- Prevents an order that would write packages by the thousand: a unit that grants files is a row of its own.
CREATE TRIGGER order_item_grants_few AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id) AND 100 < (
  SELECT sum(quantity) FROM order_items
  WHERE order_id = NEW.order_id AND product_id IN (SELECT product_id FROM product_files)
)
BEGIN
  SELECT RAISE(ABORT, 'too_many_packages');
END;
--> statement-breakpoint
-- Prevents holding stock for nothing: a user has ten unpaid orders at most. The index orders_by_user_and_status serves it.
CREATE TRIGGER order_waits_with_few BEFORE INSERT ON orders
WHEN NEW.user_id IS NOT NULL
  AND (SELECT count(*) FROM orders WHERE user_id = NEW.user_id AND status = 'pending') >= 10
BEGIN
  SELECT RAISE(ABORT, 'too_many_pending');
END;
--> statement-breakpoint
-- A line allocates its stock in the moment it is written.
CREATE TRIGGER order_item_allocates_stock AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT NEW.id, NEW.product_id, NEW.quantity FROM products WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Stock moves with its allocations and by them alone, so what is left, what is allocated and what was written off always
-- add up to what came in; the CHECK stock_not_negative refuses what is not there.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, written_off ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + OLD.quantity + OLD.written_off - NEW.quantity - NEW.written_off
  WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents a move of the status that is not in the table below, whoever makes it; one to where it stands is none.
CREATE TRIGGER order_moves_by_table BEFORE UPDATE OF status ON orders
WHEN NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status)
BEGIN
  SELECT RAISE(ABORT, 'order_move_not_allowed');
END;
--> statement-breakpoint
-- Prevents keeping two payments of one order: the second is refused, and goes back.
CREATE TRIGGER order_paid_once BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'order_paid_already');
END;
--> statement-breakpoint
-- Prevents a buyer from downloading first and cancelling then. Whoever refunds may still give the money back.
CREATE TRIGGER order_cancels_unused BEFORE UPDATE OF status ON orders
WHEN NEW.status = 'cancelled'
  AND EXISTS (SELECT 1 FROM packages WHERE order_id = NEW.id AND downloads_used > 0)
BEGIN
  SELECT RAISE(ABORT, 'downloads_used');
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
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders
BEGIN
  INSERT INTO order_history (order_id, at, "from", "to", actor, note)
  VALUES (NEW.id, NEW.updated_at, OLD.status, NEW.status, NEW.updated_by, NEW.note);
END;
--> statement-breakpoint
-- An order that ends releases its own stock, all that it still holds and nothing else.
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired')
BEGIN
  UPDATE stock_allocations SET quantity = 0
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- An expired order that is paid after all needs its stock again, or the payment is refused.
CREATE TRIGGER order_allocates_again AFTER UPDATE OF status ON orders
WHEN OLD.status = 'expired' AND NEW.status IN ('processing', 'completed')
BEGIN
  UPDATE stock_allocations SET quantity = (SELECT quantity FROM order_items WHERE id = order_item_id)
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
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
