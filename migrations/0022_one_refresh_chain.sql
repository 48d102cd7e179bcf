-- A refresh token has at most one that took its place. Who sends a spent one again within the grace replaces that one: it
-- cannot be exchanged any more, and once it was, no other can take its place.
ALTER TABLE `refresh_tokens` ADD `parent_hash` text REFERENCES refresh_tokens(hash) ON DELETE SET NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `refresh_tokens_parent` ON `refresh_tokens` (`parent_hash`);
