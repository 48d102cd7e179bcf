CREATE TABLE `login_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "challenge_attempts_within_limit" CHECK("attempts" <= 15)
);
--> statement-breakpoint
CREATE INDEX `login_challenges_by_user` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `login_challenges_by_expiry` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `totp_secrets` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `totp_secrets_by_secret` ON `totp_secrets` (`sealed_under`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `two_factor` integer DEFAULT false NOT NULL;
--> statement-breakpoint
DROP TRIGGER wallet_no_initial_balance;
--> statement-breakpoint
DROP TRIGGER users_no_last_administrator_lost;
--> statement-breakpoint
DROP TRIGGER users_no_erasure_owed;
--> statement-breakpoint
DROP TRIGGER users_no_hasty_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_early_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_return_from_erasure;
--> statement-breakpoint
DROP TRIGGER users_no_unverified_staff;
--> statement-breakpoint
DROP TRIGGER users_no_reserved_email_insert;
--> statement-breakpoint
DROP TRIGGER users_no_reserved_email_update;
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
-- Prevents completing a login whose password is another by now.
CREATE TRIGGER new_password_ends_challenges AFTER UPDATE OF password_hash ON users
WHEN NEW.password_hash <> OLD.password_hash
BEGIN
  DELETE FROM login_challenges WHERE user_id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a new account with money that no ledger row accounts for.
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;
--> statement-breakpoint
-- Prevents a shop that nobody can administer any more.
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'last_administrator');
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
-- Prevents a code from being used twice, and one that is older than the latest: steps only go up.
CREATE TRIGGER totp_no_second_use BEFORE UPDATE OF last_step ON totp_secrets WHEN NEW.last_step <= OLD.last_step
BEGIN
  SELECT RAISE(ABORT, 'code_used');
END;
--> statement-breakpoint
-- Prevents a recovery code from being used twice.
CREATE TRIGGER recovery_code_no_second_use BEFORE UPDATE OF used_at ON recovery_codes WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'code_used');
END;
--> statement-breakpoint
-- Prevents a session of an account with a second factor that no code of it opened, whoever opens it.
CREATE TRIGGER session_no_skipped_factor BEFORE INSERT ON sessions WHEN NEW.two_factor = 0
  AND EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = NEW.user_id AND confirmed_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'two_factor_required');
END;
