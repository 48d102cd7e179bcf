-- `quantity` is what an order holds of goods that still lie there: what was sent stands beside it. So what was counted is
-- what can be sold and what is held.
ALTER TABLE `stock_allocations` ADD `sent` integer DEFAULT 0 NOT NULL CONSTRAINT "sent_not_negative" CHECK("sent" >= 0);--> statement-breakpoint
DROP TRIGGER allocation_changes_stock;--> statement-breakpoint
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, sent, written_off ON stock_allocations
WHEN OLD.quantity + OLD.sent + OLD.written_off <> NEW.quantity + NEW.sent + NEW.written_off
BEGIN
  UPDATE products SET stock_quantity = stock_quantity
    + OLD.quantity + OLD.sent + OLD.written_off - NEW.quantity - NEW.sent - NEW.written_off
  WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
UPDATE stock_allocations SET sent = quantity, quantity = 0
WHERE quantity > 0 AND order_item_id IN (
  SELECT order_items.id FROM orders JOIN order_items ON order_id = orders.id WHERE status IN ('shipped', 'completed')
);
--> statement-breakpoint
DROP INDEX `stock_allocations_by_product`;--> statement-breakpoint
CREATE INDEX `stock_allocations_by_product` ON `stock_allocations` (`product_id`,`quantity`);--> statement-breakpoint
-- Goods that are sent, or handed over, are held no more. A late payment's trigger sees to its own.
CREATE TRIGGER order_sends_stock AFTER UPDATE OF status ON orders
WHEN NEW.status = 'shipped' OR NEW.status = 'completed' AND OLD.status IN ('pending', 'processing')
BEGIN
  UPDATE stock_allocations SET sent = sent + quantity, quantity = 0
  WHERE quantity > 0 AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
-- An expired order that is paid after all needs its stock again, or the payment is refused: also of a product whose stock
-- was not managed when it was ordered.
DROP TRIGGER order_allocates_again;--> statement-breakpoint
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
-- Prevents an order from giving units to a stock that was counted without them: it holds none of a product that is not
-- managed.
CREATE TRIGGER product_ends_allocations AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock AND NOT NEW.manage_stock
BEGIN
  DELETE FROM stock_allocations WHERE product_id = NEW.id AND quantity > 0;
END;
--> statement-breakpoint
-- Prevents selling what orders wait for that came before the stock was managed. `stock_not_negative` refuses a count below
-- that.
CREATE TRIGGER product_begins_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock AND NOT OLD.manage_stock
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, NEW.id, quantity - refunded_quantity FROM order_items JOIN orders ON orders.id = order_id
  WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
END;
