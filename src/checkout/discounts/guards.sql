-- Prevents using a discount that has changed, is disabled, is not current, or has no use left for this customer or in total.
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

-- Counts a use of a discount.
CREATE TRIGGER discount_redemption_is_counted AFTER INSERT ON discount_redemptions
BEGIN
  UPDATE discounts SET uses = uses + 1 WHERE id = NEW.discount_id;
END;

-- Releases the discounts of a cancelled or expired order, and redeems those of an expired order that is paid again. Refused if one has been used up.
CREATE TRIGGER order_move_changes_discounts AFTER UPDATE OF status ON orders
BEGIN
  UPDATE discount_redemptions SET released_at = NULL
  WHERE OLD.status = 'expired' AND NEW.status IN ('processing', 'completed')
    AND order_id = NEW.id AND released_at IS NOT NULL
    AND discount_id IN (SELECT value ->> 'id' FROM json_each(NEW.discounts));
  UPDATE discount_redemptions SET released_at = NEW.updated_at
  WHERE NEW.status IN ('cancelled', 'expired') AND order_id = NEW.id AND released_at IS NULL;
END;

-- Counts a released or restored use. Refuses a restored use beyond the discount's limits, in total or for a customer who used it again.
CREATE TRIGGER discount_release_is_counted AFTER UPDATE OF released_at ON discount_redemptions
WHEN (OLD.released_at IS NULL) <> (NEW.released_at IS NULL)
BEGIN
  SELECT CASE
    WHEN uses >= max_uses THEN RAISE(ABORT, 'discount_used_up')
    WHEN iif(first_order_only, 1, max_uses_per_customer) < (
      SELECT count(*) FROM discount_redemptions
      WHERE discount_id = NEW.discount_id AND customer = NEW.customer AND released_at IS NULL
    ) THEN RAISE(ABORT, 'discount_used_by_customer')
  END
  FROM discounts WHERE NEW.released_at IS NULL AND id = NEW.discount_id;
  UPDATE discounts SET uses = uses + iif(NEW.released_at IS NULL, 1, -1) WHERE id = NEW.discount_id;
END;

-- Prevents two spellings of a code.
CREATE TRIGGER discount_code_is_upper_case BEFORE INSERT ON discounts WHEN NEW.code <> upper(NEW.code)
BEGIN
  SELECT RAISE(ABORT, 'discount_code_not_upper_case');
END;

-- Prevents two spellings of a changed code.
CREATE TRIGGER discount_code_stays_upper_case BEFORE UPDATE OF code ON discounts WHEN NEW.code <> upper(NEW.code)
BEGIN
  SELECT RAISE(ABORT, 'discount_code_not_upper_case');
END;

-- Limits a new discount that names products or categories to these.
CREATE TRIGGER discount_covers_what_it_names AFTER INSERT ON discounts
WHEN NEW.applies_to = 'all_products' AND (NEW.product_ids <> '[]' OR NEW.category_ids <> '[]')
BEGIN
  UPDATE discounts SET applies_to = 'selected_products' WHERE id = NEW.id;
END;

-- Limits a changed discount that names products or categories to these.
CREATE TRIGGER discount_covers_what_it_names_later AFTER UPDATE OF applies_to, product_ids, category_ids ON discounts
WHEN NEW.applies_to = 'all_products' AND (NEW.product_ids <> '[]' OR NEW.category_ids <> '[]')
BEGIN
  UPDATE discounts SET applies_to = 'selected_products' WHERE id = NEW.id;
END;

-- Removes a deleted product from discounts. One that then covers nothing is disabled.
CREATE TRIGGER discount_forgets_product AFTER DELETE ON products
BEGIN
  UPDATE discounts SET
    enabled = enabled AND NOT (json_array_length(product_ids) = 1 AND category_ids = '[]'),
    product_ids = (SELECT json_group_array(value) FROM json_each(product_ids) WHERE value <> OLD.id),
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE product_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(product_ids) WHERE value = OLD.id);
END;

-- Removes a deleted category from discounts. One that then covers nothing is disabled.
CREATE TRIGGER discount_forgets_category AFTER DELETE ON categories
BEGIN
  UPDATE discounts SET
    enabled = enabled AND NOT (json_array_length(category_ids) = 1 AND product_ids = '[]'),
    category_ids = (SELECT json_group_array(value) FROM json_each(category_ids) WHERE value <> OLD.id),
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE category_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(category_ids) WHERE value = OLD.id);
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
CREATE TRIGGER discount_redemptions_no_delete BEFORE DELETE ON discount_redemptions
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
