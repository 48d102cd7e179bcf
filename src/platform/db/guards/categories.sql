-- Prevents counts of a category that is gone.
CREATE TRIGGER product_counts_delete_category AFTER DELETE ON categories
BEGIN
  DELETE FROM product_counts WHERE category_id = OLD.id;
  DELETE FROM product_price_counts WHERE category_id = OLD.id;
END;
