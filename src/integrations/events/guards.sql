-- Shows the event data of a product.
CREATE VIEW product_event_data AS
SELECT id, json_object('product_id', id, 'parent_id', parent_id, 'external_id', external_id, 'sku', sku, 'name', name, 'slug', slug, 'type', type, 'status', status,
  'price', price, 'stock_quantity', stock_quantity) AS data
FROM products;

-- Shows the event data of a product's stock.
CREATE VIEW stock_event_data AS
SELECT id, json_object('product_id', id, 'parent_id', parent_id, 'external_id', external_id, 'sku', sku, 'stock_quantity', stock_quantity) AS data
FROM products;

-- Shows the event data of a package.
CREATE VIEW package_event_data AS
SELECT id, json_object('package_id', id, 'user_id', user_id, 'order_id', order_id,
  'download_limit', download_limit, 'downloads_used', downloads_used,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch')) AS data
FROM packages;

-- Shows the event data of a license key, without the key.
CREATE VIEW license_key_event_data AS
SELECT id, json_object('license_key_id', id, 'product_id', product_id, 'user_id', user_id, 'order_id', order_id, 'activation_limit', activation_limit,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch'), 'test', json(iif(test, 'true', 'false'))) AS data
FROM license_keys;

-- Shows the event data of a gift card, without the code.
CREATE VIEW gift_card_event_data AS
SELECT id, json_object('gift_card_id', id, 'order_id', order_id, 'value', value, 'test', json(iif(test, 'true', 'false'))) AS data
FROM gift_cards;

-- Shows the event data of a subscription and of the order that began it.
CREATE VIEW subscription_event_data AS
SELECT subscriptions.id, json_object('subscription_id', subscriptions.id, 'order_id', order_id, 'number', number, 'reference', orders.reference, 'external_id', external_id,
  'user_id', user_id,
  'current_period_end', strftime('%Y-%m-%dT%H:%M:%fZ', current_period_end / 1000.0, 'unixepoch'),
  'access_until', strftime('%Y-%m-%dT%H:%M:%fZ', (SELECT max(access_until) FROM subscription_access WHERE subscription_id = subscriptions.id) / 1000.0, 'unixepoch'),
  'cancels_at', strftime('%Y-%m-%dT%H:%M:%fZ', cancels_at / 1000.0, 'unixepoch'),
  'cancelled_at', strftime('%Y-%m-%dT%H:%M:%fZ', cancelled_at / 1000.0, 'unixepoch')) AS data
FROM subscriptions JOIN orders ON orders.id = order_id;

-- Shows the event data of an account, without personal data: an erasure cannot reach what readers keep.
CREATE VIEW user_event_data AS
SELECT id, json_object('user_id', id, 'external_id', external_id, 'role', role, 'email_verified', json(iif(email_verified_at IS NULL, 'false', 'true')),
  'disabled', json(iif(disabled_at IS NULL, 'false', 'true'))) AS data
FROM users;

-- Shows the event data of a file.
CREATE VIEW file_event_data AS
SELECT id, json_object('file_id', id, 'name', name, 'version', version, 'access', access,
  'published', json(iif(published_at IS NULL, 'false', 'true'))) AS data
FROM files;

-- Shows the event data of an API key.
CREATE VIEW api_key_event_data AS
SELECT id, json_object('api_key_id', id, 'name', name, 'tier', tier,
  'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch'),
  'last_used_at', strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at / 1000.0, 'unixepoch')) AS data
FROM api_keys;

-- Writes the event of a payment or of a change of an order's status. An order that is paid immediately has both.
CREATE TRIGGER order_status_is_published AFTER INSERT ON order_history WHEN NEW.kind IN ('status', 'payment')
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'status', NEW."to",
    'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency)
  FROM orders JOIN (
    SELECT 'order.created' AS type WHERE NEW."from" IS NULL
    UNION ALL SELECT 'order.paid' WHERE NEW.kind = 'payment'
      OR NEW."from" IN ('pending', 'expired') AND NEW."to" IN ('processing', 'completed')
    UNION ALL SELECT 'order.' || NEW."to"
    WHERE NEW."to" IN ('shipped', 'completed', 'cancelled', 'expired') AND NEW."from" IS NOT NEW."to"
  )
  WHERE id = NEW.order_id;
