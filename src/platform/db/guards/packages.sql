-- Prevents a download of a package that has ended or not begun; the CHECK downloads_within_limit refuses one too many.
CREATE TRIGGER download_no_ended_package BEFORE INSERT ON downloads
WHEN NOT EXISTS (
  SELECT 1 FROM packages WHERE id = NEW.package_id AND revoked_at IS NULL
    AND starts_at <= NEW.created_at AND (expires_at IS NULL OR expires_at > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'package_ended');
END;

-- Prevents a download that does not count against its package's limit.
CREATE TRIGGER download_uses_package AFTER INSERT ON downloads
BEGIN
  UPDATE packages SET downloads_used = downloads_used + 1 WHERE id = NEW.package_id;
END;

-- Prevents a bought package without the files of its product.
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL
BEGIN
  INSERT INTO package_files (package_id, file_id)
  SELECT NEW.id, file_id FROM order_items JOIN product_files USING (product_id) WHERE order_items.id = NEW.order_item_id;
END;

-- The units of a line that may each be a package: order_no_excess_packages allows no more of an order.
INSERT INTO package_units (unit)
WITH RECURSIVE units (unit) AS (SELECT 1 UNION ALL SELECT unit + 1 FROM units WHERE unit < 100) SELECT unit FROM units;

-- Prevents an id from being given twice: without AUTOINCREMENT a row that is gone leaves its id to the next one.
CREATE TRIGGER packages_no_delete BEFORE DELETE ON packages
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
