CREATE TABLE `images` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sha256` text NOT NULL,
	`mime_type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `images_sha256_unique` ON `images` (`sha256`);--> statement-breakpoint
CREATE TABLE `product_images` (
	`product_id` integer NOT NULL,
	`image_id` integer NOT NULL,
	PRIMARY KEY(`product_id`, `image_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_images_by_image` ON `product_images` (`image_id`);
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
DROP TRIGGER withdrawn_products_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER withdrawn_products_no_unlisted_update;
--> statement-breakpoint
-- Shows which products show which uploaded images: as they are, and as carts show those that were withdrawn.
CREATE VIEW shown_images AS
SELECT shown.product_id, images.id AS image_id
FROM (
  SELECT id AS product_id, images AS list FROM products WHERE images <> '[]'
  UNION ALL SELECT product_id, images FROM withdrawn_products WHERE images <> '[]'
) AS shown, json_each(shown.list) AS image
JOIN images ON images.sha256 = substr(image.value ->> 'url', instr(image.value ->> 'url', '/images/') + 8, 64);
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
-- Prevents carts from showing a withdrawn product without its images.
CREATE TRIGGER product_images_withdrawn AFTER INSERT ON withdrawn_products WHEN NEW.images <> '[]'
BEGIN
  INSERT INTO product_images (product_id, image_id)
  SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.product_id ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- Prevents images from staying that only carts showed, of a product that is on sale again.
CREATE TRIGGER product_images_on_sale AFTER DELETE ON withdrawn_products WHEN OLD.images <> '[]'
BEGIN
  DELETE FROM product_images WHERE product_id = OLD.product_id
    AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = OLD.product_id);
END;
--> statement-breakpoint
-- Prevents what is no type.
CREATE TRIGGER withdrawn_products_no_unlisted_insert BEFORE INSERT ON withdrawn_products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type.
CREATE TRIGGER withdrawn_products_no_unlisted_update BEFORE UPDATE OF "type" ON withdrawn_products
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents a product from showing an image that is being deleted.
CREATE TRIGGER product_image_no_deleted BEFORE INSERT ON product_images
WHEN EXISTS (
  SELECT 1 FROM images JOIN orphaned_objects ON r2_key = 'images/' || sha256 WHERE images.id = NEW.image_id AND delete_at <= 0)
BEGIN
  SELECT RAISE(ABORT, 'image_deleted');
END;
--> statement-breakpoint
-- Prevents an image that a product shows from being deleted.
CREATE TRIGGER product_image_is_shown AFTER INSERT ON product_images
BEGIN
  DELETE FROM orphaned_objects WHERE r2_key = (SELECT 'images/' || sha256 FROM images WHERE id = NEW.image_id);
END;
--> statement-breakpoint
-- Prevents an image that no product shows any more from staying for longer than a day.
CREATE TRIGGER product_image_is_orphaned AFTER DELETE ON product_images
WHEN NOT EXISTS (SELECT 1 FROM product_images WHERE image_id = OLD.image_id)
BEGIN
  INSERT INTO orphaned_objects (r2_key, delete_at)
  SELECT 'images/' || sha256, CAST(unixepoch('subsec') * 1000 AS INTEGER) + 86400000 FROM images WHERE id = OLD.image_id;
END;
--> statement-breakpoint
-- Prevents what is no mime_type.
CREATE TRIGGER images_no_unlisted_insert BEFORE INSERT ON images
WHEN NEW."mime_type" <> 'image/png' AND NEW."mime_type" <> 'image/jpeg' AND NEW."mime_type" <> 'image/webp' AND NEW."mime_type" <> 'image/avif' AND NEW."mime_type" <> 'image/gif'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no mime_type.
CREATE TRIGGER images_no_unlisted_update BEFORE UPDATE OF "mime_type" ON images
WHEN NEW."mime_type" <> 'image/png' AND NEW."mime_type" <> 'image/jpeg' AND NEW."mime_type" <> 'image/webp' AND NEW."mime_type" <> 'image/avif' AND NEW."mime_type" <> 'image/gif'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
