-- Prevents a revoked key from being restored by a concurrent edit or rotation: only its last use is still written.
CREATE TRIGGER revoked_api_key_no_update BEFORE UPDATE OF start, name, hash, previous_hash, previous_expires_at, permissions,
  tier, allowed_addresses, allowed_origins, expires_at, revoked_at ON api_keys
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'revoked_api_key_is_final');
END;

-- Prevents a test key from becoming a live one, or a live one from placing orders without money.
CREATE TRIGGER api_key_no_other_mode BEFORE UPDATE OF test ON api_keys WHEN NEW.test <> OLD.test
BEGIN
  SELECT RAISE(ABORT, 'api_key_mode_is_final');
END;
