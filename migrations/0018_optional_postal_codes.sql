DROP TRIGGER IF EXISTS addresses_no_excess;
--> statement-breakpoint
DROP TRIGGER IF EXISTS addresses_new_default;
--> statement-breakpoint
DROP TRIGGER IF EXISTS addresses_other_default;
--> statement-breakpoint
PRAGMA defer_foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__old_addresses` AS SELECT * FROM `addresses`;--> statement-breakpoint
CREATE TABLE `__ids_addresses` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'addresses';--> statement-breakpoint
DROP TABLE `addresses`;--> statement-breakpoint
CREATE TABLE `addresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`company` text,
	`address` text NOT NULL,
	`address2` text,
	`city` text NOT NULL,
	`region` text,
	`zip` text,
	`country` text,
	`phone` text,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
INSERT INTO `addresses`("id", "user_id", "name", "company", "address", "address2", "city", "region", "zip", "country", "phone", "is_default", "created_at", "updated_at") SELECT "id", "user_id", "name", "company", "address", "address2", "city", "region", "zip", "country", "phone", "is_default", "created_at", "updated_at" FROM `__old_addresses`;--> statement-breakpoint
DROP TABLE `__old_addresses`;--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM `__ids_addresses`);--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__ids_addresses`;--> statement-breakpoint
DROP TABLE `__ids_addresses`;--> statement-breakpoint
CREATE INDEX `addresses_by_user` ON `addresses` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `addresses_one_default` ON `addresses` (`user_id`) WHERE is_default = 1;
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
