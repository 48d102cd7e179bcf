-- Prevents an edit from adding units of a product that is no longer sold.
CREATE TRIGGER order_edit_no_unsold_units BEFORE UPDATE OF quantity ON order_items WHEN NEW.quantity > OLD.quantity
BEGIN
  SELECT CASE
    WHEN status <> 'active' THEN RAISE(ABORT, 'product_unavailable')
    WHEN options <> '[]' THEN RAISE(ABORT, 'choose_variant')
  END
  FROM products WHERE id = NEW.product_id;
END;

-- Moves the stock and the packages of a line whose units are edited. Refused if downloads of removed units were used.
CREATE TRIGGER order_edit_changes_line AFTER UPDATE OF quantity ON order_items WHEN NEW.quantity <> OLD.quantity
BEGIN
  SELECT RAISE(ABORT, 'downloads_used') FROM packages
  WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity AND downloads_used > 0;
  UPDATE packages SET units = NEW.quantity,
    download_limit = iif(NEW.quantity > 0, download_limit * NEW.quantity / OLD.quantity, download_limit),
    revoked_at = iif(NEW.quantity > 0, revoked_at, coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)))
  WHERE order_item_id = NEW.id AND OLD.quantity > 0;
  UPDATE stock_allocations SET quantity = min(quantity, NEW.quantity) WHERE order_item_id = NEW.id AND NEW.quantity < OLD.quantity;
  INSERT INTO stock_allocations (order_item_id, product_id, quantity, unpaid_by)
  SELECT NEW.id, NEW.product_id, NEW.quantity - OLD.quantity, CASE
      WHEN orders.expires_at IS NULL THEN NULL
      WHEN user_id IS NOT NULL THEN 'user:' || user_id
      WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
      ELSE 'api_key:' || api_key_id
    END
  FROM orders JOIN products ON products.id = NEW.product_id AND manage_stock
  WHERE orders.id = NEW.order_id AND NEW.quantity > OLD.quantity AND NOT orders.sandbox
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = quantity + excluded.quantity;
END;

-- Prevents an edit from exceeding the units that grant downloads, license keys or gift cards.
CREATE TRIGGER order_edit_no_excess_packages AFTER UPDATE OF quantity ON order_items
WHEN NEW.quantity > OLD.quantity AND (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id))
  AND ${DOWNLOAD_UNITS_PER_ORDER} < (
    SELECT sum(quantity) FROM order_items
    WHERE order_id = NEW.order_id AND (license IS NOT NULL OR type = 'gift_card' OR product_id IN (SELECT product_id FROM product_files))
  )
BEGIN
  SELECT RAISE(ABORT, 'too_many_packages');
END;

-- Prevents an order with too many units that grant downloads, license keys or gift cards.
CREATE TRIGGER order_no_excess_packages AFTER INSERT ON order_items
WHEN (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)) AND ${DOWNLOAD_UNITS_PER_ORDER} < (
  SELECT sum(quantity) FROM order_items
  WHERE order_id = NEW.order_id AND (license IS NOT NULL OR type = 'gift_card' OR product_id IN (SELECT product_id FROM product_files))
)
BEGIN
  SELECT RAISE(ABORT, 'too_many_packages');
END;

-- Takes the stock of a sold line. Refuses inactive products, products whose variants are for sale, an outdated price, shipping without an address, files, license keys or gift cards for guests without an e-mail address, and renewing products without a provider that can charge again, or in an order that is already paid. A renewal was paid already, so nothing refuses it.
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by, unpaid_from)
  SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity),
    iif(orders.status = 'completed', NEW.quantity, 0), CASE
      WHEN orders.expires_at IS NULL THEN NULL
      WHEN user_id IS NOT NULL THEN 'user:' || user_id
      WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
      ELSE 'api_key:' || api_key_id
    END, unpaid_from
  FROM orders LEFT JOIN products ON products.id = NEW.product_id
  WHERE orders.id = NEW.order_id AND CASE
    WHEN renewal_of IS NOT NULL THEN FALSE
    WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable')
    WHEN products.options <> '[]' THEN RAISE(ABORT, 'choose_variant')
    WHEN products.price <> coalesce(NEW.list_price, NEW.unit_price) THEN RAISE(ABORT, 'price_changed')
    WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required')
    WHEN orders.user_id IS NULL AND customer_email IS NULL
      AND (NEW.license IS NOT NULL OR NEW.type = 'gift_card' OR EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id))
      THEN RAISE(ABORT, 'files_need_an_email')
    WHEN products.renews IS NOT NULL AND (payment_provider IS NOT 'stripe' OR paid_at IS NOT NULL OR NEW.quantity <> 1) THEN RAISE(ABORT, 'renewal_not_possible')
    ELSE manage_stock AND NOT sandbox
  END;
END;

-- Charges an order that is paid immediately with its first line. wallet_covers_charge refuses more than the wallet holds.
CREATE TRIGGER order_is_charged AFTER INSERT ON order_items
WHEN NOT EXISTS (SELECT 1 FROM transactions WHERE order_id = NEW.order_id AND kind = 'charge')
BEGIN
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  SELECT user_id, api_key_id, id, 'charge', payment_method, -total, CASE payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE users.id = orders.user_id) - total
  END, note, paid_at
  FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL AND total > 0;
END;

-- Grants the packages of a line of an order that is paid immediately. An order of a test key unlocks nothing.
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at)
  SELECT user_id, orders.id, NEW.id, NEW.quantity, substr(${NEW_ITEM_NAME}, 1, 200), download_limit * NEW.quantity, orders.updated_at,
    iif(renews IS NULL, orders.updated_at + download_days * 86400000, unixepoch(orders.updated_at / 1000, 'unixepoch', '+1 ' || renews) * 1000)
  FROM orders JOIN products ON products.id = NEW.product_id
  WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL AND NOT sandbox;
END;

-- Issues the license keys of a line of an order that is paid immediately, or was paid before an edit adds the line. A renewal extends those of its first order.
CREATE TRIGGER order_item_issues_license_keys AFTER INSERT ON order_items WHEN NEW.license IS NOT NULL
BEGIN
  INSERT INTO license_key_issues (order_item_id, units, issued_at)
  SELECT NEW.id, NEW.quantity, max(updated_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) FROM orders
  WHERE id = NEW.order_id AND paid_at IS NOT NULL AND renewal_of IS NULL;
END;

-- Records refunded units for the sales of their product, and revokes their downloads: each unit takes its share of the limit, and the last one the package.
CREATE TRIGGER refund_changes_line AFTER UPDATE OF refunded_quantity ON order_items
WHEN NEW.refunded_quantity > OLD.refunded_quantity
BEGIN
  INSERT INTO refund_lines (order_item_id, refunded_before, refunded, created_at)
  VALUES (NEW.id, OLD.refunded_quantity, NEW.refunded_quantity, CAST(unixepoch('subsec') * 1000 AS INTEGER));
  UPDATE packages SET units = NEW.quantity - NEW.refunded_quantity,
    download_limit = iif(NEW.refunded_quantity < NEW.quantity,
      max(downloads_used, download_limit * (NEW.quantity - NEW.refunded_quantity) / units), download_limit),
    revoked_at = iif(NEW.refunded_quantity < NEW.quantity, revoked_at,
      coalesce(revoked_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)))
  WHERE order_item_id = NEW.id AND units > NEW.quantity - NEW.refunded_quantity;
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
-- Each: order_items, refund_lines
CREATE TRIGGER ${EACH}_no_delete BEFORE DELETE ON ${EACH}
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
