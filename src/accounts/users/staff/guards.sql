-- Prevents the list of staff from missing a sign-in.
CREATE TRIGGER session_start_is_seen AFTER INSERT ON sessions
BEGIN
  UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer';
END;

-- Prevents the list of staff from missing that a session goes on.
CREATE TRIGGER session_use_is_seen AFTER UPDATE OF last_used_at ON sessions
BEGIN
  UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer';
END;

-- Prevents an administrator who was deactivated or demoted from coming back through an invitation.
CREATE TRIGGER lost_administrator_ends_invitations AFTER UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
BEGIN
  DELETE FROM staff_invitations WHERE invited_by = NEW.id;
END;

-- Cancels the jobs of staff who are disabled or demoted, because they would go on changing the shop.
CREATE TRIGGER lost_role_cancels_jobs AFTER UPDATE OF role, disabled_at ON users
WHEN OLD.role <> 'customer' AND (NEW.disabled_at IS NOT NULL OR NEW.role NOT IN (OLD.role, 'admin'))
BEGIN
  UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at
  WHERE created_by = 'user:' || NEW.id AND state IN ('queued', 'running');
END;

-- Prevents staff from exceeding their limit by several small refunds or credits, even simultaneous ones.
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending
BEGIN
  SELECT RAISE(ABORT, 'staff_spending_limit')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000
  ) > NEW.day_limit;
END;

-- Prevents a stale session from exceeding its limit by many small refunds, credits or payments.
CREATE TRIGGER staff_spending_is_authenticated BEFORE INSERT ON staff_spending
WHEN NEW.session_limit IS NOT NULL AND NEW.amount > 0
BEGIN
  SELECT RAISE(ABORT, 'session_needs_reauthentication')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE session_id = NEW.session_id AND created_at >= NEW.authenticated_at
  ) > NEW.session_limit;
END;
