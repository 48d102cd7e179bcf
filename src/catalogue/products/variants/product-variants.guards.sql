-- Recomputes a product's prices and stock flag from its variants, and unless `prices_only`, their number and search words, and unless `stock_only`, the content of the cheapest. The view has no rows; inserting a product's id runs its triggers.
CREATE VIEW variant_recounts (id, prices_only, stock_only) AS SELECT 0, FALSE, FALSE WHERE FALSE;

-- Shows the prices and the stock flag of products with options.
CREATE VIEW variant_prices AS
SELECT id,
  ifnull((SELECT min(price) FROM products WHERE parent_id = parent.id AND own_status = 'active'), price) AS price,
  (SELECT max(price) FROM products WHERE parent_id = parent.id AND own_status = 'active') AS highest_variant_price,
  NOT EXISTS (SELECT 1 FROM products WHERE parent_id = parent.id AND own_status = 'active' AND sold_out = 0) AS sold_out
FROM products AS parent WHERE options <> '[]';

-- Shows the content of the variant that has the lowest price of its product, which is shown with that price.
CREATE VIEW cheapest_variants AS
SELECT id, (
    SELECT unit_pricing FROM products WHERE parent_id = parent.id AND own_status = 'active' AND price = parent.price ORDER BY id LIMIT 1
  ) AS unit_pricing
FROM products AS parent WHERE options <> '[]';

-- Shows the words by which a search finds the variants of a product, by their own status.
CREATE VIEW searched_variants AS
SELECT id, parent_id, own_status, sku || ifnull(' ' || barcode, '') || ifnull(' ' || folded_words, '') || ' ' || (option_values ->> '$[0].value')
  || ifnull(' ' || (option_values ->> '$[1].value'), '') || ifnull(' ' || (option_values ->> '$[2].value'), '') AS words
FROM products WHERE parent_id IS NOT NULL;

-- Shows the number and the search words of the variants of products with options.
CREATE VIEW variant_texts AS
SELECT id,
  (SELECT count(*) FROM products WHERE parent_id = parent.id) AS variant_count,
  (SELECT ifnull(group_concat(words, ' ' ORDER BY id), '') FROM searched_variants WHERE parent_id = parent.id AND own_status = 'active') AS variant_words,
  (SELECT ifnull(group_concat(words, ' ' ORDER BY id), '') FROM searched_variants WHERE parent_id = parent.id AND own_status = 'draft') AS draft_words
FROM products AS parent WHERE options <> '[]';

-- Copies to a variant what it inherits. `at` is the moment of a change of its product, which gives it a new version. The view has no rows; inserting runs its triggers.
CREATE VIEW inheritance_copies (id, at) AS SELECT 0, 0 WHERE FALSE;

-- Shows each variant with the values that it takes from its product.
CREATE VIEW inherited_values AS
SELECT variant.id, ${INHERITED_VALUES}
FROM products AS variant JOIN products AS parent ON parent.id = variant.parent_id;

-- Gives variants that inherit the files of a product a new version. The view has no rows; inserting the product's id runs its trigger.
CREATE VIEW inherited_file_changes (parent_id) AS SELECT 0 WHERE FALSE;

-- Ends a variant's inheritance of files. The view has no rows; inserting the variant's id runs its trigger.
CREATE VIEW variant_file_owners (id) AS SELECT 0 WHERE FALSE;

-- Publishes a change of a variant as a change of its product. The view has no rows; inserting runs its trigger.
CREATE VIEW variant_changes (parent_id, id, at) AS SELECT 0, 0, 0 WHERE FALSE;

-- Shows variants whose values are not those of their product's options, in the same order.
CREATE VIEW misfitting_variants AS
SELECT variant.id, parent.id AS parent_id FROM products AS parent JOIN products AS variant ON variant.parent_id = parent.id
WHERE (SELECT json_group_array(value ->> 'name') FROM json_each(variant.option_values))
    <> (SELECT json_group_array(value ->> 'name') FROM json_each(parent.options))
  OR EXISTS (
    SELECT 1 FROM json_each(variant.option_values) AS chosen
    WHERE chosen.value ->> 'value' NOT IN (SELECT value FROM json_each(parent.options, '$[' || chosen.key || '].values')));

