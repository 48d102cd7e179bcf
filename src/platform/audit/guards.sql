-- Prevents rewriting the audit log. IP addresses can be removed after 30 days, and personal data with the erased account.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
WHEN (NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.subject_id, NEW.request_id)
    IS NOT (OLD.id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.subject_id, OLD.request_id)
  OR NEW.address IS NOT OLD.address AND NOT (NEW.address IS NULL AND (
    OLD.at < unixepoch() * 1000 - 2592000000
    OR EXISTS (SELECT 1 FROM users WHERE 'user:' || id = OLD.actor AND erased_at IS NOT NULL)))
  OR (NEW.before, NEW.after) IS NOT (OLD.before, OLD.after) AND NOT (
    OLD.subject = 'user' AND NEW.before IS NULL AND NEW.after IS NULL
      AND EXISTS (SELECT 1 FROM users WHERE id = OLD.subject_id AND erased_at IS NOT NULL)
    OR OLD.subject = 'staff_invitation' AND NEW.before IS NULL AND NEW.after IS NULL
      AND NOT EXISTS (SELECT 1 FROM users WHERE email = coalesce(OLD.after, OLD.before) ->> 'email')
      AND NOT EXISTS (SELECT 1 FROM staff_invitations WHERE email = coalesce(OLD.after, OLD.before) ->> 'email')
    OR ifnull(NEW.before, '') IN (ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), ''),
        ifnull(json_remove(OLD.before, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason', '$.metadata', '$.item_metadata'), ''))
      AND ifnull(NEW.after, '') IN (ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason'), ''),
        ifnull(json_remove(OLD.after, '$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason', '$.metadata', '$.item_metadata'), ''))
      AND EXISTS (SELECT 1 FROM users WHERE erased_at IS NOT NULL AND id = CASE OLD.subject
        WHEN 'order' THEN (SELECT user_id FROM orders WHERE id = OLD.subject_id)
        WHEN 'package' THEN (SELECT user_id FROM packages WHERE id = OLD.subject_id)
      END))
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;

-- Prevents deleting from the audit log.
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;

-- Prevents a batch whose precondition no longer holds. Nothing is ever stored here.
CREATE TRIGGER precondition_holds BEFORE INSERT ON preconditions
BEGIN
  SELECT RAISE(ABORT, 'row_changed') WHERE NOT NEW.holds;
  SELECT RAISE(IGNORE);
END;
