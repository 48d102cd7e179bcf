DROP TRIGGER discount_creation_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discount_change_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discount_deletion_versions_pricing;
--> statement-breakpoint
DROP TRIGGER discounts_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER discounts_no_unlisted_update;
--> statement-breakpoint
DROP TRIGGER discount_return_is_counted;
--> statement-breakpoint
-- Prevents two spellings of a code that changes.
CREATE TRIGGER discount_code_stays_upper_case BEFORE UPDATE OF code ON discounts WHEN NEW.code <> upper(NEW.code)
BEGIN
  SELECT RAISE(ABORT, 'discount_code_not_upper_case');
END;
--> statement-breakpoint
-- Prevents an order without a new discount that applies by itself.
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
-- Prevents an order with a discount that applies by itself as it was; its uses are no change of it.
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at ON discounts
WHEN OLD.code IS NULL OR NEW.code IS NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
-- Prevents an order with a discount that is gone.
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts WHEN OLD.code IS NULL
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
--> statement-breakpoint
-- Prevents a use that comes back from going beyond what the discount allows in all, and to a customer who used it again meanwhile.
CREATE TRIGGER discount_return_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN OLD.released_at IS NOT NULL AND NEW.released_at IS NULL
BEGIN
  SELECT CASE
    WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up')
    WHEN iif(first_order_only, 1, max_uses_per_customer) < (
      SELECT count(*) FROM discount_redemptions
      WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL
    ) THEN RAISE(ABORT, 'discount_used_by_customer')
  END
  FROM discounts WHERE id = NEW.discount_id;
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;