-- Writes the prices and the stock flag of a product's active variants, and their number and words. Refuses too many variants. A product with a negative number of variants waits for the end of a batch.
CREATE TRIGGER variants_are_recounted INSTEAD OF INSERT ON variant_recounts
WHEN (SELECT variant_count FROM products WHERE id = NEW.id) >= 0
BEGIN
  UPDATE products SET variant_count = counted.variant_count, variant_words = counted.variant_words, draft_words = counted.draft_words
  FROM (SELECT * FROM variant_texts WHERE NEW.prices_only IS NOT TRUE AND id = NEW.id LIMIT 1) AS counted
  WHERE products.id = NEW.id AND (products.variant_count, products.variant_words, products.draft_words)
    IS NOT (counted.variant_count, counted.variant_words, counted.draft_words);
  SELECT RAISE(ABORT, 'too_many_variants') FROM products
  WHERE NEW.prices_only IS NOT TRUE AND id = NEW.id AND variant_count > ${VARIANTS_PER_PRODUCT};
  UPDATE products SET price = counted.price, highest_variant_price = counted.highest_variant_price, sold_out = counted.sold_out
  FROM variant_prices AS counted
  WHERE products.id = NEW.id AND counted.id = NEW.id
    AND (products.price, products.highest_variant_price, products.sold_out)
      IS NOT (counted.price, counted.highest_variant_price, counted.sold_out);
  UPDATE products SET variant_unit_pricing = cheapest.unit_pricing FROM cheapest_variants AS cheapest
  WHERE NEW.stock_only IS NOT TRUE AND products.id = NEW.id AND cheapest.id = NEW.id
    AND products.variant_unit_pricing IS NOT cheapest.unit_pricing;
END;

-- Recounts the variants of a product at the end of a batch.
CREATE TRIGGER held_variants_are_recounted AFTER UPDATE OF variant_count ON products
WHEN OLD.variant_count < 0 AND NEW.variant_count >= 0
BEGIN
  INSERT INTO variant_recounts (id) VALUES (NEW.id);
END;

-- Copies to a variant what it inherits, in a new version if its product has changed. Its category and tags give it none, because nobody edits them in a variant.
CREATE TRIGGER inheritance_is_copied INSTEAD OF INSERT ON inheritance_copies
BEGIN
  UPDATE products SET category_id = parent.category_id, tags = parent.tags, tag_ids = parent.tag_ids FROM products AS parent
  WHERE products.id = NEW.id AND parent.id = products.parent_id
    AND (products.category_id, products.tag_ids) IS NOT (parent.category_id, parent.tag_ids);
  UPDATE products SET (${INHERITED_COLUMNS}) = (SELECT ${INHERITED_COLUMNS} FROM inherited_values WHERE id = NEW.id),
    updated_at = ifnull(max(updated_at + 1, NEW.at), updated_at),
    related_updated_at = ifnull(max(updated_at + 1, NEW.at), related_updated_at)
  WHERE id = NEW.id AND (${INHERITED_COLUMNS}) IS NOT (SELECT ${INHERITED_COLUMNS} FROM inherited_values WHERE id = NEW.id);
END;

-- Gives a variant whose inherited files change a new version.
CREATE TRIGGER inherited_files_change INSTEAD OF INSERT ON inherited_file_changes
BEGIN
  UPDATE products SET updated_at = max(products.updated_at + 1, parent.updated_at),
    related_updated_at = max(products.updated_at + 1, parent.updated_at)
  FROM products AS parent
  WHERE parent.id = NEW.parent_id AND products.parent_id = NEW.parent_id AND instr(products.inherits, '"file_ids"');
END;

-- Ends the inheritance of files of a variant that has its own.
CREATE TRIGGER variant_owns_files INSTEAD OF INSERT ON variant_file_owners
BEGIN
  UPDATE products SET inherits = (SELECT json_group_array(value) FROM json_each(inherits) WHERE value <> 'file_ids')
  WHERE id = NEW.id AND instr(inherits, '"file_ids"');
END;

-- Gives the product of a changed variant a new version and an event. A batch publishes one event at its end.
CREATE TRIGGER variant_change_is_published INSTEAD OF INSERT ON variant_changes
WHEN (SELECT variant_count FROM products WHERE id = NEW.parent_id) >= 0
BEGIN
  UPDATE products SET updated_at = max(updated_at + 1, NEW.at), related_updated_at = max(updated_at + 1, NEW.at)
  WHERE id = NEW.parent_id;
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.updated', 'product:' || id, NEW.at, json_set(data, '$.variant_id', NEW.id)
  FROM product_event_data WHERE id = NEW.parent_id;
END;

