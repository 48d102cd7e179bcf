-- Shows which products show which uploaded images, including the withdrawn versions that carts show.
CREATE VIEW shown_images AS
SELECT shown.product_id, images.id AS image_id
FROM (
  SELECT id AS product_id, images AS list FROM products WHERE images <> '[]'
  UNION ALL SELECT product_id, images FROM withdrawn_products WHERE images <> '[]'
) AS shown, json_each(shown.list) AS image
JOIN images ON images.sha256 = substr(image.value ->> 'url', instr(image.value ->> 'url', '/images/') + 8, 64);

-- Records the uploaded images that a new product shows.
CREATE TRIGGER product_images_insert AFTER INSERT ON products WHEN NEW.images <> '[]'
BEGIN
  INSERT INTO product_images (product_id, image_id) SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id;
END;

-- Records the uploaded images that a changed product shows, and forgets those that it no longer shows.
CREATE TRIGGER product_images_update AFTER UPDATE OF images ON products WHEN OLD.images <> NEW.images
BEGIN
  DELETE FROM product_images WHERE product_id = NEW.id
    AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = NEW.id);
  INSERT INTO product_images (product_id, image_id)
  SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.id ON CONFLICT DO NOTHING;
END;

-- Records the uploaded images of a withdrawn product, which carts show.
CREATE TRIGGER product_images_withdrawn AFTER INSERT ON withdrawn_products WHEN NEW.images <> '[]'
BEGIN
  INSERT INTO product_images (product_id, image_id)
  SELECT DISTINCT product_id, image_id FROM shown_images WHERE product_id = NEW.product_id ON CONFLICT DO NOTHING;
END;

-- Forgets images that only carts showed, once the product is active again.
CREATE TRIGGER product_images_on_sale AFTER DELETE ON withdrawn_products WHEN OLD.images <> '[]'
BEGIN
  DELETE FROM product_images WHERE product_id = OLD.product_id
    AND image_id NOT IN (SELECT image_id FROM shown_images WHERE product_id = OLD.product_id);
END;

-- Prevents a product from showing an image that is being deleted.
CREATE TRIGGER product_image_no_deleted BEFORE INSERT ON product_images
WHEN EXISTS (
  SELECT 1 FROM images JOIN orphaned_objects ON r2_key = 'images/' || sha256 WHERE images.id = NEW.image_id AND delete_at <= 0)
BEGIN
  SELECT RAISE(ABORT, 'image_deleted');
END;

-- Keeps an image that a product shows from being deleted as unused.
CREATE TRIGGER product_image_is_shown AFTER INSERT ON product_images
BEGIN
  DELETE FROM orphaned_objects WHERE r2_key = (SELECT 'images/' || sha256 FROM images WHERE id = NEW.image_id);
END;

-- Schedules an image that no product shows for deletion in a day.
CREATE TRIGGER product_image_is_orphaned AFTER DELETE ON product_images
WHEN NOT EXISTS (SELECT 1 FROM product_images WHERE image_id = OLD.image_id)
BEGIN
  INSERT INTO orphaned_objects (r2_key, delete_at)
  SELECT 'images/' || sha256, CAST(unixepoch('subsec') * 1000 AS INTEGER) + 86400000 FROM images WHERE id = OLD.image_id;
END;
