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
