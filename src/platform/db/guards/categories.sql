-- Prevents counts of a deleted category.
CREATE TRIGGER product_counts_delete_category AFTER DELETE ON categories
BEGIN
  DELETE FROM product_counts WHERE category_id = OLD.id;
  DELETE FROM product_price_counts WHERE category_id = OLD.id;
  DELETE FROM product_range_counts WHERE category_id = OLD.id;
END;

-- Prevents an id from being reused: references to the deleted row would apply to the new one.
CREATE TRIGGER categories_id_is_new AFTER INSERT ON categories
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'categories')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
