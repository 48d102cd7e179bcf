-- Shows every product as shoppers may know it: what is on sale as it is, a draft as it was when it was last on sale.
CREATE VIEW product_offers AS
SELECT products.id, ifnull(withdrawn.name, products.name) AS name, ifnull(withdrawn.sku, products.sku) AS sku,
  ifnull(withdrawn.type, products.type) AS type, ifnull(withdrawn.price, products.price) AS price,
  ifnull(withdrawn.images, products.images) AS images,
  ifnull(withdrawn.requires_shipping, products.requires_shipping) AS requires_shipping
FROM products LEFT JOIN withdrawn_products AS withdrawn ON withdrawn.product_id = products.id;

-- Counts products anew after a bulk load with the triggers off: it has no rows, its trigger does what an insert asks for.
CREATE VIEW product_recounts (n) AS SELECT 0 WHERE FALSE;

-- Finds products by words. Facets have status, type, stock, category and price as words: a search is counted in the index alone.
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, description, folded_words, facets, content = 'products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

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

-- Prevents a new product without stock from being listed as in stock.
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock
BEGIN
  UPDATE products SET sold_out = 1 WHERE id = NEW.id;
END;

-- Prevents a product from being listed as in stock after it has sold out, and as sold out after it has come in.
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock
BEGIN
  UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id;
END;

-- Prevents a new product that the search misses.
CREATE TRIGGER products_search_insert AFTER INSERT ON products
BEGIN
  INSERT INTO products_search (rowid, name, sku, description, folded_words, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.folded_words, NEW.facets);
END;

-- Prevents the search from finding a product that is gone.
CREATE TRIGGER products_search_delete AFTER DELETE ON products
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, folded_words, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.folded_words, OLD.facets);
END;

-- Prevents an order from giving units back to a stock that was counted without them: nothing is held of what is not managed.
CREATE TRIGGER product_ends_allocations AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock AND NOT NEW.manage_stock
BEGIN
  DELETE FROM stock_allocations WHERE product_id = NEW.id AND quantity > 0;
END;

-- Prevents selling what orders from before the stock was managed wait for; stock_not_negative refuses a count below that.
CREATE TRIGGER product_begins_allocations AFTER UPDATE OF manage_stock ON products WHEN NEW.manage_stock AND NOT OLD.manage_stock
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, NEW.id, quantity - refunded_quantity - shipped_quantity
  FROM order_items JOIN orders ON orders.id = order_id
  WHERE product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity + shipped_quantity
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
END;

-- Prevents edits of what is not on sale from being seen: carts that hold it go on showing what was.
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping)
  VALUES (OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping);
END;

-- Prevents a product on sale from being shown as it was before it was withdrawn.
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF status ON products WHEN OLD.status <> 'active' AND NEW.status = 'active'
BEGIN
  DELETE FROM withdrawn_products WHERE product_id = NEW.id;
END;

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

-- Prevents totals of lists that count a product that is gone.
CREATE TRIGGER product_counts_delete AFTER DELETE ON products
BEGIN
  UPDATE product_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND type = OLD.type AND sold_out = OLD.sold_out;
  UPDATE product_price_counts SET items = items - 1
  WHERE category_id IN (0, OLD.category_id) AND status = OLD.status AND price_band = OLD.price_band AND type = OLD.type
    AND sold_out = OLD.sold_out;
END;

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

-- Prevents the search from finding a product by what it was; last here, so first to run: triggers above change the stock again.
CREATE TRIGGER products_search_update
AFTER UPDATE OF name, sku, description, folded_words, status, type, manage_stock, stock_quantity, category_id, price ON products
WHEN (OLD.name, OLD.sku, OLD.description, OLD.folded_words, OLD.facets)
  IS NOT (NEW.name, NEW.sku, NEW.description, NEW.folded_words, NEW.facets)
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, description, folded_words, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.description, OLD.folded_words, OLD.facets);
  INSERT INTO products_search (rowid, name, sku, description, folded_words, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.description, NEW.folded_words, NEW.facets);
END;

-- Prevents a new product that is shown as reduced and is not.
CREATE TRIGGER compare_at_price_is_higher BEFORE INSERT ON products WHEN NEW.compare_at_price <= NEW.price
BEGIN
  SELECT RAISE(ABORT, 'compare_at_price_is_higher');
END;

-- Prevents a product from being shown as reduced once its price has reached what it cost before.
CREATE TRIGGER compare_at_price_stays_higher BEFORE UPDATE OF price, compare_at_price ON products
WHEN NEW.compare_at_price <= NEW.price
BEGIN
  SELECT RAISE(ABORT, 'compare_at_price_is_higher');
END;

-- Fills the search anew where its table is.
INSERT INTO products_search (products_search) VALUES ('rebuild');

-- Prevents an id from being given twice: what refers to a row that was deleted would apply to the new one.
CREATE TRIGGER products_id_is_new AFTER INSERT ON products
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'products')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
