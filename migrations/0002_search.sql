-- The full-text index reads its rows from products (external content) and is kept right by the triggers.
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, description, content = 'products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE TRIGGER products_search_insert AFTER INSERT ON products
BEGIN
  INSERT INTO products_search (rowid, name, sku, description) VALUES (NEW.id, NEW.name, NEW.sku, NEW.description);
END;
--> statement-breakpoint
CREATE TRIGGER products_search_delete AFTER DELETE ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description);
END;
--> statement-breakpoint
CREATE TRIGGER products_search_update AFTER UPDATE OF name, sku, description ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description);
  INSERT INTO products_search (rowid, name, sku, description) VALUES (NEW.id, NEW.name, NEW.sku, NEW.description);
END;