END;

-- Writes the events of a refund. A refund that no provider has to send is complete with its decision.
CREATE TRIGGER order_refund_is_published AFTER INSERT ON order_history
WHEN NEW.kind LIKE '%refund%' OR NEW.kind = 'payment_returned'
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT type, 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id,
    'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'amount', NEW.amount, 'currency', coalesce(NEW.currency, currency),
    'refunded_total', refunded_total)
  FROM orders JOIN (
    SELECT 'refund.created' AS type WHERE NEW.kind IN ('refund', 'edit_refund', 'payment_returned')
    UNION ALL SELECT 'refund.succeeded' WHERE NEW.kind IN ('refund', 'edit_refund', 'refund_sent')
    UNION ALL SELECT 'refund.failed' WHERE NEW.kind = 'refund_failed'
  )
  WHERE id = NEW.order_id
    AND NOT (NEW.kind IN ('refund', 'edit_refund') AND type = 'refund.succeeded' AND payment_provider IS NOT NULL AND NEW.amount > 0
      AND total - refunded_total + NEW.amount > received_by_hand);
END;

-- Writes the event of an edit of an order, or of a dispute.
CREATE TRIGGER order_edit_is_published AFTER INSERT ON order_history WHEN NEW.kind LIKE 'edit%' OR NEW.kind = 'dispute_opened'
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT iif(NEW.kind = 'dispute_opened', 'order.disputed', 'order.edited'), 'order:' || id, NEW.at, json_object('order_id', id, 'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'status', status,
    'payment_method', payment_method, 'test', json(iif(payment_method = 'test_card', 'true', 'false')), 'total', total, 'currency', currency)
  FROM orders WHERE id = NEW.order_id;
END;

-- Writes the event of a failed payment. The order's status does not change, so its history has no row for it.
CREATE TRIGGER order_payment_failure_is_published AFTER UPDATE OF payment_status ON orders
WHEN NEW.payment_status = 'failed' AND OLD.payment_status <> 'failed'
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  VALUES ('order.payment_failed', 'order:' || NEW.id, NEW.updated_at, json_object('order_id', NEW.id, 'number', NEW.number, 'reference', NEW.reference, 'external_id', NEW.external_id,
    'user_id', NEW.user_id, 'status', NEW.status, 'payment_method', NEW.payment_method,
    'test', json(iif(NEW.payment_method = 'test_card', 'true', 'false')), 'total', NEW.total,
    'currency', NEW.currency));
END;

-- Writes the event of a shipment.
CREATE TRIGGER shipment_is_published AFTER INSERT ON shipments
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'shipment.created', 'order:' || id, NEW.shipped_at, json_object('shipment_id', NEW.id, 'order_id', id,
    'number', number, 'reference', reference, 'external_id', external_id, 'user_id', user_id, 'test', json(iif(payment_method = 'test_card', 'true', 'false')))
  FROM orders WHERE id = NEW.order_id;
END;

-- Writes the event of a new return.
CREATE TRIGGER return_creation_is_published AFTER INSERT ON returns
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'return.' || NEW.status, 'order:' || id, NEW.created_at, json_object('return_id', NEW.id, 'order_id', id, 'number', number,
    'reference', reference, 'external_id', external_id, 'user_id', user_id, 'requested_by', NEW.requested_by,
    'test', json(iif(payment_method = 'test_card', 'true', 'false')))
  FROM orders WHERE id = NEW.order_id;
END;

-- Writes the event of a return's new status.
CREATE TRIGGER return_move_is_published AFTER UPDATE OF status ON returns WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'return.' || NEW.status, 'order:' || id, NEW.updated_at, json_object('return_id', NEW.id, 'order_id', id, 'number', number,
    'reference', reference, 'external_id', external_id, 'user_id', user_id, 'requested_by', NEW.requested_by,
    'test', json(iif(payment_method = 'test_card', 'true', 'false')))
  FROM orders WHERE id = NEW.order_id;
