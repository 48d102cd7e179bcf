-- Prevents reusing a code, or using one older than the latest: time steps only increase.
CREATE TRIGGER totp_no_second_use BEFORE UPDATE OF last_step ON totp_secrets WHEN NEW.last_step <= OLD.last_step
BEGIN
  SELECT RAISE(ABORT, 'code_used');
END;

-- Prevents a recovery code from being used twice.
CREATE TRIGGER recovery_code_no_second_use BEFORE UPDATE OF used_at ON recovery_codes WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'code_used');
END;

-- Prevents a stranger from locking the owner of an address out with a second factor.
CREATE TRIGGER totp_no_unverified_address BEFORE UPDATE OF confirmed_at ON totp_secrets
WHEN OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND email_verified_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'email_not_verified');
END;

-- Prevents a session of an account with a second factor that was opened without a code.
CREATE TRIGGER session_no_skipped_factor BEFORE INSERT ON sessions WHEN NEW.two_factor = 0
  AND EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = NEW.user_id AND confirmed_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'two_factor_required');
END;

-- Ends logins that wait for a code when the password changes.
CREATE TRIGGER new_password_ends_challenges AFTER UPDATE OF password_hash ON users
WHEN NEW.password_hash <> OLD.password_hash
BEGIN
  DELETE FROM login_challenges WHERE user_id = NEW.id;
END;
