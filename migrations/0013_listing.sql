CREATE TABLE `listing_nodes` (
	`id` integer PRIMARY KEY NOT NULL,
	`category_id` integer NOT NULL,
	`sort` text NOT NULL,
	`height` integer NOT NULL,
	`low_key` blob COLLATE NOCASE NOT NULL,
	`low_id` integer NOT NULL,
	`children` text NOT NULL,
	`upto` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listing_nodes_by_low` ON `listing_nodes` (`category_id`,`sort`,`height`,`low_key`,`low_id`);--> statement-breakpoint
DROP INDEX `products_by_category`;--> statement-breakpoint
DROP INDEX `products_newest`;--> statement-breakpoint
DROP INDEX `products_by_price`;--> statement-breakpoint
DROP INDEX `products_by_name`;--> statement-breakpoint
ALTER TABLE `products` ADD `sold_out` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `kind` integer GENERATED ALWAYS AS ((status = 'draft') * 6 + CASE type WHEN 'physical' THEN 0 WHEN 'digital' THEN 2 ELSE 4 END + in_stock) VIRTUAL;--> statement-breakpoint
ALTER TABLE `products` ADD `facets` text GENERATED ALWAYS AS ('qz' || status || ' qz' || type || iif(in_stock, ' qzin', ' qzout') || ifnull(' qzc' || category_id, '') || ' qzp0x' || (price / 1) || ' qzp1x' || (price / 10) || ' qzp2x' || (price / 100) || ' qzp3x' || (price / 1000) || ' qzp4x' || (price / 10000) || ' qzp5x' || (price / 100000) || ' qzp6x' || (price / 1000000) || ' qzp7x' || (price / 10000000) || ' qzp8x' || (price / 100000000)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `products_of_type_newest` ON `products` (`type`,`status`,`sold_out`);--> statement-breakpoint
CREATE INDEX `products_of_type_by_price` ON `products` (`type`,`status`,`sold_out`,`price`);--> statement-breakpoint
CREATE INDEX `products_of_type_by_name` ON `products` (`type`,`status`,`sold_out`,name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `products_of_category_newest` ON `products` (`category_id`,`status`,`sold_out`);--> statement-breakpoint
CREATE INDEX `products_of_category_by_price` ON `products` (`category_id`,`status`,`sold_out`,`price`);--> statement-breakpoint
CREATE INDEX `products_of_category_by_name` ON `products` (`category_id`,`status`,`sold_out`,name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `products_of_category_and_type_newest` ON `products` (`category_id`,`type`,`status`,`sold_out`);--> statement-breakpoint
CREATE INDEX `products_of_category_and_type_by_price` ON `products` (`category_id`,`type`,`status`,`sold_out`,`price`);--> statement-breakpoint
CREATE INDEX `products_of_category_and_type_by_name` ON `products` (`category_id`,`type`,`status`,`sold_out`,name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `products_newest` ON `products` (`status`,`sold_out`);--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (`status`,`sold_out`,`price`);--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (`status`,`sold_out`,name COLLATE NOCASE);