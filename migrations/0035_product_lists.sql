-- Lists of products are read from covering indexes, and counted by product_counts, in place of the counted trees.
DROP TRIGGER product_comes_into_lists;--> statement-breakpoint
DROP TRIGGER product_goes_from_lists;--> statement-breakpoint
DROP TRIGGER product_moves_in_lists;--> statement-breakpoint
DROP TRIGGER product_changes_stock_in_lists;--> statement-breakpoint
DROP TRIGGER category_has_lists_no_more;--> statement-breakpoint
DROP VIEW listing_rebuilds;--> statement-breakpoint
DROP VIEW listing_layers;--> statement-breakpoint
DROP VIEW listing_halvings;--> statement-breakpoint
DROP VIEW listing_steps;--> statement-breakpoint
DROP VIEW listing_moves;--> statement-breakpoint
DROP VIEW listing_heights;--> statement-breakpoint
CREATE TABLE `product_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `type`, `sold_out`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP TABLE `listing_nodes`;--> statement-breakpoint
DROP INDEX `products_of_type_newest`;--> statement-breakpoint
DROP INDEX `products_of_type_by_price`;--> statement-breakpoint
DROP INDEX `products_of_type_by_name`;--> statement-breakpoint
DROP INDEX `products_of_category_newest`;--> statement-breakpoint
DROP INDEX `products_of_category_by_price`;--> statement-breakpoint
DROP INDEX `products_of_category_by_name`;--> statement-breakpoint
DROP INDEX `products_of_category_and_type_newest`;--> statement-breakpoint
DROP INDEX `products_of_category_and_type_by_price`;--> statement-breakpoint
DROP INDEX `products_of_category_and_type_by_name`;--> statement-breakpoint
DROP INDEX `products_newest`;--> statement-breakpoint
DROP INDEX `products_by_price`;--> statement-breakpoint
DROP INDEX `products_by_name`;--> statement-breakpoint
CREATE INDEX `products_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out);--> statement-breakpoint
CREATE INDEX `products_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_active_newest` ON `products` (id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_by_price` ON `products` (price,id,type,sold_out) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_active_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `products_draft_newest` ON `products` (id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_by_price` ON `products` (price,id,type,sold_out) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_newest` ON `products` (`category_id`,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_by_price` ON `products` (`category_id`,price,id,type,sold_out) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_draft_in_category_by_name` ON `products` (`category_id`,name COLLATE NOCASE,id,type,sold_out,price) WHERE status = 'draft';--> statement-breakpoint
CREATE INDEX `products_newest` ON `products` (id,type,sold_out,price);--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (price,id,type,sold_out);--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (name COLLATE NOCASE,id,type,sold_out,price);--> statement-breakpoint
ALTER TABLE `products` DROP COLUMN `kind`;
--> statement-breakpoint
-- Counts products anew: after a bulk load with the triggers off. It has no rows; an insert into it is done by its trigger.
CREATE VIEW product_recounts (n) AS SELECT 0 WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts
BEGIN
  UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock;
  DELETE FROM product_counts;
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT 0, status, type, sold_out, count(*) FROM products GROUP BY status, type, sold_out
  UNION ALL
  SELECT category_id, status, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, type, sold_out;
END;
--> statement-breakpoint
CREATE TRIGGER product_is_counted AFTER INSERT ON products
BEGIN
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_is_counted_no_more AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
END;
--> statement-breakpoint
CREATE TRIGGER product_is_counted_elsewhere AFTER UPDATE OF status, type, sold_out, category_id ON products
WHEN (OLD.status, OLD.type, OLD.sold_out, OLD.category_id) IS NOT (NEW.status, NEW.type, NEW.sold_out, NEW.category_id)
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
CREATE TRIGGER category_is_counted_no_more AFTER DELETE ON categories
BEGIN
  DELETE FROM product_counts WHERE category_id = OLD.id;
END;
--> statement-breakpoint
INSERT INTO product_recounts (n) VALUES (0);
