-- Shows the newest version of each page in each language, unless the page was withdrawn.
CREATE VIEW current_pages AS
SELECT * FROM page_versions AS page
WHERE text <> '' AND id = (SELECT max(id) FROM page_versions WHERE slug = page.slug AND language = page.language);

-- Prevents a version of a page from changing, because orders name the version that their buyer accepted.
CREATE TRIGGER page_version_is_final BEFORE UPDATE ON page_versions
BEGIN
  SELECT RAISE(ABORT, 'page_version_is_final');
END;

-- Prevents a version of a page from being deleted.
CREATE TRIGGER page_versions_no_delete BEFORE DELETE ON page_versions
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
