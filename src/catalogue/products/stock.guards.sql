-- Prevents an adjustment of unmanaged stock, and of stock that is the number of unsold license keys, to any other number. The CHECK stock_not_negative refuses to remove more than there is.
CREATE TRIGGER adjustment_no_unmanaged_stock BEFORE INSERT ON stock_adjustments
WHEN NOT EXISTS (
  SELECT 1 FROM products LEFT JOIN unsold_license_keys ON product_id = id
  WHERE id = NEW.product_id AND manage_stock AND stock_quantity + NEW.delta = coalesce(units, stock_quantity + NEW.delta)
)
BEGIN
  SELECT RAISE(ABORT, 'stock_not_managed');
END;

-- Adds an adjustment to the product's stock.
CREATE TRIGGER adjustment_changes_stock AFTER INSERT ON stock_adjustments
BEGIN
  UPDATE products SET stock_quantity = stock_quantity + NEW.delta WHERE id = NEW.product_id;
END;

-- Prevents rewriting an adjustment: errors are corrected by another one.
CREATE TRIGGER stock_adjustments_no_update BEFORE UPDATE ON stock_adjustments
BEGIN
  SELECT RAISE(ABORT, 'stock_adjustments_are_append_only');
END;

-- Returns units that a line no longer holds, or takes more: available, held, sent and written-off units always add up to those received. Only uploaded license keys that were never paid for return.
CREATE TRIGGER allocation_changes_stock AFTER UPDATE OF quantity, sent, written_off ON stock_allocations
WHEN OLD.quantity + OLD.sent + OLD.written_off <> NEW.quantity + NEW.sent + NEW.written_off
BEGIN
  UPDATE products SET stock_quantity = stock_quantity
    + OLD.quantity + OLD.sent + OLD.written_off - NEW.quantity - NEW.sent - NEW.written_off
  WHERE id = NEW.product_id AND manage_stock AND (license ->> 'source' IS NOT 'uploaded'
    OR NEW.quantity + NEW.sent + NEW.written_off > OLD.quantity + OLD.sent + OLD.written_off
    OR EXISTS (
      SELECT 1 FROM order_items JOIN orders ON orders.id = order_id
      WHERE order_items.id = NEW.order_item_id AND order_items.license ->> 'source' = 'uploaded' AND paid_at IS NULL
    ));
END;

-- Prevents emptying a product's stock without paying: a buyer's unpaid orders can hold a share of it or a few units.
CREATE TRIGGER unpaid_order_no_excess_stock BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_much_unpaid')
  FROM unpaid_limits, products, (
    SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations
    WHERE product_id = NEW.product_id AND unpaid_by = NEW.unpaid_by
  )
  WHERE products.id = NEW.product_id AND held + NEW.quantity >
    max(units_held, (stock_quantity + held) * percent_held / 100) * iif(NEW.unpaid_by LIKE 'api_key:%', ${GUESTS_WITHOUT_EMAIL_FACTOR}, 1);
END;

-- Prevents emptying a product's stock under invented names: unpaid orders of guests in one network can hold a few times what one guest can.
CREATE TRIGGER unpaid_order_no_excess_of_network BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_from IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_much_unpaid')
  FROM unpaid_limits, products, (
    SELECT coalesce(sum(quantity), 0) AS held FROM stock_allocations
    WHERE product_id = NEW.product_id AND unpaid_from = NEW.unpaid_from
  )
  WHERE products.id = NEW.product_id AND held + NEW.quantity >
    max(units_held, (stock_quantity + held) * percent_held / 100) * ${GUESTS_PER_NETWORK_FACTOR};
END;

-- Prevents holding much stock with an unverified address: its unpaid orders can hold a few units in total.
CREATE TRIGGER unpaid_order_no_excess_unverified BEFORE INSERT ON stock_allocations WHEN NEW.unpaid_by LIKE 'user:%'
BEGIN
  SELECT RAISE(ABORT, 'too_much_unverified')
  FROM users, unpaid_limits
  WHERE users.id = CAST(substr(NEW.unpaid_by, 6) AS INTEGER) AND email_verified_at IS NULL
    AND NEW.quantity + (
      SELECT coalesce(sum(stock_allocations.quantity), 0)
      FROM orders JOIN order_items ON order_items.order_id = orders.id
        JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id
      WHERE orders.user_id = users.id AND orders.status IN ('pending', 'processing') AND stock_allocations.unpaid_by IS NOT NULL
    ) > units_unverified;
END;

-- Takes the units that a line holds or has sent from the stock. stock_not_negative refuses missing units.
CREATE TRIGGER allocation_takes_stock AFTER INSERT ON stock_allocations
BEGIN
  UPDATE products SET stock_quantity = stock_quantity - NEW.quantity - NEW.sent WHERE id = NEW.product_id AND manage_stock;
END;
