DROP TRIGGER jobs_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER jobs_no_unlisted_update;
--> statement-breakpoint
-- Prevents what is no kind, state.
CREATE TRIGGER jobs_no_unlisted_insert BEFORE INSERT ON jobs
WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers' AND NEW."kind" <> 'change_products' AND NEW."kind" <> 'adjust_stock' AND NEW."kind" <> 'change_orders'
  OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind, state.
CREATE TRIGGER jobs_no_unlisted_update BEFORE UPDATE OF "kind", "state" ON jobs
WHEN NEW."kind" <> 'check_products' AND NEW."kind" <> 'check_customers' AND NEW."kind" <> 'import_products' AND NEW."kind" <> 'import_customers' AND NEW."kind" <> 'change_products' AND NEW."kind" <> 'adjust_stock' AND NEW."kind" <> 'change_orders'
  OR NEW."state" <> 'queued' AND NEW."state" <> 'running' AND NEW."state" <> 'completed' AND NEW."state" <> 'cancelled' AND NEW."state" <> 'failed' AND NEW."state" <> 'undone'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
