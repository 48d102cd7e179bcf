-- A hash of all that was asked for, and whether the request had an Idempotency-Key.
ALTER TABLE `orders` ADD `fingerprint` text;
--> statement-breakpoint
ALTER TABLE `orders` ADD `keyed` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- An order is found among its customer's equal ones of the last seconds. No order stands in one index more for it, but
-- for those of guests who leave neither name nor address.
DROP INDEX `orders_by_customer`;
--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`customer_email`,`customer_name`,`fingerprint`,`created_at`);
--> statement-breakpoint
-- Prevents buying twice by a double click or a lost answer. To order again on purpose takes an Idempotency-Key, or the end
-- of the order before: orders/resent-queries.ts says the same.
CREATE TRIGGER order_is_not_resent BEFORE INSERT ON orders WHEN NOT NEW.keyed
BEGIN
  SELECT RAISE(ABORT, 'order_resent') FROM orders
  WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND fingerprint = NEW.fingerprint
    AND created_at > NEW.created_at - 15000
    AND status NOT IN ('cancelled', 'expired', 'refunded') AND payment_status <> 'failed';
END;