END;

-- Writes the event of a new product.
CREATE TRIGGER product_creation_is_published AFTER INSERT ON products WHEN NEW.parent_id IS NULL
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.created', 'product:' || id, NEW.created_at, data FROM product_event_data WHERE id = NEW.id;
END;

-- Writes the event of an edit of a product. Stock taken by orders is not an edit.
CREATE TRIGGER product_change_is_published AFTER UPDATE OF updated_at ON products
WHEN NEW.updated_at <> OLD.updated_at AND NEW.parent_id IS NULL AND NEW.related_updated_at IS OLD.related_updated_at
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.updated', 'product:' || id, NEW.updated_at, data FROM product_event_data WHERE id = NEW.id;
END;

-- Writes the event of the deletion of a product.
CREATE TRIGGER product_deletion_is_published BEFORE DELETE ON products WHEN OLD.parent_id IS NULL
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'product.deleted', 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = OLD.id;
END;

-- Writes the event of low, sold-out or replenished stock.
CREATE TRIGGER product_stock_is_published AFTER UPDATE OF stock_quantity, manage_stock, low_stock_threshold ON products
WHEN OLD.in_stock <> NEW.in_stock
  OR NEW.in_stock AND NEW.stock_quantity <= NEW.low_at AND (OLD.stock_quantity IS NULL OR OLD.stock_quantity > OLD.low_at)
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT CASE WHEN NOT NEW.in_stock THEN 'product.sold_out' WHEN OLD.in_stock THEN 'product.stock_low'
    ELSE 'product.back_in_stock' END, 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM product_event_data WHERE id = NEW.id;
END;

-- Writes the event of stock that begins or ceases to be managed. The schedule writes those of all other changes.
CREATE TRIGGER stock_management_is_published AFTER UPDATE OF manage_stock ON products WHEN OLD.manage_stock <> NEW.manage_stock
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'stock.changed', 'product:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM stock_event_data WHERE id = NEW.id;
END;

-- Writes the event of a package granted by an order or an administrator.
CREATE TRIGGER package_grant_is_published AFTER INSERT ON packages
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'package.granted', 'package:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM package_event_data WHERE id = NEW.id;
END;

-- Writes the event of a revoked or used-up package.
CREATE TRIGGER package_end_is_published AFTER UPDATE OF revoked_at, downloads_used ON packages
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
  OR NEW.downloads_used = NEW.download_limit AND NEW.downloads_used > OLD.downloads_used
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT iif(NEW.downloads_used > OLD.downloads_used, 'package.exhausted', 'package.revoked'), 'package:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM package_event_data WHERE id = NEW.id;
END;

-- Writes the event of a new license key or gift card.
-- Each: license_key, gift_card
CREATE TRIGGER ${EACH}_creation_is_published AFTER INSERT ON ${EACH}s
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT '${EACH}.created', '${EACH}:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM ${EACH}_event_data WHERE id = NEW.id;
END;

-- Writes the event of a revoked license key.
CREATE TRIGGER license_key_end_is_published AFTER UPDATE OF revoked_at ON license_keys WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'license_key.revoked', 'license_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM license_key_event_data WHERE id = NEW.id;
END;

-- Writes the event of a subscription that begins with its first paid period.
CREATE TRIGGER subscription_creation_is_published AFTER INSERT ON subscription_periods
WHEN NEW.order_id = (SELECT order_id FROM subscriptions WHERE id = NEW.subscription_id)
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'subscription.created', 'subscription:' || id, NEW.created_at, data FROM subscription_event_data WHERE id = NEW.subscription_id;
END;

