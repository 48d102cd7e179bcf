-- Money that came in another currency than the order's, and goes back; null is the order's, or the shop's, own.
ALTER TABLE `transactions` ADD `currency` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `currency` text;--> statement-breakpoint
-- How often the provider accepted the refund and could not carry it out.
ALTER TABLE `refunds` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP INDEX `refunds_to_send`;--> statement-breakpoint
CREATE INDEX `refunds_to_send` ON `refunds` (`tried_at`,`id`) WHERE reference IS NULL AND failures < 3;--> statement-breakpoint
-- Sales are in the shop's own currency.
DROP TRIGGER transaction_counts_in_sales;--> statement-breakpoint
CREATE TRIGGER transaction_counts_in_sales AFTER INSERT ON transactions
WHEN NEW.kind IN ('charge', 'refund') AND NEW.currency IS NULL
BEGIN
  INSERT INTO daily_sales (day, revenue, refunded) VALUES (
    date(NEW.created_at / 1000, 'unixepoch'),
    CASE NEW.kind WHEN 'charge' THEN -NEW.amount ELSE 0 END,
    CASE NEW.kind WHEN 'refund' THEN NEW.amount ELSE 0 END
  )
  ON CONFLICT DO UPDATE SET revenue = revenue + excluded.revenue, refunded = refunded + excluded.refunded;
END;
--> statement-breakpoint
-- Pages of providers where nobody is to pay any more, until the provider has closed them. Without AUTOINCREMENT: every order
-- passes the trigger, and would read sqlite_sequence for it.
CREATE TABLE `payments_to_close` (
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `reference`)
);
--> statement-breakpoint
-- Prevents a buyer from paying for an order that was cancelled, or whose money was taken by hand. An order that expires
-- has a page that expires with it.
CREATE TRIGGER order_closes_payment AFTER UPDATE OF payment_url ON orders
WHEN OLD.payment_url IS NOT NULL AND NEW.payment_url IS NULL
  AND (NEW.status = 'cancelled' OR NEW.paid_at IS NOT NULL AND NEW.payment_reference IS NULL)
BEGIN
  INSERT INTO payments_to_close (provider, reference, created_at)
  VALUES (OLD.payment_provider, OLD.payment_reference, NEW.updated_at);
END;
--> statement-breakpoint
UPDATE orders SET payment_status = 'unpaid' WHERE status IN ('cancelled', 'expired') AND payment_status = 'requires_action';
