-- Prevents more endpoints than events are delivered to: MOST_WEBHOOKS of db/tables/webhooks.ts.
CREATE TRIGGER webhook_endpoints_are_few BEFORE INSERT ON webhook_endpoints WHEN (SELECT count(*) FROM webhook_endpoints) >= 50
BEGIN
  SELECT RAISE(ABORT, 'too_many_webhooks');
END;
