-- Shows until when the paid orders of a subscription grant access: to the end of their period with its grace, or to the end of the subscription.
CREATE VIEW subscription_access AS
SELECT subscription_id, subscription_periods.order_id, subscriptions.order_id AS first_order_id,
  min(access_until, coalesce(ended_at, access_until)) AS access_until
FROM subscription_periods JOIN subscriptions ON subscriptions.id = subscription_id;

-- Extends the license keys of a subscription to its latest order that was not refunded. The view has no rows; inserting a subscription runs its trigger.
CREATE VIEW license_key_renewals (subscription_id) AS SELECT 0 WHERE FALSE;

-- Sets the expiry of the license keys that a subscription pays. Without a paid order they end with its first one.
CREATE TRIGGER license_keys_are_renewed INSTEAD OF INSERT ON license_key_renewals
BEGIN
  UPDATE license_keys SET expires_at = paid.access_until, updated_at = updated_at + 1
  FROM (
    SELECT first_order_id, max(access_until) AS access_until FROM subscription_access JOIN orders ON orders.id = order_id
    WHERE subscription_id = NEW.subscription_id AND payment_status <> 'refunded' GROUP BY subscription_id
  ) AS paid
  WHERE license_keys.order_id = paid.first_order_id;
END;

-- Ends the downloads of a paid period with its grace, and extends the license keys.
CREATE TRIGGER subscription_period_grants_access AFTER INSERT ON subscription_periods
BEGIN
  UPDATE packages SET expires_at = (SELECT access_until FROM subscription_access WHERE order_id = NEW.order_id)
  WHERE order_id = NEW.order_id;
  INSERT INTO license_key_renewals (subscription_id) VALUES (NEW.subscription_id);
END;

-- Ends the downloads and license keys of a subscription that has ended.
CREATE TRIGGER subscription_end_ends_access AFTER UPDATE OF ended_at ON subscriptions WHEN NEW.ended_at IS NOT OLD.ended_at
BEGIN
  UPDATE packages SET expires_at = min(expires_at, NEW.ended_at)
  WHERE order_id IN (SELECT order_id FROM subscription_periods WHERE subscription_id = NEW.id);
  INSERT INTO license_key_renewals (subscription_id) VALUES (NEW.id);
END;

-- Shortens the license keys of a subscription by a renewal that is refunded.
CREATE TRIGGER renewal_refund_shortens_license_keys AFTER UPDATE OF payment_status ON orders
WHEN NEW.renewal_of IS NOT NULL AND NEW.payment_status = 'refunded' AND OLD.payment_status <> 'refunded'
BEGIN
  INSERT INTO license_key_renewals (subscription_id) SELECT subscription_id FROM subscription_periods WHERE order_id = NEW.id;
END;
