-- Prevents storing for nothing: what is open holds up to 5 GB each until it is completed or its day is over.
CREATE TRIGGER uploads_no_excess_open BEFORE INSERT ON uploads
WHEN (SELECT count(*) FROM uploads WHERE completed_at IS NULL) >= 20
BEGIN
  SELECT RAISE(ABORT, 'too_many_uploads');
END;
