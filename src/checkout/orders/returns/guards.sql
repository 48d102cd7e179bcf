-- Shows the units of each line that open returns hold.
CREATE VIEW units_in_returns AS
SELECT order_item_id, return_lines.quantity FROM return_lines JOIN returns ON returns.id = return_id
WHERE status NOT IN ('settled', 'declined');

-- Shows the lines of which a download or license key is used.
CREATE VIEW used_downloads AS
SELECT order_item_id FROM packages WHERE downloads_used > 0
UNION ALL SELECT order_item_id FROM license_keys WHERE activations > 0;

-- Prevents returning lines of another order or an ended one, and more units than were delivered and neither refunded nor are in another open return. A withdrawal may come before the delivery. Buyers return no exempt lines.
CREATE TRIGGER return_line_no_excess BEFORE INSERT ON return_lines
WHEN NOT EXISTS (
  SELECT 1 FROM returns JOIN orders ON orders.id = returns.order_id JOIN order_items ON order_items.order_id = orders.id
  WHERE returns.id = NEW.return_id AND order_items.id = NEW.order_item_id AND orders.status NOT IN ('cancelled', 'expired')
    AND (requested_by = 'staff' OR order_items.withdrawal NOT IN (${EXEMPT_RULES}) AND NOT (
      download_consent AND EXISTS (SELECT 1 FROM used_downloads WHERE order_item_id = NEW.order_item_id)))
    AND NEW.quantity + coalesce((SELECT sum(quantity) FROM units_in_returns WHERE order_item_id = NEW.order_item_id), 0)
      <= min(order_items.quantity - refunded_quantity, CASE
        WHEN requested_by = 'withdrawal' OR orders.status = 'completed' THEN order_items.quantity
        WHEN requires_shipping THEN shipped_quantity
        ELSE iif(paid_at IS NULL, 0, order_items.quantity)
      END)
)
BEGIN
  SELECT RAISE(ABORT, 'return_exceeds_order');
END;

-- Prevents refunding or removing units that an open return holds. The return is settled first.
CREATE TRIGGER order_item_keeps_returning_units BEFORE UPDATE OF quantity, refunded_quantity ON order_items
WHEN NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity
  AND NEW.quantity - NEW.refunded_quantity < (SELECT sum(quantity) FROM units_in_returns WHERE order_item_id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'units_in_return');
END;

-- Prevents requesting returns of an order again and again. Each kind of requester has its own limit, because strangers can declare withdrawals.
CREATE TRIGGER return_no_excess BEFORE INSERT ON returns
WHEN (SELECT count(*) FROM returns WHERE order_id = NEW.order_id AND requested_by = NEW.requested_by) >= ${RETURNS_PER_ORDER}
BEGIN
  SELECT RAISE(ABORT, 'too_many_returns');
END;

-- Prevents a return from going back to an earlier status, and from changing once it is settled or declined.
CREATE TRIGGER return_move_is_allowed BEFORE UPDATE OF status ON returns
WHEN NEW.status <> OLD.status AND (OLD.status IN ('settled', 'declined') OR NEW.status = 'requested'
  OR NEW.status = 'approved' AND OLD.status <> 'requested' OR NEW.status = 'in_transit' AND OLD.status = 'received')
BEGIN
  SELECT RAISE(ABORT, 'return_move_not_allowed');
END;

-- Prevents changing the units of a return afterwards.
CREATE TRIGGER return_lines_no_update BEFORE UPDATE OF return_id, order_item_id, quantity ON return_lines
BEGIN
  SELECT RAISE(ABORT, 'return_lines_are_final');
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
CREATE TRIGGER returns_no_delete BEFORE DELETE ON returns
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;

-- Prevents deleting units of a return.
CREATE TRIGGER return_lines_no_delete BEFORE DELETE ON return_lines
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;

-- Settles the open returns of an order that ends unpaid. Those of a refunded order are settled by its refund.
CREATE TRIGGER order_end_settles_returns AFTER UPDATE OF status ON orders WHEN NEW.status IN ('cancelled', 'expired')
BEGIN
  UPDATE returns SET status = 'settled', updated_at = max(NEW.updated_at, updated_at + 1)
  WHERE order_id = NEW.id AND status NOT IN ('settled', 'declined');
END;

-- Links a refund with the returns that it settles.
CREATE TRIGGER refund_settles_returns AFTER INSERT ON order_history WHEN NEW.kind = 'refund'
BEGIN
  UPDATE returns SET refund_id = NEW.id WHERE order_id = NEW.order_id AND status = 'settled' AND refund_id IS NULL;
END;
