-- Prevents more saved views of a list than its page can show as tabs.
CREATE TRIGGER saved_views_are_few BEFORE INSERT ON saved_views
WHEN (SELECT count(*) FROM saved_views WHERE user_id = NEW.user_id AND list = NEW.list) >= ${SAVED_VIEWS_PER_LIST}
BEGIN
  SELECT RAISE(ABORT, 'too_many_saved_views');
END;