-- Writes the events of a subscription that ends, is cancelled or renews again, and of its renewals that are near or failed.
CREATE TRIGGER subscription_change_is_published AFTER UPDATE OF past_due, reminded_for, cancels_at, ended_at ON subscriptions
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT type, 'subscription:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM subscription_event_data JOIN (
    SELECT 'subscription.cancelled' AS type WHERE OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
    UNION ALL SELECT 'subscription.updated' WHERE NEW.cancels_at IS NOT OLD.cancels_at
    UNION ALL SELECT 'subscription.renewing' WHERE NEW.reminded_for IS NOT OLD.reminded_for
    UNION ALL SELECT 'subscription.payment_failed' WHERE NEW.past_due AND NOT OLD.past_due AND NEW.ended_at IS NULL
  )
  WHERE id = NEW.id;
END;

-- Writes the event of a new account, file or API key.
-- Each: user, file, api_key
CREATE TRIGGER ${EACH}_creation_is_published AFTER INSERT ON ${EACH}s
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT '${EACH}.created', '${EACH}:' || id, NEW.created_at, data FROM ${EACH}_event_data WHERE id = NEW.id;
END;

-- Writes the event of an edit or erasure of an account. Its wallet and sessions are not edits.
CREATE TRIGGER user_change_is_published AFTER UPDATE OF email, email_verified_at, name, role, disabled_at, phone, company,
  accepts_marketing, external_id, metadata, tags, erased_at ON users
WHEN (OLD.email, OLD.email_verified_at, OLD.name, OLD.role, OLD.disabled_at, OLD.phone, OLD.company, OLD.accepts_marketing,
    OLD.external_id, OLD.metadata, OLD.tags, OLD.erased_at)
  IS NOT (NEW.email, NEW.email_verified_at, NEW.name, NEW.role, NEW.disabled_at, NEW.phone, NEW.company, NEW.accepts_marketing,
    NEW.external_id, NEW.metadata, NEW.tags, NEW.erased_at)
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT iif(OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL, 'user.deleted', 'user.updated'), 'user:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM user_event_data WHERE id = NEW.id;
END;

-- Writes the event of an edit or new content of a file.
CREATE TRIGGER file_change_is_published AFTER UPDATE OF updated_at ON files WHEN NEW.updated_at <> OLD.updated_at
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'file.updated', 'file:' || id, NEW.updated_at, data FROM file_event_data WHERE id = NEW.id;
END;

-- Writes the event of a rotated or revoked API key.
CREATE TRIGGER api_key_change_is_published AFTER UPDATE OF hash, revoked_at ON api_keys
WHEN NEW.hash <> OLD.hash OR NEW.revoked_at IS NOT OLD.revoked_at
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  SELECT iif(NEW.hash <> OLD.hash, 'api_key.rotated', 'api_key.revoked'), 'api_key:' || id, CAST(unixepoch('subsec') * 1000 AS INTEGER), data FROM api_key_event_data WHERE id = NEW.id;
END;

-- Writes the event of an alert.
CREATE TRIGGER alert_is_published AFTER INSERT ON alerts
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  VALUES ('system.alert_raised', 'alert:' || NEW.id, NEW.created_at,
    json_object('alert_id', NEW.id, 'kind', NEW.kind, 'about', NEW.about, 'summary', NEW.summary));
END;

-- Writes the event of the end of an alert.
CREATE TRIGGER alert_resolution_is_published AFTER UPDATE OF resolved_at ON alerts
WHEN OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL
BEGIN
  INSERT INTO events (type, subject, created_at, data)
  VALUES ('system.alert_resolved', 'alert:' || NEW.id, NEW.resolved_at,
    json_object('alert_id', NEW.id, 'kind', NEW.kind, 'about', NEW.about, 'summary', NEW.summary));
END;

-- Prevents changing an event afterwards.
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events_are_append_only');
END;

-- Prevents an id from being reused: readers past the first would miss the second.
CREATE TRIGGER events_keep_the_newest BEFORE DELETE ON events WHEN OLD.id = (SELECT max(id) FROM events)
BEGIN
  SELECT RAISE(ABORT, 'newest_event_stays');
END;
