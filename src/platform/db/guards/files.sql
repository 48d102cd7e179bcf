-- Finds files by any word of a name.
CREATE VIRTUAL TABLE files_search USING fts5(
  name, file_name, folded_words, content = 'files', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

-- Prevents storing for nothing: what is open holds up to 5 GB each until it is completed or its day is over.
CREATE TRIGGER uploads_no_excess_open BEFORE INSERT ON uploads
WHEN (SELECT count(*) FROM uploads WHERE completed_at IS NULL) >= ${UPLOADS_OPEN}
BEGIN
  SELECT RAISE(ABORT, 'too_many_uploads');
END;

-- Prevents a new file that the search misses.
CREATE TRIGGER files_search_insert AFTER INSERT ON files
BEGIN
  INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words);
END;

-- Prevents the search from finding a file that is gone.
CREATE TRIGGER files_search_delete AFTER DELETE ON files
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words);
END;

-- Prevents the search from finding a file by what it was called.
CREATE TRIGGER files_search_update AFTER UPDATE OF name, file_name, folded_words ON files
WHEN (OLD.name, OLD.file_name, OLD.folded_words) IS NOT (NEW.name, NEW.file_name, NEW.folded_words)
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words);
  INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words);
END;

-- Rebuilds the search index.
INSERT INTO files_search (files_search) VALUES ('rebuild');
