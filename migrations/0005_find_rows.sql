CREATE TABLE `saved_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_by_name` ON `saved_views` (`user_id`,`list`,`name`);--> statement-breakpoint
ALTER TABLE `products` ADD `low_stock_threshold` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `low_at` integer GENERATED ALWAYS AS (ifnull("low_stock_threshold", 5)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `products_low` ON `products` (`stock_quantity`,`id`) WHERE manage_stock = 1 AND status = 'active' AND stock_quantity <= low_at;--> statement-breakpoint
CREATE INDEX `api_keys_by_name` ON `api_keys` (name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_by_role_and_name` ON `users` (`role`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_by_creation` ON `users` (`created_at`,`id`);
--> statement-breakpoint
DROP TRIGGER product_stock_is_published;
--> statement-breakpoint
DROP TRIGGER product_images_insert;
--> statement-breakpoint
DROP TRIGGER product_images_update;
--> statement-breakpoint
DROP TRIGGER product_sold_out_insert;
--> statement-breakpoint
DROP TRIGGER product_sold_out_update;
--> statement-breakpoint
DROP TRIGGER products_search_insert;
--> statement-breakpoint
DROP TRIGGER products_search_delete;
--> statement-breakpoint
DROP TRIGGER product_ends_allocations;
--> statement-breakpoint
DROP TRIGGER product_begins_allocations;
--> statement-breakpoint
DROP TRIGGER product_is_withdrawn;
--> statement-breakpoint
DROP TRIGGER product_goes_on_sale;
--> statement-breakpoint
DROP TRIGGER product_counts_insert;
--> statement-breakpoint
DROP TRIGGER product_counts_delete;
--> statement-breakpoint
DROP TRIGGER product_counts_update;
--> statement-breakpoint
DROP TRIGGER products_search_update;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER products_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER files_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER files_no_unlisted_update;
--> statement-breakpoint
-- Finds files by any word of a name.
CREATE VIRTUAL TABLE files_search USING fts5(
  name, file_name, content = 'files', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
-- Prevents a stock that runs low, runs out or comes back without its event.
CREATE TRIGGER product_stock_is_published AFTER UPDATE OF stock_quantity, manage_stock, low_stock_threshold ON products
WHEN OLD.in_stock <> NEW.in_stock
  OR NEW.in_stock AND NEW.stock_quantity <= NEW.low_at AND (OLD.stock_quantity IS NULL OR OLD.stock_quantity > OLD.low_at)
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT CASE WHEN NOT NEW.in_stock THEN 'product.sold_out' WHEN OLD.in_stock THEN 'product.stock_low'
    ELSE 'product.back_in_stock' END, 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents the image of a new product from being deleted as one that nobody shows.
CREATE TRIGGER product_images_insert AFTER INSERT ON products WHEN NEW.images <> '[]'
BEGIN
  INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id;
END;
--> statement-breakpoint
-- Prevents an image that a product shows from being deleted, and one that it shows no longer from staying.
CREATE TRIGGER product_images_update AFTER UPDATE OF images ON products WHEN OLD.images <> NEW.images
BEGIN
  DELETE FROM product_images WHERE product_id = NEW.id
    AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = NEW.id);
  INSERT INTO product_images (product_id, image_id)
  SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- Prevents a new product without stock from being listed as in stock.
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock
BEGIN
  UPDATE products SET sold_out = 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a product from being listed as in stock after it has sold out, and as sold out after it has come in.
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock
BEGIN
  UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Prevents a new product that the search misses.
CREATE TRIGGER products_search_insert AFTER INSERT ON products
BEGIN
  INSERT INTO products_search (rowid, name, sku, description, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.facets);
END;
--> statement-breakpoint
-- Prevents the search from finding a product that is gone.
CREATE TRIGGER products_search_delete AFTER DELETE ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.facets);
END;
--> statement-breakpoint
-- Prevents an order from giving units back to a stock that was counted without them: nothing is held of what is not managed.
CREATE TRIGGER product_ends_allocations AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock AND NOT NEW.manage_stock
BEGIN
  DELETE FROM stock_allocations WHERE product_id = NEW.id AND quantity > 0;
END;
--> statement-breakpoint
-- Prevents selling what orders from before the stock was managed wait for; stock_not_negative refuses a count below that.
CREATE TRIGGER product_begins_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock AND NOT OLD.manage_stock
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, NEW.id, quantity - refunded_quantity FROM order_items JOIN orders ON orders.id = order_id
  WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
END;
--> statement-breakpoint
-- Prevents edits of what is not on sale from being seen: carts that hold it go on showing what was.
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping)
  VALUES (OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping);
