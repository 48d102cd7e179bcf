-- What orders may hold that are not paid. One row: an order that waits to be paid writes the installation's settings into it.
CREATE TABLE `unpaid_limits` (
	`id` integer PRIMARY KEY NOT NULL,
	`orders_waiting` integer NOT NULL,
	`units_held` integer NOT NULL,
	`percent_held` integer NOT NULL,
	CONSTRAINT "unpaid_limits_are_one_row" CHECK("id" = 1)
);
--> statement-breakpoint
INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held) VALUES (1, 10, 5, 10);--> statement-breakpoint
CREATE INDEX `orders_waiting_of_guests` ON `orders` (`customer_email`,`api_key_id`) WHERE status = 'pending' AND expires_at IS NOT NULL AND user_id IS NULL;--> statement-breakpoint
-- Prevents holding stock for nothing: an account, or a guest by e-mail address, has few orders that wait to be paid; guests
-- of an API key without an address have ten times as many together. What is paid at once does not wait.
DROP TRIGGER order_waits_with_few;--> statement-breakpoint
CREATE TRIGGER order_waits_with_few BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_many_pending') FROM unpaid_limits WHERE orders_waiting <= CASE
    WHEN NEW.user_id IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE user_id = NEW.user_id AND status = 'pending')
    WHEN NEW.customer_email IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE customer_email = NEW.customer_email
        AND status = 'pending' AND expires_at IS NOT NULL AND user_id IS NULL)
    ELSE (SELECT count(*) / 10 FROM orders WHERE customer_email IS NULL AND api_key_id = NEW.api_key_id
      AND status = 'pending' AND expires_at IS NOT NULL AND user_id IS NULL)
  END;
END;
--> statement-breakpoint
-- Whose order holds the units while it waits to be paid; null once it is paid or has ended.
ALTER TABLE `stock_allocations` ADD `unpaid_by` text;--> statement-breakpoint
CREATE INDEX `stock_allocations_unpaid` ON `stock_allocations` (`product_id`,`unpaid_by`,`quantity`) WHERE unpaid_by IS NOT NULL;--> statement-breakpoint
DROP TRIGGER order_item_allocates_stock;--> statement-breakpoint
CREATE TRIGGER order_item_allocates_stock AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity, unpaid_by)
  SELECT NEW.id, NEW.product_id, NEW.quantity, CASE
    WHEN orders.expires_at IS NULL THEN NULL
    WHEN user_id IS NOT NULL THEN 'user:' || user_id
    WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
    ELSE 'api_key:' || api_key_id
  END
  FROM products JOIN orders ON orders.id = NEW.order_id WHERE products.id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents taking a product out of stock without paying: of what one buyer could have, an unpaid order holds a share, or a
-- few units where that is less; in however many orders and lines.
CREATE TRIGGER unpaid_order_holds_few BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by IS NOT NULL
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
DROP TRIGGER order_releases_stock;--> statement-breakpoint
CREATE TRIGGER order_releases_stock AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired')
BEGIN
  UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER order_pays_for_stock AFTER UPDATE OF status ON orders
WHEN OLD.status = 'pending' AND OLD.expires_at IS NOT NULL AND NEW.status IN ('processing', 'completed')
BEGIN
  UPDATE stock_allocations SET unpaid_by = NULL
  WHERE order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;
--> statement-breakpoint
UPDATE stock_allocations SET unpaid_by = holder FROM (
  SELECT order_items.id AS item, CASE
    WHEN user_id IS NOT NULL THEN 'user:' || user_id
    WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
    ELSE 'api_key:' || api_key_id
  END AS holder
  FROM orders JOIN order_items ON order_id = orders.id WHERE status = 'pending'
) WHERE order_item_id = item;
