-- Finds files by any word of a name.
CREATE VIRTUAL TABLE files_search USING fts5(
  name, file_name, folded_words, content = 'files', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

-- Prevents unlimited open uploads: each stores up to 5 GB until it is completed or expires.
CREATE TRIGGER uploads_no_excess_open BEFORE INSERT ON uploads
WHEN (SELECT count(*) FROM uploads WHERE completed_at IS NULL) >= ${UPLOADS_OPEN}
BEGIN
  SELECT RAISE(ABORT, 'too_many_uploads');
END;

-- Adds a new file to the search.
CREATE TRIGGER files_search_insert AFTER INSERT ON files
BEGIN
  INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words);
END;

-- Removes a deleted file from the search.
CREATE TRIGGER files_search_delete AFTER DELETE ON files
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words);
END;

-- Replaces the words by which the search finds a file.
CREATE TRIGGER files_search_update AFTER UPDATE OF name, file_name, folded_words ON files
WHEN (OLD.name, OLD.file_name, OLD.folded_words) IS NOT (NEW.name, NEW.file_name, NEW.folded_words)
BEGIN
  INSERT INTO files_search (files_search, rowid, name, file_name, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.file_name, OLD.folded_words);
  INSERT INTO files_search (rowid, name, file_name, folded_words) VALUES (NEW.id, NEW.name, NEW.file_name, NEW.folded_words);
END;

-- Rebuilds the search index.
INSERT INTO files_search (files_search) VALUES ('rebuild');
