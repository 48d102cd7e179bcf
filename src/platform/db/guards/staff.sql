-- Prevents staff from moving more than their limit by several small refunds or credits, also at the same instant.
CREATE TRIGGER staff_no_excess_spending BEFORE INSERT ON staff_spending
BEGIN
  SELECT RAISE(ABORT, 'staff_spending_limit')
  WHERE NEW.amount + (
    SELECT coalesce(sum(amount), 0) FROM staff_spending
    WHERE actor = NEW.actor AND created_at > NEW.created_at - 86400000
  ) > NEW.day_limit;
END;
