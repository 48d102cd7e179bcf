-- Dates the last use of a member of staff who signs in.
CREATE TRIGGER session_start_is_seen AFTER INSERT ON sessions
BEGIN
  UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer';
END;

-- Dates the last use of a member of staff whose session goes on.
CREATE TRIGGER session_use_is_seen AFTER UPDATE OF last_used_at ON sessions
BEGIN
  UPDATE users SET last_seen_at = NEW.last_used_at WHERE id = NEW.user_id AND role <> 'customer';
END;

-- Cancels the jobs of staff who are disabled or demoted, which would go on changing the shop, and deletes the invitations of an administrator, who could come back through one.
CREATE TRIGGER lost_role_ends_access AFTER UPDATE OF role, disabled_at ON users
WHEN OLD.role <> 'customer' AND (NEW.disabled_at IS NOT NULL OR NEW.role NOT IN (OLD.role, 'admin'))
BEGIN
  UPDATE jobs SET state = 'cancelled', updated_at = NEW.updated_at, finished_at = NEW.updated_at
  WHERE created_by = 'user:' || NEW.id AND state IN ('queued', 'running');
  DELETE FROM staff_invitations WHERE OLD.role = 'admin' AND invited_by = NEW.id;
END;

-- Prevents staff from exceeding their limit, and a stale session its own, by several small refunds, credits or payments, even simultaneous ones.
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending
BEGIN
  SELECT RAISE(ABORT, 'session_needs_reauthentication')
  WHERE NEW.session_limit IS NOT NULL AND NEW.amount > 0 AND NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE session_id = NEW.session_id AND created_at >= NEW.authenticated_at
  ) > NEW.session_limit;
  SELECT RAISE(ABORT, 'staff_spending_limit')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000
  ) > NEW.day_limit;
END;
