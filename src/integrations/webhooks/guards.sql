-- Prevents more endpoints than events can be delivered to.
CREATE TRIGGER webhook_endpoints_are_few BEFORE INSERT ON webhook_endpoints WHEN (SELECT count(*) FROM webhook_endpoints) >= ${WEBHOOKS}
BEGIN
  SELECT RAISE(ABORT, 'too_many_webhooks');
END;