-- Publishes an edit of a variant as a change of its product. Listed before the others to run last, so that the event has their results.
CREATE TRIGGER variant_edit_is_published AFTER UPDATE OF updated_at ON products
WHEN NEW.parent_id IS NOT NULL AND NEW.updated_at <> OLD.updated_at AND NEW.related_updated_at IS OLD.related_updated_at
BEGIN
  INSERT INTO variant_changes (parent_id, id, at) VALUES (NEW.parent_id, NEW.id, NEW.updated_at);
END;

-- Prevents variants of a variant, and variants of a product without options.
CREATE TRIGGER variant_has_options BEFORE INSERT ON products WHEN NEW.parent_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'product_has_no_options') FROM products WHERE id = NEW.parent_id AND options = '[]';
END;

-- Prevents a variant from moving to another product: its orders and its history would move too.
CREATE TRIGGER variant_parent_is_final BEFORE UPDATE OF parent_id ON products WHEN NEW.parent_id IS NOT OLD.parent_id
BEGIN
  SELECT RAISE(ABORT, 'variant_parent_is_final');
END;

-- Gives a new variant the values and files of its product, and counts it. Refused if its option values are not those of the product.
CREATE TRIGGER variant_begins AFTER INSERT ON products WHEN NEW.parent_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'option_values_do_not_fit') FROM misfitting_variants WHERE id = NEW.id;
  UPDATE products SET status = 'draft'
  WHERE id = NEW.id AND status = 'active' AND 'active' <> (SELECT status FROM products WHERE id = NEW.parent_id);
  INSERT INTO inheritance_copies (id) VALUES (NEW.id);
  INSERT INTO product_files (product_id, file_id, inherited)
  SELECT NEW.id, file_id, 1 FROM product_files WHERE product_id = NEW.parent_id AND instr(NEW.inherits, '"file_ids"');
  INSERT INTO variant_recounts (id) VALUES (NEW.parent_id);
  INSERT INTO variant_changes (parent_id, id, at) VALUES (NEW.parent_id, NEW.id, NEW.updated_at);
END;

-- Prevents a variant with values that its product does not have.
CREATE TRIGGER variant_values_fit AFTER UPDATE OF option_values ON products WHEN NEW.option_values <> OLD.option_values
BEGIN
  SELECT RAISE(ABORT, 'option_values_do_not_fit') FROM misfitting_variants WHERE id = NEW.id;
END;

-- Copies the values and files that a variant inherits again. Files that it no longer inherits become its own.
CREATE TRIGGER variant_inheritance_changes AFTER UPDATE OF inherits ON products
WHEN NEW.parent_id IS NOT NULL AND NEW.inherits <> OLD.inherits
BEGIN
  INSERT INTO inheritance_copies (id) VALUES (NEW.id);
  UPDATE product_files SET inherited = 0 WHERE product_id = NEW.id AND inherited AND NOT instr(NEW.inherits, '"file_ids"');
  DELETE FROM product_files
  WHERE product_id = NEW.id AND instr(NEW.inherits, '"file_ids"') AND NOT instr(OLD.inherits, '"file_ids"');
  INSERT INTO product_files (product_id, file_id, inherited)
  SELECT NEW.id, file_id, 1 FROM product_files
  WHERE product_id = NEW.parent_id AND instr(NEW.inherits, '"file_ids"') AND NOT instr(OLD.inherits, '"file_ids"');
END;

-- Ends the inheritance of files of a variant that keeps one as its own.
CREATE TRIGGER variant_keeps_file AFTER UPDATE OF inherited ON product_files WHEN OLD.inherited AND NOT NEW.inherited
BEGIN
  INSERT INTO variant_file_owners (id) VALUES (NEW.product_id);
END;

-- Copies changed values of a product to its variants.
CREATE TRIGGER product_change_is_inherited AFTER UPDATE OF ${INHERITED_COLUMNS}, category_id, tag_ids ON products
WHEN NEW.options <> '[]'
BEGIN
  INSERT INTO inheritance_copies (id, at) SELECT id, NEW.updated_at FROM products WHERE parent_id = NEW.id;
END;

-- Gives a file of a product to the variants that inherit its files. A variant with a file of its own no longer inherits any.
CREATE TRIGGER product_file_reaches_variants AFTER INSERT ON product_files
BEGIN
  INSERT INTO product_files (product_id, file_id, inherited)
  SELECT id, NEW.file_id, 1 FROM products WHERE parent_id = NEW.product_id AND instr(inherits, '"file_ids"')
  ON CONFLICT DO NOTHING;
  INSERT INTO inherited_file_changes (parent_id) VALUES (NEW.product_id);
  INSERT INTO variant_file_owners (id) SELECT NEW.product_id WHERE NOT NEW.inherited;
