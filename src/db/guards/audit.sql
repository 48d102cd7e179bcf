-- Prevents rewriting who changed what: the audit log is append-only.
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;

-- Prevents deleting who changed what.
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log_is_append_only');
END;

-- Prevents a batch that was decided on a row that has changed since; nothing is ever stored here.
CREATE TRIGGER precondition_holds BEFORE INSERT ON preconditions
BEGIN
  SELECT RAISE(ABORT, 'row_changed') WHERE NOT NEW.holds;
  SELECT RAISE(IGNORE);
END;
