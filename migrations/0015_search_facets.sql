-- What lists are narrowed by stands in the full-text index as words too. So a search is counted in the index alone, without
-- a look at the products that it finds; and products of a range of prices come newest first, a few dozen words merged.
DROP TRIGGER products_search_insert;
--> statement-breakpoint
DROP TRIGGER products_search_delete;
--> statement-breakpoint
DROP TRIGGER products_search_update;
--> statement-breakpoint
DROP TABLE products_search;
--> statement-breakpoint
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, description, facets, content = 'products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE TRIGGER products_search_insert AFTER INSERT ON products
BEGIN
  INSERT INTO products_search (rowid, name, sku, description, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.facets);
END;
--> statement-breakpoint
CREATE TRIGGER products_search_delete AFTER DELETE ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.facets);
END;
--> statement-breakpoint
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
INSERT INTO products_search (products_search) VALUES ('rebuild');
