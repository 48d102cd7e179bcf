CREATE TABLE `staff_spending` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor` text NOT NULL,
	`amount` integer NOT NULL,
	`day_limit` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "spending_not_negative" CHECK("amount" >= 0)
);
--> statement-breakpoint
CREATE INDEX `staff_spending_by_actor` ON `staff_spending` (`actor`,`created_at`);
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER users_no_unlisted_update;
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
-- Prevents staff from moving more than their limit by several small refunds or credits, also at the same instant.
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending
BEGIN
  SELECT RAISE(ABORT, 'staff_spending_limit')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000
  ) > NEW.day_limit;
END;
