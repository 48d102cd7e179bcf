DROP TRIGGER order_item_grants_packages;
--> statement-breakpoint
DROP TRIGGER refunded_units_recorded;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER order_is_charged;
--> statement-breakpoint
DROP TRIGGER order_is_charged_later;
--> statement-breakpoint
DROP TRIGGER order_grants_packages_later;
--> statement-breakpoint
DROP TRIGGER order_no_excess_pending;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER orders_no_unlisted_update;
--> statement-breakpoint
-- Prevents selling what was not charged: an order that is paid at once is charged with its first line; wallet_covers_charge refuses what the wallet does not hold.
CREATE TRIGGER order_is_charged AFTER INSERT ON order_items
WHEN NOT EXISTS (SELECT 1 FROM transactions WHERE order_id = NEW.order_id AND kind = 'charge')
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  SELECT user_id, api_key_id, id, 'charge', payment_method, -total, CASE payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE users.id = orders.user_id) - total
  END, note, paid_at
  FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL AND total > 0;
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
