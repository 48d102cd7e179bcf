-- Shows until when the paid orders of a subscription grant access: to the end of their period with its grace, or to the end of the subscription.
CREATE VIEW subscription_access AS
SELECT subscription_id, subscription_periods.order_id, subscriptions.order_id AS first_order_id,
  min(access_until, coalesce(ended_at, access_until)) AS access_until
FROM subscription_periods JOIN subscriptions ON subscriptions.id = subscription_id;

-- Shows until when the orders of a subscription that were not refunded grant access. Null if all of them were refunded.
CREATE VIEW subscription_standings AS
SELECT subscription_id, first_order_id, max(iif(status IN ('refunded', 'cancelled'), NULL, access_until)) AS paid_until
FROM subscription_access JOIN orders ON orders.id = order_id GROUP BY subscription_id;

-- Extends the license keys of a subscription to its latest order that was not refunded, with their updates. The view has no rows; inserting a subscription runs its trigger.
CREATE VIEW license_key_renewals (subscription_id) AS SELECT 0 WHERE FALSE;

-- Sets the expiry of the license keys that a subscription pays. Once all its orders were refunded, ends them, and the subscription at the provider.
CREATE TRIGGER license_keys_are_renewed INSTEAD OF INSERT ON license_key_renewals
BEGIN
  UPDATE license_keys SET expires_at = coalesce(paid_until, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    updates_until = max(updates_until, coalesce(paid_until, 0)), updated_at = updated_at + 1
  FROM subscription_standings WHERE subscription_id = NEW.subscription_id AND license_keys.order_id = first_order_id;
  INSERT INTO payments_to_close (provider, reference, created_at)
  SELECT 'stripe', reference, CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM subscription_standings JOIN subscriptions ON subscriptions.id = subscription_id
  WHERE subscription_id = NEW.subscription_id AND paid_until IS NULL AND ended_at IS NULL ON CONFLICT DO NOTHING;
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

-- Shortens the license keys of a subscription by an order whose units are all refunded.
CREATE TRIGGER period_refund_shortens_license_keys AFTER UPDATE OF status ON orders
WHEN NEW.status IN ('refunded', 'cancelled') AND OLD.status <> NEW.status
BEGIN
  INSERT INTO license_key_renewals (subscription_id) SELECT subscription_id FROM subscription_periods WHERE order_id = NEW.id;
END;
