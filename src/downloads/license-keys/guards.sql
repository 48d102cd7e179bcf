-- Issues license keys for units of an order line. The view has no rows; inserting a line and its units runs its trigger.
CREATE VIEW license_key_issues (order_item_id, units, issued_at) AS SELECT 0, 0, 0 WHERE FALSE;

-- Issues a license key for each unit, by the terms of its line. Uploaded keys are taken in their order; test orders take none. A key of a guest belongs to the account that has proved the guest's address.
CREATE TRIGGER license_keys_are_issued INSTEAD OF INSERT ON license_key_issues
BEGIN
  UPDATE uploaded_license_keys SET order_item_id = NEW.order_item_id WHERE id IN (
    SELECT unsold.id
    FROM order_items JOIN orders ON orders.id = order_id AND NOT sandbox
      JOIN uploaded_license_keys AS unsold ON unsold.product_id = order_items.product_id AND unsold.order_item_id IS NULL
    WHERE order_items.id = NEW.order_item_id AND license ->> 'source' = 'uploaded' ORDER BY unsold.id LIMIT NEW.units
  );
  INSERT INTO license_keys (nonce, prefix, name, product_id, order_id, order_item_id, user_id, activation_limit, expires_at, updates_until,
    test, created_at, updated_at)
  SELECT coalesce(uploaded.nonce, hex(randomblob(6))), iif(uploaded.nonce IS NULL, license ->> 'prefix', NULL),
    ${ITEM_NAME},
    order_items.product_id, orders.id, order_items.id, iif(sandbox, NULL, coalesce(orders.user_id, (
      SELECT id FROM users WHERE email = customer_email AND email_verified_at IS NOT NULL AND disabled_at IS NULL))),
    license ->> 'activation_limit', NEW.issued_at + (license ->> 'valid_days') * 86400000,
    NEW.issued_at + (license ->> 'update_days') * 86400000, sandbox, NEW.issued_at, NEW.issued_at
  FROM order_items JOIN orders ON orders.id = order_id
    CROSS JOIN json_each('[' || substr(replace(hex(zeroblob(NEW.units)), '00', ',0'), 2) || ']') AS unit
    LEFT JOIN (
      SELECT nonce, row_number() OVER (ORDER BY id) - 1 AS place FROM uploaded_license_keys
      WHERE order_item_id = NEW.order_item_id AND nonce NOT IN (SELECT nonce FROM license_keys WHERE order_item_id = NEW.order_item_id)
    ) AS uploaded ON place = unit.key
  WHERE order_items.id = NEW.order_item_id;
  SELECT RAISE(ABORT, 'stock_not_negative')
  FROM order_items JOIN orders ON orders.id = order_id AND NOT sandbox
  WHERE order_items.id = NEW.order_item_id AND license ->> 'source' = 'uploaded'
    AND (SELECT count(*) FROM uploaded_license_keys WHERE order_item_id = NEW.order_item_id)
      < (SELECT count(*) FROM license_keys WHERE order_item_id = NEW.order_item_id);
END;

-- Shows the units of a product with uploaded license keys that can be sold: its unsold keys, less those that unpaid orders hold.
CREATE VIEW unsold_license_keys (product_id, units) AS
SELECT id, max(0, (
  SELECT count(*) FROM uploaded_license_keys WHERE product_id = products.id AND order_item_id IS NULL
) - (
  SELECT coalesce(sum(stock_allocations.quantity + sent), 0)
  FROM stock_allocations JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id
  WHERE stock_allocations.product_id = products.id AND paid_at IS NULL AND order_items.license ->> 'source' = 'uploaded'
))
FROM products WHERE license ->> 'source' = 'uploaded';

-- Issues license keys for units that an edit adds to a paid order.
CREATE TRIGGER order_edit_issues_license_keys AFTER UPDATE OF quantity ON order_items
WHEN NEW.license IS NOT NULL AND NEW.quantity > OLD.quantity
BEGIN
  INSERT INTO license_key_issues (order_item_id, units, issued_at)
  SELECT NEW.id, NEW.quantity - OLD.quantity, max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL;
END;

-- Revokes the license keys of refunded or removed units, those on the fewest devices first. A key that a later order of its subscription pays goes on.
CREATE TRIGGER license_keys_end_with_units AFTER UPDATE OF quantity, refunded_quantity ON order_items
WHEN NEW.license IS NOT NULL AND NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity
BEGIN
  UPDATE license_keys SET revoked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = updated_at + 1
  WHERE order_item_id = NEW.id AND revoked_at IS NULL AND id NOT IN (
    SELECT id FROM license_keys AS kept WHERE order_item_id = NEW.id AND revoked_at IS NULL
    ORDER BY activations DESC, id LIMIT NEW.quantity - NEW.refunded_quantity
  ) AND NOT EXISTS (
    SELECT 1 FROM subscriptions JOIN subscription_periods ON subscription_id = subscriptions.id JOIN orders ON orders.id = subscription_periods.order_id
    WHERE subscriptions.order_id = NEW.order_id AND orders.id <> NEW.order_id AND status NOT IN ('refunded', 'cancelled')
  );
END;

-- Prevents activating a license key that was revoked or has expired. The CHECK license_activations_within_limit refuses more devices.
CREATE TRIGGER license_activation_no_ended_key BEFORE INSERT ON license_activations
WHEN NOT EXISTS (
  SELECT 1 FROM license_keys WHERE id = NEW.license_key_id AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'license_key_ended');
END;

-- Counts an activated device.
CREATE TRIGGER license_activation_is_counted AFTER INSERT ON license_activations
BEGIN
  UPDATE license_keys SET activations = activations + 1 WHERE id = NEW.license_key_id;
END;

-- Counts a deactivated device no longer.
CREATE TRIGGER license_deactivation_is_counted AFTER DELETE ON license_activations
BEGIN
  UPDATE license_keys SET activations = activations - 1 WHERE id = OLD.license_key_id;
END;

-- Gives an account the license keys that guests bought with its address, whenever the address is verified.
CREATE TRIGGER account_finds_guest_license_keys AFTER UPDATE OF email_verified_at ON users
WHEN NEW.email_verified_at IS NOT NULL AND NEW.email_verified_at IS NOT OLD.email_verified_at AND NEW.disabled_at IS NULL
BEGIN
  UPDATE license_keys SET user_id = NEW.id
  WHERE user_id IS NULL AND order_id IN (SELECT id FROM orders WHERE customer_email = NEW.email AND user_id IS NULL AND NOT sandbox);
END;

-- Prevents deleting an uploaded key that was sold: its buyer could no longer read it, and it could be sold again.
CREATE TRIGGER uploaded_license_key_no_delete_once_sold BEFORE DELETE ON uploaded_license_keys WHEN OLD.order_item_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
CREATE TRIGGER license_keys_no_delete BEFORE DELETE ON license_keys
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
