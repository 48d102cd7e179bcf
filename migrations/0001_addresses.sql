CREATE TABLE `addresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`company` text,
	`address` text NOT NULL,
	`address2` text,
	`city` text NOT NULL,
	`region` text,
	`zip` text NOT NULL,
	`country` text,
	`phone` text,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `addresses_by_user` ON `addresses` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_one_default` ON `addresses` (`user_id`) WHERE is_default = 1;--> statement-breakpoint
ALTER TABLE `orders` ADD `billing_address` text;
--> statement-breakpoint
DROP TRIGGER audit_log_no_update;
--> statement-breakpoint
DROP TRIGGER audit_log_no_delete;
--> statement-breakpoint
-- Prevents rewriting who changed what. An address goes after 30 days, and what is said of a person with their erased account.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id)
    IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id)
  OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND (
    OLD.at < unixepoch() * 1000 - 2592000000
    OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL)))
  OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT (
    OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL
      AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL)
    OR NEW.before IS json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name')
      AND NEW.after IS json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name')
      AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject
        WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id)
        WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id)
      END))
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
-- Prevents deleting who changed what.
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;
--> statement-breakpoint
-- Prevents an address book without end.
CREATE TRIGGER addresses_no_excess BEFORE INSERT ON addresses
WHEN (SELECT count(*) FROM addresses WHERE user_id = NEW.user_id) >= 50
BEGIN
  SELECT RAISE(ABORT, 'too_many_addresses');
END;
--> statement-breakpoint
-- Prevents a second default: the new one takes its place.
CREATE TRIGGER addresses_new_default BEFORE INSERT ON addresses WHEN NEW.is_default
BEGIN
  UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default;
END;
--> statement-breakpoint
-- Prevents a second default when an address becomes it.
CREATE TRIGGER addresses_other_default BEFORE UPDATE OF is_default ON addresses WHEN NEW.is_default AND NOT OLD.is_default
BEGIN
  UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default;
END;
