CREATE INDEX `orders_by_update` ON `orders` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `products_by_update` ON `products` (`updated_at`);
--> statement-breakpoint
-- Who follows the orders by `updated_at` sees every change of one, also where a statement did not say when it was made.
CREATE TRIGGER order_change_is_dated AFTER UPDATE ON orders WHEN NEW.updated_at = OLD.updated_at
BEGIN
  UPDATE orders SET updated_at = updated_at + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- What happens to a refund or a payment on its own is told in the order's history, and nowhere else in it.
CREATE TRIGGER order_history_dates_order AFTER INSERT ON order_history
WHEN NEW.kind IN ('payment_returned', 'refund_sent', 'refund_failed')
BEGIN
  UPDATE orders SET updated_at = max(NEW.at, updated_at + 1) WHERE id = NEW.order_id;
END;
