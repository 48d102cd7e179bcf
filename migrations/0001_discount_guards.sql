DROP TRIGGER discount_redemption_is_allowed;
--> statement-breakpoint
DROP TRIGGER discount_redemption_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_release_is_counted;
--> statement-breakpoint
DROP TRIGGER discount_return_is_counted;
--> statement-breakpoint
DROP TRIGGER order_item_is_sold;
--> statement-breakpoint
DROP TRIGGER order_item_grants_packages;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER order_items_no_unlisted_update;
--> statement-breakpoint
-- Prevents a use of a discount that has changed, is off, is not on yet or no more, or has no use left for this customer or at all.
CREATE TRIGGER discount_redemption_is_allowed BEFORE INSERT ON discount_redemptions
BEGIN
  SELECT CASE
    WHEN discounts.updated_at <> NEW.discount_version OR NOT enabled THEN RAISE(ABORT, 'discount_changed')
    WHEN starts_at > NEW.created_at OR ends_at <= NEW.created_at THEN RAISE(ABORT, 'discount_not_current')
    WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up')
    WHEN max_uses_per_customer <= (
      SELECT count(*) FROM discount_redemptions
      WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL
    ) THEN RAISE(ABORT, 'discount_used_by_customer')
    WHEN first_order_only AND (
      EXISTS (
        SELECT 1 FROM orders WHERE user_id = (SELECT user_id FROM orders WHERE id = NEW.order_id)
          AND id <> NEW.order_id AND status NOT IN ('cancelled', 'expired')
      ) OR EXISTS (
        SELECT 1 FROM orders AS this JOIN orders AS other ON other.customer_email = this.customer_email
        WHERE this.id = NEW.order_id AND this.user_id IS NULL AND other.user_id IS NULL
          AND other.id <> this.id AND other.status NOT IN ('cancelled', 'expired')
      )
    ) THEN RAISE(ABORT, 'discount_for_first_order')
  END
  FROM discounts WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a use that the discount does not count.
CREATE TRIGGER discount_redemption_is_counted AFTER INSERT ON discount_redemptions
BEGIN
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a released use from counting.
CREATE TRIGGER discount_release_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN OLD.released_at IS NULL AND NEW.released_at IS NOT NULL
BEGIN
  UPDATE discounts SET uses = uses - 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents a use that comes back from going beyond what the discount allows.
CREATE TRIGGER discount_return_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN OLD.released_at IS NOT NULL AND NEW.released_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'discount_used_up') FROM discounts WHERE id = NEW.discount_id AND uses >= max_uses;
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;
--> statement-breakpoint
-- Prevents selling what is not for sale, at another price than the catalogue's, to nowhere, or files to nobody; holds the stock of the rest.
CREATE TRIGGER order_item_is_sold AFTER INSERT ON order_items
BEGIN
  INSERT INTO stock_allocations (order_item_id, product_id, quantity, sent, unpaid_by)
  SELECT NEW.id, NEW.product_id, iif(orders.status = 'completed', 0, NEW.quantity),
    iif(orders.status = 'completed', NEW.quantity, 0), CASE
      WHEN orders.expires_at IS NULL THEN NULL
      WHEN user_id IS NOT NULL THEN 'user:' || user_id
      WHEN customer_email IS NOT NULL THEN 'guest:' || customer_email
      ELSE 'api_key:' || api_key_id
    END
  FROM orders LEFT JOIN products ON products.id = NEW.product_id
  WHERE orders.id = NEW.order_id AND CASE
    WHEN products.status IS NOT 'active' THEN RAISE(ABORT, 'product_unavailable')
    WHEN products.price <> NEW.unit_price THEN RAISE(ABORT, 'price_changed')
    WHEN NEW.requires_shipping AND orders.shipping_address IS NULL THEN RAISE(ABORT, 'shipping_address_required')
    WHEN orders.user_id IS NULL AND EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
      THEN RAISE(ABORT, 'files_need_an_account')
    ELSE manage_stock
  END;
END;
--> statement-breakpoint
-- Prevents an order that is paid at once from lacking the packages of its units whose product has files.
CREATE TRIGGER order_item_grants_packages AFTER INSERT ON order_items
WHEN EXISTS (SELECT 1 FROM product_files WHERE product_id = NEW.product_id)
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
  SELECT user_id, orders.id, NEW.id, unit, NEW.name, download_limit, paid_at, paid_at + download_days * 86400000
  FROM orders JOIN products ON products.id = NEW.product_id JOIN package_units ON unit <= NEW.quantity
  WHERE orders.id = NEW.order_id AND paid_at IS NOT NULL;
END;
--> statement-breakpoint
-- Prevents what is no type, tax_class.
CREATE TRIGGER order_items_no_unlisted_insert BEFORE INSERT ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no type, tax_class.
CREATE TRIGGER order_items_no_unlisted_update BEFORE UPDATE OF "type", "tax_class" ON order_items
WHEN NEW."type" <> 'physical' AND NEW."type" <> 'digital' AND NEW."type" <> 'service'
  OR NEW."tax_class" <> 'standard' AND NEW."tax_class" <> 'reduced' AND NEW."tax_class" <> 'zero' AND NEW."tax_class" <> 'exempt'
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
