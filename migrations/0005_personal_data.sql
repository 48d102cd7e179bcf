ALTER TABLE `users` ADD `erase_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`erase_at`) WHERE erase_at IS NOT NULL AND erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `audit_log_with_address` ON `audit_log` (`at`) WHERE address IS NOT NULL AND actor NOT LIKE 'api_key:%';
--> statement-breakpoint
DROP TRIGGER audit_log_no_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_delete;
--> statement-breakpoint
DROP TRIGGER order_no_resend;
--> statement-breakpoint
DROP TRIGGER order_begins;
--> statement-breakpoint
DROP TRIGGER order_is_charged;
--> statement-breakpoint
DROP TRIGGER order_is_charged_later;
--> statement-breakpoint
DROP TRIGGER order_counts_in_sales;
--> statement-breakpoint
DROP TRIGGER order_grants_packages_later;
--> statement-breakpoint
DROP TRIGGER order_no_excess_pending;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER transactions_no_update;
--> statement-breakpoint
DROP TRIGGER transactions_no_delete;
--> statement-breakpoint
DROP TRIGGER refund_no_more_than_paid;
--> statement-breakpoint
DROP TRIGGER transaction_counts_in_sales;
--> statement-breakpoint
DROP TRIGGER transaction_moves_wallet;
--> statement-breakpoint
DROP TRIGGER transactions_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER transactions_no_unlisted_update;
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
    OR NEW.before IS json_remove(OLD.before, '$.shipping_address', '$.shipment', '$.note', '$.name')
      AND NEW.after IS json_remove(OLD.after, '$.shipping_address', '$.shipment', '$.note', '$.name')
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
-- Prevents rewriting the ledger: a wrong row is corrected by a new one. An erased account's rows lose their notes.
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions
WHEN NEW.note IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND erased_at IS NOT NULL)
  OR (NEW.id, NEW.user_id, NEW.api_key_id, NEW.order_id, NEW.kind, NEW.method, NEW.amount, NEW.currency, NEW.balance_after,
    NEW.created_at) IS NOT (OLD.id, OLD.user_id, OLD.api_key_id, OLD.order_id, OLD.kind, OLD.method, OLD.amount, OLD.currency,
    OLD.balance_after, OLD.created_at)
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
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, name, password_hash, role, disabled_at, phone, company,
  accepts_marketing, metadata, erase_at, erased_at ON users
WHEN OLD.erased_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_erased');
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
-- Prevents words from staying in the index's segments after they were deleted from it.
INSERT INTO users_search (users_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO users_search (users_search) VALUES ('rebuild');
--> statement-breakpoint
INSERT INTO orders_search (orders_search, rank) VALUES ('secure-delete', 1);