END;
--> statement-breakpoint
-- Prevents a product on sale from being shown as it was before it was withdrawn.
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF status ON products WHEN OLD.status <> 'active' AND NEW.status = 'active'
BEGIN
  DELETE FROM withdrawn_products WHERE product_id = NEW.id;
END;
--> statement-breakpoint
-- Prevents totals of lists that miss a new product.
CREATE TRIGGER product_counts_insert AFTER INSERT ON products
BEGIN
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product that is gone.
CREATE TRIGGER product_counts_delete AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product by what it was.
CREATE TRIGGER product_counts_update AFTER UPDATE OF status, type, sold_out, category_id ON products
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
-- Prevents the search from finding a product by what it was; last here, so first to run: triggers above change the stock again.
CREATE TRIGGER products_search_update
AFTER UPDATE OF name, sku, description, status, type, manage_stock, stock_quantity, category_id, price ON products
WHEN (OLD.name, OLD.sku, OLD.description, OLD.facets) IS NOT (NEW.name, NEW.sku, NEW.description, NEW.facets)
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.facets);
  INSERT INTO products_search (rowid, name, sku, description, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.facets);
END;
--> statement-breakpoint
-- Prevents what is no type, status, tax_class.
CREATE TRIGGER products_no_unlisted_insert BEFORE INSERT ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type, status, tax_class.
CREATE TRIGGER products_no_unlisted_update BEFORE UPDATE OF "type", "status", "tax_class" ON products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents a new file that the search misses.
CREATE TRIGGER files_search_insert AFTER INSERT ON files
BEGIN
  INSERT INTO files_search (rowid, name, file_name) VALUES (NEW.id, NEW.name, NEW.file_name);
END;
--> statement-breakpoint
-- Prevents the search from finding a file that is gone.
CREATE TRIGGER files_search_delete AFTER DELETE ON files
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name) VALUES ('delete', OLD.id, OLD.name, OLD.file_name);
END;
--> statement-breakpoint
-- Prevents the search from finding a file by what it was called.
CREATE TRIGGER files_search_update AFTER UPDATE OF name, file_name ON files
WHEN (OLD.name, OLD.file_name) IS NOT (NEW.name, NEW.file_name)
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name) VALUES ('delete', OLD.id, OLD.name, OLD.file_name);
  INSERT INTO files_search (rowid, name, file_name) VALUES (NEW.id, NEW.name, NEW.file_name);
END;
--> statement-breakpoint
-- Prevents what is no access.
CREATE TRIGGER files_no_unlisted_insert BEFORE INSERT ON files
WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no access.
CREATE TRIGGER files_no_unlisted_update BEFORE UPDATE OF "access" ON files
WHEN NEW."access" <> 'public' AND NEW."access" <> 'authenticated' AND NEW."access" <> 'package'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents more views of a list than its page can show as tabs: MOST_SAVED_VIEWS of db/tables/saved-views.ts.
CREATE TRIGGER saved_views_are_few BEFORE INSERT ON saved_views
WHEN (SELECT count(*) FROM saved_views WHERE user_id = NEW.user_id AND list = NEW.list) >= 20
BEGIN
  SELECT RAISE(ABORT, 'too_many_saved_views');
END;
--> statement-breakpoint
-- Prevents what is no list.
CREATE TRIGGER saved_views_no_unlisted_insert BEFORE INSERT ON saved_views
WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no list.
CREATE TRIGGER saved_views_no_unlisted_update BEFORE UPDATE OF "list" ON saved_views
WHEN NEW."list" <> 'orders' AND NEW."list" <> 'products' AND NEW."list" <> 'users' AND NEW."list" <> 'files'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Fills the search anew where its table is.
INSERT INTO files_search (files_search) VALUES ('rebuild');
