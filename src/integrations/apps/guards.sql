-- Prevents a code from being exchanged twice, whichever exchange is first.
CREATE TRIGGER app_code_no_second_use BEFORE UPDATE OF spent_at ON app_codes WHEN OLD.spent_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'app_code_is_spent');
END;

-- Prevents a removed app from getting tokens by an exchange that began before.
CREATE TRIGGER app_token_no_insert_after_removal BEFORE INSERT ON app_tokens
WHEN (SELECT revoked_at FROM api_keys WHERE id = NEW.api_key_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'app_is_removed');
END;

-- Ends what a removed app holds, and writes the event that tells it.
CREATE TRIGGER app_removal_ends_tokens AFTER UPDATE OF revoked_at ON api_keys
WHEN NEW.app_id IS NOT NULL AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
BEGIN
  DELETE FROM app_tokens WHERE api_key_id = NEW.id;
  DELETE FROM app_codes WHERE api_key_id = NEW.id;
  INSERT INTO events (type, subject, created_at, data)
  SELECT 'app.uninstalled', 'api_key:' || NEW.id, NEW.revoked_at,
    json_object('client_id', client_id, 'installation_id', NEW.id) FROM apps WHERE id = NEW.app_id;
END;

-- Removes a deleted or blocked app from everybody who installed or connected it.
CREATE TRIGGER app_deletion_ends_access AFTER UPDATE OF deleted_at ON apps WHEN NEW.deleted_at IS NOT NULL
BEGIN
  UPDATE api_keys SET revoked_at = NEW.deleted_at, updated_at = max(updated_at + 1, NEW.deleted_at)
  WHERE app_id = NEW.id AND revoked_at IS NULL;
  UPDATE sessions SET ended_at = NEW.deleted_at WHERE app_id = NEW.id AND ended_at IS NULL;
  DELETE FROM app_codes WHERE app_id = NEW.id;
END;

-- Gives an app's webhooks a new version when its permissions change, so that deliveries it may no longer read end.
CREATE TRIGGER app_permissions_reach_webhooks AFTER UPDATE OF permissions, revoked_at ON api_keys WHEN NEW.app_id IS NOT NULL
BEGIN
  UPDATE webhook_endpoints SET updated_at = max(updated_at + 1, NEW.updated_at) WHERE installation_id = NEW.id;
END;
