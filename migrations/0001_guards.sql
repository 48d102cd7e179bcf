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
-- A line takes its stock in the moment it is written; the CHECK stock_not_negative refuses what is not there.
CREATE TRIGGER order_item_takes_stock AFTER INSERT ON order_items
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity WHERE id = NEW.product_id AND manage_stock;
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
