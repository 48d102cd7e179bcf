-- Prevents shipping an order that is unpaid, shipped, completed, cancelled or refunded.
CREATE TRIGGER shipment_no_closed_order BEFORE INSERT ON shipments
WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND status = 'processing')
BEGIN
  SELECT RAISE(ABORT, 'shipment_order_closed');
END;

-- Prevents shipping more units of a line than are unsent, lines that need no shipping, and lines of another order.
CREATE TRIGGER shipment_line_no_excess BEFORE INSERT ON shipment_lines
WHEN NOT EXISTS (
  SELECT 1 FROM order_items JOIN shipments ON shipments.order_id = order_items.order_id
  WHERE order_items.id = NEW.order_item_id AND shipments.id = NEW.shipment_id AND requires_shipping
    AND shipped_quantity + NEW.quantity <= quantity - refunded_quantity
)
BEGIN
  SELECT RAISE(ABORT, 'shipment_exceeds_order');
END;

-- Counts shipped units as sent, in their line and in its stock.
CREATE TRIGGER shipment_line_is_sent AFTER INSERT ON shipment_lines
BEGIN
  UPDATE order_items SET shipped_quantity = shipped_quantity + NEW.quantity WHERE id = NEW.order_item_id;
  UPDATE stock_allocations SET quantity = quantity - min(quantity, NEW.quantity), sent = sent + min(quantity, NEW.quantity)
  WHERE order_item_id = NEW.order_item_id;
END;

-- Prevents changing the contents of a parcel afterwards.
CREATE TRIGGER shipment_lines_no_update BEFORE UPDATE ON shipment_lines
BEGIN
  SELECT RAISE(ABORT, 'shipment_lines_are_final');
END;

-- Prevents deleting a parcel, except those of an erased account.
CREATE TRIGGER shipments_no_delete BEFORE DELETE ON shipments
WHEN NOT EXISTS (
  SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE orders.id = OLD.order_id AND erased_at IS NOT NULL
)
BEGIN
  SELECT RAISE(ABORT, 'shipments_stay');
END;
