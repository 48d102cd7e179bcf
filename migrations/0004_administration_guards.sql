-- A batch that was decided on something read before is refused when that has changed; nothing is ever stored here.
CREATE TRIGGER precondition_holds BEFORE INSERT ON preconditions
BEGIN
  SELECT RAISE(ABORT, 'row_changed') WHERE NOT NEW.holds;
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- The audit log is append-only: who wrote what is not for anybody to change.
CREATE TRIGGER audit_log_keeps BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
-- Prevents a stock where none is kept. The CHECK stock_not_negative refuses to take away what is not there.
CREATE TRIGGER adjustment_needs_stock BEFORE INSERT ON stock_adjustments
WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = NEW.product_id AND manage_stock)
BEGIN
  SELECT RAISE(ABORT, 'stock_not_managed');
END;
--> statement-breakpoint
CREATE TRIGGER adjustment_changes_stock AFTER INSERT ON stock_adjustments
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + NEW.delta WHERE id = NEW.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER stock_adjustments_keep BEFORE UPDATE ON stock_adjustments
BEGIN
  SELECT RAISE(ABORT, 'stock_adjustments_are_append_only');
END;
--> statement-breakpoint
-- Prevents an installation that nobody can administer any more.
CREATE TRIGGER administrator_remains BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'last_administrator');
END;
--> statement-breakpoint
CREATE TRIGGER order_counts_in_sales AFTER INSERT ON orders
BEGIN
  INSERT INTO daily_sales (day, orders) VALUES (date(NEW.created_at / 1000, 'unixepoch'), 1)
  ON CONFLICT DO UPDATE SET orders = orders + 1;
END;
--> statement-breakpoint
-- A charge is a debit, so its amount is negative. A wallet that is filled is no sale.
CREATE TRIGGER transaction_counts_in_sales AFTER INSERT ON transactions WHEN NEW.kind IN ('charge', 'refund')
BEGIN
  INSERT INTO daily_sales (day, revenue, refunded) VALUES (
    date(NEW.created_at / 1000, 'unixepoch'),
    CASE NEW.kind WHEN 'charge' THEN -NEW.amount ELSE 0 END,
    CASE NEW.kind WHEN 'refund' THEN NEW.amount ELSE 0 END
  )
  ON CONFLICT DO UPDATE SET revenue = revenue + excluded.revenue, refunded = refunded + excluded.refunded;
END;
--> statement-breakpoint
INSERT INTO daily_sales (day, orders)
SELECT date(created_at / 1000, 'unixepoch'), count(*) FROM orders GROUP BY 1;
--> statement-breakpoint
INSERT INTO daily_sales (day, revenue, refunded)
SELECT date(created_at / 1000, 'unixepoch'),
  sum(CASE kind WHEN 'charge' THEN -amount ELSE 0 END), sum(CASE kind WHEN 'refund' THEN amount ELSE 0 END)
FROM transactions WHERE kind IN ('charge', 'refund') GROUP BY 1
ON CONFLICT DO UPDATE SET revenue = excluded.revenue, refunded = excluded.refunded;
