-- Prevents a download from a package that has not started or has ended. The CHECK downloads_within_limit refuses excess downloads.
CREATE TRIGGER download_no_ended_package BEFORE INSERT ON downloads
WHEN NOT EXISTS (
  SELECT 1 FROM packages WHERE id = NEW.package_id AND revoked_at IS NULL
    AND starts_at <= NEW.created_at AND (expires_at IS NULL OR expires_at > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'package_ended');
END;

-- Counts a download against its package's limit.
CREATE TRIGGER download_uses_package AFTER INSERT ON downloads
BEGIN
  UPDATE packages SET downloads_used = downloads_used + 1 WHERE id = NEW.package_id;
END;

-- Shows the standing of a package and its end, which package_files copies.
CREATE VIEW package_standings AS
SELECT id, user_id, coalesce(expires_at, 9007199254740991) AS expires_at, CASE
  WHEN revoked_at IS NOT NULL THEN 3
  WHEN download_limit IS NULL THEN 0
  WHEN downloads_used < download_limit THEN 1
  ELSE 2
END AS standing
FROM packages;

-- Gives a bought package the files of its product.
CREATE TRIGGER package_holds_files AFTER INSERT ON packages WHEN NEW.order_item_id IS NOT NULL
BEGIN
  INSERT INTO package_files (package_id, file_id, user_id, standing, expires_at)
  SELECT NEW.id, file_id, package_standings.user_id, standing, package_standings.expires_at
  FROM order_items JOIN product_files USING (product_id) JOIN package_standings ON package_standings.id = NEW.id
  WHERE order_items.id = NEW.order_item_id;
END;

-- Copies the standing of its package to a granted file.
CREATE TRIGGER package_file_stands AFTER INSERT ON package_files WHEN NEW.standing IS NULL
BEGIN
  UPDATE package_files SET (user_id, standing, expires_at) = (
    SELECT user_id, standing, expires_at FROM package_standings WHERE id = NEW.package_id)
  WHERE package_id = NEW.package_id AND file_id = NEW.file_id;
END;

-- Copies a changed standing of a package to its files. Most downloads do not change it.
CREATE TRIGGER package_files_follow AFTER UPDATE OF user_id, revoked_at, expires_at, download_limit, downloads_used ON packages
WHEN (NEW.user_id, NEW.revoked_at IS NULL, NEW.expires_at, NEW.download_limit IS NULL, coalesce(NEW.downloads_used < NEW.download_limit, 0))
  IS NOT (OLD.user_id, OLD.revoked_at IS NULL, OLD.expires_at, OLD.download_limit IS NULL, coalesce(OLD.downloads_used < OLD.download_limit, 0))
BEGIN
  UPDATE package_files SET (user_id, standing, expires_at) = (
    SELECT user_id, standing, expires_at FROM package_standings WHERE id = NEW.id)
  WHERE package_id = NEW.id;
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
CREATE TRIGGER packages_no_delete BEFORE DELETE ON packages
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;

-- Gives a package of a guest to the account that has proved the guest's address.
CREATE TRIGGER guest_package_finds_account AFTER INSERT ON packages WHEN NEW.user_id IS NULL
BEGIN
  UPDATE packages SET user_id = users.id FROM orders JOIN users ON users.email = customer_email
  WHERE packages.id = NEW.id AND orders.id = NEW.order_id AND email_verified_at IS NOT NULL AND disabled_at IS NULL;
END;

-- Gives an account the packages that guests bought with its address, whenever the address is verified. A new address alone proves nothing.
CREATE TRIGGER account_finds_guest_packages AFTER UPDATE OF email_verified_at ON users
WHEN NEW.email_verified_at IS NOT NULL AND NEW.email_verified_at IS NOT OLD.email_verified_at AND NEW.disabled_at IS NULL
BEGIN
  UPDATE packages SET user_id = NEW.id
  WHERE user_id IS NULL AND order_id IN (SELECT id FROM orders WHERE customer_email = NEW.email AND user_id IS NULL);
END;
