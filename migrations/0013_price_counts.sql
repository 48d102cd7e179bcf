CREATE TABLE `product_price_counts` (
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`sold_out` integer NOT NULL,
	`price_band` integer NOT NULL,
	`items` integer NOT NULL,
	PRIMARY KEY(`category_id`, `status`, `price_band`, `type`, `sold_out`)
);
--> statement-breakpoint
ALTER TABLE `products` ADD `price_band` integer GENERATED ALWAYS AS ("price" - "price" % CAST(substr('1000000000', 1, max(1, length("price") - 1)) AS INTEGER)) VIRTUAL;
--> statement-breakpoint
DROP TRIGGER product_counts_delete_category;
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
DROP TRIGGER product_recount;
--> statement-breakpoint
-- Prevents counts of a category that is gone.
CREATE TRIGGER product_counts_delete_category AFTER DELETE ON categories
BEGIN
  DELETE FROM product_counts WHERE category_id = OLD.id;
  DELETE FROM product_price_counts WHERE category_id = OLD.id;
END;
--> statement-breakpoint
-- Prevents totals of lists that miss a new product.
CREATE TRIGGER product_counts_insert AFTER INSERT ON products
BEGIN
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT list, NEW.status, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
  INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items)
  SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1
  FROM (SELECT 0 AS list UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) WHERE TRUE
  ON CONFLICT DO UPDATE SET items = items + 1;
END;
--> statement-breakpoint
-- Prevents totals of lists that count a product that is gone.
CREATE TRIGGER product_counts_delete AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
  UPDATE product_price_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type
    AND sold_out = OLD.sold_out;
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
-- Prevents totals of price ranges that count a product by what it was.
CREATE TRIGGER product_price_counts_update AFTER UPDATE OF status, price, type, sold_out, category_id ON products
WHEN (OLD.status, OLD.price_band, OLD.type, OLD.sold_out, OLD.category_id)
  IS NOT (NEW.status, NEW.price_band, NEW.type, NEW.sold_out, NEW.category_id)
BEGIN
  UPDATE product_price_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type
    AND sold_out = OLD.sold_out;
  INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items)
  SELECT list, NEW.status, NEW.price_band, NEW.type, NEW.sold_out, 1
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
-- Prevents lists and totals that are wrong after a bulk load.
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts
BEGIN
  UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock;
  DELETE FROM product_counts;
  INSERT INTO product_counts (category_id, status, type, sold_out, items)
  SELECT 0, status, type, sold_out, count(*) FROM products GROUP BY status, type, sold_out
  UNION ALL
  SELECT category_id, status, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, type, sold_out;
  DELETE FROM product_price_counts;
  INSERT INTO product_price_counts (category_id, status, price_band, type, sold_out, items)
  SELECT 0, status, price_band, type, sold_out, count(*) FROM products GROUP BY status, price_band, type, sold_out
  UNION ALL
  SELECT category_id, status, price_band, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, price_band, type, sold_out;
END;
--> statement-breakpoint
-- Prevents what is no status, type.
CREATE TRIGGER product_price_counts_no_unlisted_insert BEFORE INSERT ON product_price_counts
WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no status, type.
CREATE TRIGGER product_price_counts_no_unlisted_update BEFORE UPDATE OF "status", "type" ON product_price_counts
WHEN NEW."status" <> 'active' AND NEW."status" <> 'draft'
  OR NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- What is there is counted.
INSERT INTO product_recounts (n) VALUES (0);
