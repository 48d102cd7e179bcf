-- Shows every product as shoppers may see it: active products as they are, drafts as they were when last active.
CREATE VIEW product_offers AS
SELECT products.id, ifnull(withdrawn.name, products.name) AS name, ifnull(withdrawn.sku, products.sku) AS sku,
  ifnull(withdrawn.type, products.type) AS type, ifnull(withdrawn.price, products.price) AS price,
  ifnull(withdrawn.images, products.images) AS images,
  ifnull(withdrawn.requires_shipping, products.requires_shipping) AS requires_shipping,
  ifnull(withdrawn.option_values, products.option_values) AS option_values
FROM products LEFT JOIN withdrawn_products AS withdrawn ON withdrawn.product_id = products.id;

-- Recounts products after a bulk load with the triggers off. The view has no rows; inserting into it runs its trigger.
CREATE VIEW product_recounts (n) AS SELECT 0 WHERE FALSE;

-- Shows the products of lists and searches, which leave out variants: they are found by their product.
CREATE VIEW listed_products AS SELECT * FROM products WHERE parent_id IS NULL;

-- Finds products by words. Facets store status, type, stock, category, tags, brand and price as words, so that a search is counted in the index alone.
CREATE VIRTUAL TABLE products_search USING fts5(
  name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets, content = 'listed_products', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- Writes the lists, totals, stock flags and prices of all products after a bulk load.
CREATE TRIGGER product_recount INSTEAD OF INSERT ON product_recounts
BEGIN
  UPDATE products SET sold_out = NOT in_stock WHERE sold_out = in_stock;
  UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out
  FROM variant_prices AS counted WHERE products.id = counted.id;
  UPDATE products SET variant_unit_pricing = cheapest.unit_pricing FROM cheapest_variants AS cheapest WHERE products.id = cheapest.id;
  UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words
  FROM variant_texts AS counted WHERE products.id = counted.id;
  DELETE FROM category_products;
  INSERT INTO category_products (category_id, status, id, name, price)
  SELECT 0 AS list, status, id, sort_name, price FROM products WHERE parent_id IS NULL
  UNION ALL SELECT list, status, id, sort_name, price FROM products CROSS JOIN category_lists USING (category_id) WHERE parent_id IS NULL
  ORDER BY list, status, id;
  DELETE FROM product_counts;
  INSERT INTO product_counts (category_id, status, items) SELECT category_id, status, count(*) FROM category_products GROUP BY category_id, status;
END;

-- Marks a new product without stock as sold out.
CREATE TRIGGER product_sold_out_insert AFTER INSERT ON products WHEN NOT NEW.in_stock
BEGIN
  UPDATE products SET sold_out = 1 WHERE id = NEW.id;
END;

-- Marks a product as sold out or in stock when its stock ends or returns.
CREATE TRIGGER product_sold_out_update AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock
BEGIN
  UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id;
END;

-- Prevents unmanaged stock of a new product whose license keys are uploaded, and counts its unsold keys as the stock: none yet.
CREATE TRIGGER product_license_keys_are_counted AFTER INSERT ON products WHEN NEW.license ->> 'source' = 'uploaded' AND NEW.options = '[]'
BEGIN
  SELECT RAISE(ABORT, 'stock_not_managed') WHERE NOT NEW.manage_stock;
  UPDATE products SET stock_quantity = 0 WHERE id = NEW.id AND stock_quantity <> 0;
END;

-- Prevents unmanaged stock of a product whose license keys are uploaded, and counts its unsold keys as the stock from then on.
CREATE TRIGGER product_license_keys_are_recounted AFTER UPDATE OF license, manage_stock, options ON products
WHEN NEW.license ->> 'source' = 'uploaded' AND NEW.options = '[]' AND (NOT NEW.manage_stock OR OLD.license ->> 'source' IS NOT 'uploaded')
BEGIN
  SELECT RAISE(ABORT, 'stock_not_managed') WHERE NOT NEW.manage_stock;
  UPDATE products SET stock_quantity = (SELECT units FROM unsold_license_keys WHERE product_id = NEW.id) WHERE id = NEW.id;
END;

-- Allocates the units that older orders wait for once stock is managed, and ends allocations once it is not: unmanaged stock holds nothing. stock_not_negative refuses a lower count. Uploaded license keys stay allocated.
CREATE TRIGGER product_changes_allocations AFTER UPDATE OF manage_stock ON products
WHEN NEW.manage_stock <> OLD.manage_stock AND NEW.license ->> 'source' IS NOT 'uploaded'
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, NEW.id, quantity - refunded_quantity - shipped_quantity
  FROM order_items JOIN orders ON orders.id = order_id
  WHERE NEW.manage_stock AND product_id = NEW.id AND status IN ('pending', 'processing') AND quantity > refunded_quantity + shipped_quantity
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
  DELETE FROM stock_allocations WHERE NOT NEW.manage_stock AND product_id = NEW.id AND quantity > 0;
END;

-- Keeps the last active version of a product that is no longer active, which carts show instead of its edits.
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN (OLD.status = 'active') <> (NEW.status = 'active')
BEGIN
  DELETE FROM withdrawn_products WHERE NEW.status = 'active' AND product_id = NEW.id;
  INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping, option_values)
  SELECT OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping, OLD.option_values
  WHERE NEW.status <> 'active';
