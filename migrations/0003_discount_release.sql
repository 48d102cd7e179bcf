DROP TRIGGER discounts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER discounts_no_unlisted_update;
--> statement-breakpoint
-- Prevents an order without a discount that applies by itself and was used up until a use of it was given back.
CREATE TRIGGER discount_release_versions_pricing AFTER UPDATE OF uses ON discounts
WHEN OLD.code IS NULL AND OLD.uses >= OLD.max_uses AND NEW.uses < NEW.max_uses
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
-- Prevents what is no kind.
CREATE TRIGGER discounts_no_unlisted_insert BEFORE INSERT ON discounts
WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no kind.
CREATE TRIGGER discounts_no_unlisted_update BEFORE UPDATE OF "kind" ON discounts
WHEN NEW."kind" <> 'percentage' AND NEW."kind" <> 'amount' AND NEW."kind" <> 'free_shipping' AND NEW."kind" <> 'buy_x_get_y'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
