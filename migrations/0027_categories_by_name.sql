CREATE INDEX `categories_by_name` ON `categories` (name COLLATE NOCASE);