END;

-- Lists a new product in its categories and in the search.
CREATE TRIGGER product_enters_lists AFTER INSERT ON products WHEN NEW.parent_id IS NULL
BEGIN
  INSERT INTO category_products (category_id, status, id, name, price)
  SELECT list, NEW.status, NEW.id, NEW.sort_name, NEW.price
  FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id);
  INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets);
END;

-- Removes a deleted product from its categories and from the search.
CREATE TRIGGER product_leaves_lists AFTER DELETE ON products WHEN OLD.parent_id IS NULL
BEGIN
  DELETE FROM category_products
  WHERE category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id;
  INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets);
END;

-- Moves a changed product between lists, and writes its new name and price in them.
CREATE TRIGGER product_changes_in_categories AFTER UPDATE OF status, name, price, category_id ON products
WHEN NEW.parent_id IS NULL AND (OLD.status, OLD.name, OLD.price, OLD.category_id) IS NOT (NEW.status, NEW.name, NEW.price, NEW.category_id)
BEGIN
  DELETE FROM category_products
  WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id)
    AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = OLD.category_id) AND status = OLD.status AND id = OLD.id;
  INSERT INTO category_products (category_id, status, id, name, price)
  SELECT list, NEW.status, NEW.id, NEW.sort_name, NEW.price
  FROM (SELECT 0 AS list UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id)
  WHERE (OLD.status, OLD.category_id) IS NOT (NEW.status, NEW.category_id);
  UPDATE category_products SET name = NEW.sort_name
  WHERE NEW.name <> OLD.name
    AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id;
  UPDATE category_products SET price = NEW.price
  WHERE NEW.price <> OLD.price
    AND category_id IN (SELECT 0 UNION ALL SELECT list FROM category_lists WHERE category_id = NEW.category_id) AND status = NEW.status AND id = NEW.id;
END;

-- Counts a product that enters a list.
CREATE TRIGGER category_products_insert_is_counted AFTER INSERT ON category_products
BEGIN
  INSERT INTO product_counts (category_id, status, items) VALUES (NEW.category_id, NEW.status, 1) ON CONFLICT DO UPDATE SET items = items + 1;
END;

-- Counts a product that leaves a list no longer.
CREATE TRIGGER category_products_delete_is_counted AFTER DELETE ON category_products
BEGIN
  UPDATE product_counts SET items = items - 1 WHERE category_id = OLD.category_id AND status = OLD.status;
END;

-- Replaces the words by which the search finds a product. Listed last to run first, because triggers above change the stock again.
CREATE TRIGGER products_search_update
AFTER UPDATE OF name, sku, brand, barcode, description, folded_words, variant_words, draft_words, status, type, manage_stock, stock_quantity, sold_out,
  category_id, tag_ids, price, highest_variant_price ON products
