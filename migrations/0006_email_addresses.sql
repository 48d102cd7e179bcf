CREATE TABLE `link_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` integer,
	`email` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_tokens_by_user` ON `link_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `link_tokens_by_expiry` ON `link_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `link_tokens_to_revert` ON `link_tokens` (`email`) WHERE purpose = 'revert_email';--> statement-breakpoint
ALTER TABLE `unpaid_limits` ADD `units_unverified` integer DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `email_verified_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `pending_email` text;
--> statement-breakpoint
DROP TRIGGER allocation_takes_stock;
--> statement-breakpoint
DROP TRIGGER users_no_return_from_erasure;
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
-- Prevents holding stock under an address that nobody has shown to be theirs: a few units in all that are not paid.
CREATE TRIGGER unpaid_order_no_excess_unverified BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by LIKE 'user:%'
BEGIN
  SELECT RAISE(ABORT, 'too_much_unverified')
  FROM users, unpaid_limits
  WHERE users.id = CAST(substr(NEW.unpaid_by, 6) AS INTEGER) AND email_verified_at IS NULL
    AND NEW.quantity + (
      SELECT coalesce(sum(stock_allocations.quantity), 0)
      FROM orders JOIN order_items ON order_items.order_id = orders.id
        JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id
      WHERE orders.user_id = users.id AND orders.status = 'pending' AND stock_allocations.unpaid_by IS NOT NULL
    ) > units_unverified;
END;
--> statement-breakpoint
-- Prevents selling a unit twice: what a line holds or has sent leaves the stock; stock_not_negative refuses what is not there.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock;
END;
--> statement-breakpoint
-- Prevents an erased account from becoming somebody's again: only its wallet follows the ledger still.
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, pending_email, name, password_hash, role,
  disabled_at, phone, company, accepts_marketing, metadata, erase_at, erased_at ON users
WHEN OLD.erased_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_erased');
END;
--> statement-breakpoint
-- Prevents an administrator, or other staff, whose e-mails reach somebody else.
CREATE TRIGGER users_no_unverified_staff BEFORE UPDATE OF role ON users
WHEN OLD.role = 'customer' AND NEW.role <> 'customer' AND NEW.email_verified_at IS NULL AND NEW.erased_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'email_not_verified');
END;
--> statement-breakpoint
-- Prevents taking an address that its account may still go back to, since somebody else changed it.
CREATE TRIGGER users_no_reserved_email_insert BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;
--> statement-breakpoint
-- Prevents an account from moving to an address that another may still go back to.
CREATE TRIGGER users_no_reserved_email_update BEFORE UPDATE OF email ON users
WHEN NEW.email <> OLD.email AND EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000 AND user_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
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
-- Prevents what is no purpose.
CREATE TRIGGER link_tokens_no_unlisted_insert BEFORE INSERT ON link_tokens
WHEN NEW."purpose" <> 'reset_password' AND NEW."purpose" <> 'verify_email' AND NEW."purpose" <> 'change_email' AND NEW."purpose" <> 'revert_email'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no purpose.
CREATE TRIGGER link_tokens_no_unlisted_update BEFORE UPDATE OF "purpose" ON link_tokens
WHEN NEW."purpose" <> 'reset_password' AND NEW."purpose" <> 'verify_email' AND NEW."purpose" <> 'change_email' AND NEW."purpose" <> 'revert_email'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Accounts from before addresses were verified count as verified.
UPDATE users SET email_verified_at = created_at WHERE erased_at IS NULL;
