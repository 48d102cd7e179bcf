-- Prevents a revoked key from being restored by a concurrent edit or rotation: only its last use is still written.
CREATE TRIGGER revoked_api_key_no_update BEFORE UPDATE OF start, name, hash, previous_hash, previous_expires_at, permissions,
  tier, allowed_addresses, allowed_origins, expires_at, revoked_at ON api_keys
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'revoked_api_key_is_final');
END;

-- Cancels the jobs of a key that is revoked or loses a permission, because they would go on changing the shop.
CREATE TRIGGER lost_permission_cancels_jobs AFTER UPDATE OF revoked_at, permissions ON api_keys
WHEN NEW.revoked_at IS NOT NULL
  OR EXISTS (SELECT value FROM json_each(OLD.permissions) EXCEPT SELECT value FROM json_each(NEW.permissions))
BEGIN
  UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at
  WHERE created_by = 'api_key:' || NEW.id AND state IN ('queued', 'running');
END;

-- Prevents a test key from becoming a live one, or a live one from placing orders without money.
CREATE TRIGGER api_key_no_other_mode BEFORE UPDATE OF test ON api_keys WHEN NEW.test <> OLD.test
BEGIN
  SELECT RAISE(ABORT, 'api_key_mode_is_final');
END;
