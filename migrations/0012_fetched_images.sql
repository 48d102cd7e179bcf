CREATE TABLE `fetched_images` (
	`url` text PRIMARY KEY NOT NULL,
	`image_id` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `fetched_images_by_image` ON `fetched_images` (`image_id`);--> statement-breakpoint
ALTER TABLE `imports` ADD `columns` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `left_out` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
DROP TRIGGER imports_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER imports_no_unlisted_update;
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_insert BEFORE INSERT ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_update BEFORE UPDATE OF "resource", "format" ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
