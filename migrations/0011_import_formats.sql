DROP TRIGGER IF EXISTS imports_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS imports_no_unlisted_update;
--> statement-breakpoint
UPDATE imports SET "format" = 'csv' WHERE "format" = 'woocommerce';
--> statement-breakpoint
UPDATE imports SET "format" = 'csv' WHERE "format" = 'shopify';
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_insert BEFORE INSERT ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no resource, format.
CREATE TRIGGER imports_no_unlisted_update BEFORE UPDATE OF "resource", "format" ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
