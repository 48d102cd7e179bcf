-- A link that was counted serves its file a few times over, for downloads that break off: no more bytes than are left here. Null is
-- without limit: content that was answered as data.
ALTER TABLE `downloads` ADD `bytes_left` integer CONSTRAINT "download_serves_its_bytes" CHECK (`bytes_left` >= 0);