WHEN NEW.parent_id IS NULL AND (OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets)
  IS NOT (NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets)
BEGIN
  INSERT INTO products_search (products_search, rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets)
  VALUES ('delete', OLD.id, OLD.name, OLD.sku, OLD.brand, OLD.barcode, OLD.description, OLD.folded_words, OLD.variant_words, OLD.draft_words, OLD.facets);
  INSERT INTO products_search (rowid, name, sku, brand, barcode, description, folded_words, variant_words, draft_words, facets)
  VALUES (NEW.id, NEW.name, NEW.sku, NEW.brand, NEW.barcode, NEW.description, NEW.folded_words, NEW.variant_words, NEW.draft_words, NEW.facets);
END;

-- Prevents a new product with a compare-at price that is not higher than its price.
CREATE TRIGGER compare_at_price_is_higher BEFORE INSERT ON products WHEN NEW.compare_at_price <= NEW.price
BEGIN
  SELECT RAISE(ABORT, 'compare_at_price_is_higher');
END;

-- Prevents a compare-at price from staying when the price reaches it.
CREATE TRIGGER compare_at_price_stays_higher BEFORE UPDATE OF price, compare_at_price ON products
WHEN NEW.compare_at_price <= NEW.price
BEGIN
  SELECT RAISE(ABORT, 'compare_at_price_is_higher');
END;

-- Prevents a new product whose content and reference are not whole numbers above 0, in units that convert to each other.
CREATE TRIGGER unit_pricing_is_valid BEFORE INSERT ON products
WHEN NEW.unit_pricing IS NOT NULL AND (${IS_UNIT_PRICING}) IS NOT TRUE
BEGIN
  SELECT RAISE(ABORT, 'unit_pricing_is_valid');
END;

-- Prevents a change to a content and a reference that are not whole numbers above 0, in units that convert to each other.
CREATE TRIGGER unit_pricing_stays_valid BEFORE UPDATE OF unit_pricing ON products
WHEN NEW.unit_pricing IS NOT NULL AND (${IS_UNIT_PRICING}) IS NOT TRUE
BEGIN
  SELECT RAISE(ABORT, 'unit_pricing_is_valid');
END;

-- Remembers a price that ended, from which the lowest price before a reduction is read.
CREATE TRIGGER product_price_is_remembered AFTER UPDATE OF price ON products WHEN NEW.price <> OLD.price AND NEW.options = '[]'
BEGIN
  INSERT INTO price_history (product_id, price, ended_at) VALUES (NEW.id, OLD.price, NEW.updated_at);
END;

-- Writes the lowest price of the 30 days before a reduction, which shops must show beside it (directive 98/6/EC, article 6a).
CREATE TRIGGER product_reduction_has_prior_price AFTER UPDATE OF price, compare_at_price ON products
WHEN NEW.compare_at_price IS NOT NULL AND (OLD.compare_at_price IS NULL OR NEW.price <> OLD.price)
BEGIN
  UPDATE products SET prior_price = min(OLD.price, coalesce((
    SELECT min(price) FROM price_history WHERE product_id = NEW.id AND ended_at > NEW.updated_at - ${PRICE_HISTORY_MS}
  ), OLD.price))
  WHERE id = NEW.id;
END;

-- Rebuilds the search index.
INSERT INTO products_search (products_search) VALUES ('rebuild');

-- Prevents an id from being reused: references to the deleted row would apply to the new one.
CREATE TRIGGER products_id_is_new AFTER INSERT ON products
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'products')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;

-- Remembers the slug of a renamed product, so that links to it still find it.
CREATE TRIGGER product_keeps_former_slug AFTER UPDATE OF slug ON products WHEN NEW.slug <> OLD.slug
BEGIN
  INSERT INTO former_product_slugs (slug, product_id) VALUES (OLD.slug, NEW.id)
  ON CONFLICT DO UPDATE SET product_id = excluded.product_id;
END;