END;

-- Removes a file that a product loses from its variants.
CREATE TRIGGER product_file_leaves_variants AFTER DELETE ON product_files
BEGIN
  DELETE FROM product_files WHERE file_id = OLD.file_id AND inherited
    AND product_id IN (SELECT id FROM products WHERE parent_id = OLD.product_id);
  INSERT INTO inherited_file_changes (parent_id) VALUES (OLD.product_id);
END;

-- Keeps a variant a draft while its product is not active.
CREATE TRIGGER variant_status_follows_product AFTER UPDATE OF own_status, status ON products
WHEN NEW.parent_id IS NOT NULL AND NEW.status
  <> iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', NEW.own_status, 'draft')
BEGIN
  UPDATE products SET status = iif((SELECT status FROM products WHERE id = NEW.parent_id) = 'active', own_status, 'draft')
  WHERE id = NEW.id;
END;

-- Turns the variants of a product into drafts with it, and returns their own status once it is active again.
CREATE TRIGGER product_status_reaches_variants AFTER UPDATE OF status ON products
WHEN NEW.options <> '[]' AND NEW.status <> OLD.status
BEGIN
  UPDATE products SET status = iif(NEW.status = 'active', own_status, 'draft')
  WHERE parent_id = NEW.id AND status <> iif(NEW.status = 'active', own_status, 'draft');
END;

-- Recounts a product when the price, content, stock or words of a variant change.
CREATE TRIGGER variant_changes_parent AFTER UPDATE OF own_status, price, unit_pricing, sold_out, sku, barcode, option_values ON products
WHEN NEW.parent_id IS NOT NULL AND (OLD.own_status, OLD.price, OLD.unit_pricing, OLD.sold_out, OLD.sku, OLD.barcode, OLD.option_values)
  IS NOT (NEW.own_status, NEW.price, NEW.unit_pricing, NEW.sold_out, NEW.sku, NEW.barcode, NEW.option_values)
BEGIN
  INSERT INTO variant_recounts (id, prices_only, stock_only)
  VALUES (NEW.parent_id, (NEW.sku, NEW.barcode, NEW.option_values, NEW.own_status) IS (OLD.sku, OLD.barcode, OLD.option_values, OLD.own_status),
    (NEW.price, NEW.unit_pricing, NEW.own_status) IS (OLD.price, OLD.unit_pricing, OLD.own_status));
END;

-- Recounts a product that loses a variant, and publishes the change.
CREATE TRIGGER variant_leaves_parent AFTER DELETE ON products WHEN OLD.parent_id IS NOT NULL
BEGIN
  INSERT INTO variant_recounts (id) VALUES (OLD.parent_id);
  INSERT INTO variant_changes (parent_id, id, at)
  VALUES (OLD.parent_id, OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

-- Counts the variants of a new product with options, which is not in stock before it has some.
CREATE TRIGGER parent_begins AFTER INSERT ON products WHEN NEW.options <> '[]'
BEGIN
  INSERT INTO variant_recounts (id) VALUES (NEW.id);
END;

-- Recounts a product with changed options, and ends the prices, content and words of variants of one without.
CREATE TRIGGER parent_options_change AFTER UPDATE OF options ON products WHEN NEW.options <> OLD.options
BEGIN
  INSERT INTO variant_recounts (id) VALUES (NEW.id);
  UPDATE products SET highest_variant_price = NULL, variant_unit_pricing = NULL, sold_out = NOT in_stock, variant_words = '', draft_words = ''
  WHERE id = NEW.id AND options = '[]';
END;

-- Replaces a price that is set on a product with options by that of its variants.
CREATE TRIGGER parent_price_is_computed AFTER UPDATE OF price ON products WHEN NEW.options <> '[]' AND NEW.price <> OLD.price
BEGIN
  INSERT INTO variant_recounts (id, prices_only) VALUES (NEW.id, TRUE);
END;

-- Prevents removing the options of a product that has variants.
CREATE TRIGGER parent_keeps_options BEFORE UPDATE OF options ON products WHEN NEW.options = '[]' AND OLD.variant_count > 0
BEGIN
  SELECT RAISE(ABORT, 'product_has_variants');
END;
