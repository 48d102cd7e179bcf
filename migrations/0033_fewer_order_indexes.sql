-- The balance of a wallet is checked against the latest row of the ledger, which needs no index.
DROP INDEX `transactions_of_wallet`;
--> statement-breakpoint
-- Most transactions are charges: a list of them reads the table, and the others are few.
DROP INDEX `transactions_by_kind`;
--> statement-breakpoint
CREATE INDEX `transactions_by_kind` ON `transactions` (`kind`,`id`) WHERE kind <> 'charge';
--> statement-breakpoint
-- The orders of one user are few enough to be read, and those that wait are found by an index that holds no others.
DROP INDEX `orders_by_user_and_status`;
--> statement-breakpoint
DROP INDEX `orders_waiting_of_guests`;
--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`status`,`user_id`,`customer_email`,`api_key_id`) WHERE status = 'pending' AND expires_at IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER order_waits_with_few;
--> statement-breakpoint
-- Prevents holding stock for nothing: an account, or a guest by e-mail address, has few orders that wait to be paid; guests
-- of an API key without an address have ten times as many together. What is paid at once does not wait.
CREATE TRIGGER order_waits_with_few BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL
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
-- An insert into a table with AUTOINCREMENT reads sqlite_sequence from its first row to its own: those that orders are
-- written to stand first.
CREATE TABLE sequences AS SELECT name, seq FROM sqlite_sequence;
--> statement-breakpoint
DELETE FROM sqlite_sequence;
--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq)
SELECT value, coalesce(seq, 0)
FROM json_each('["transactions", "order_history", "orders", "order_items", "packages", "audit_log"]')
LEFT JOIN sequences ON name = value
ORDER BY key;
--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq)
SELECT name, seq FROM sequences WHERE name NOT IN (SELECT name FROM sqlite_sequence);
--> statement-breakpoint
DROP TABLE sequences;
