CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`description` text,
	`enabled` integer NOT NULL,
	`pause_reason` text,
	`account_scope` text NOT NULL,
	`sealed` text NOT NULL,
	`sealed_under` text NOT NULL,
	`previous_expires_at` integer,
	`starts_after` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_key_unique` ON `webhook_endpoints` (`key`);
--> statement-breakpoint
-- Prevents more endpoints than events are delivered to: MOST_WEBHOOKS of db/tables/webhooks.ts.
CREATE TRIGGER webhook_endpoints_are_few BEFORE INSERT ON webhook_endpoints WHEN (SELECT count(*) FROM webhook_endpoints) >= 50
BEGIN
  SELECT RAISE(ABORT, 'too_many_webhooks');
END;
--> statement-breakpoint
-- Prevents what is no pause_reason, account_scope.
CREATE TRIGGER webhook_endpoints_no_unlisted_insert BEFORE INSERT ON webhook_endpoints
WHEN NEW."pause_reason" <> 'failing' AND NEW."pause_reason" <> 'gone'
  OR NEW."account_scope" <> 'everybody' AND NEW."account_scope" <> 'customers'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no pause_reason, account_scope.
CREATE TRIGGER webhook_endpoints_no_unlisted_update BEFORE UPDATE OF "pause_reason", "account_scope" ON webhook_endpoints
WHEN NEW."pause_reason" <> 'failing' AND NEW."pause_reason" <> 'gone'
  OR NEW."account_scope" <> 'everybody' AND NEW."account_scope" <> 'customers'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
