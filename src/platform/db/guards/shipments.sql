-- Prevents sending an order that is not paid, and one that was sent, completed, cancelled or refunded.
CREATE TRIGGER shipment_no_closed_order BEFORE INSERT ON shipments
WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND status = 'processing')
BEGIN
  SELECT RAISE(ABORT, 'shipment_order_closed');
END;

-- Prevents sending more units of a line than wait, what is not sent at all, and lines of another order.
CREATE TRIGGER shipment_line_no_excess BEFORE INSERT ON shipment_lines
WHEN NOT EXISTS (
  SELECT 1 FROM order_items JOIN shipments ON shipments.order_id = order_items.order_id
  WHERE order_items.id = NEW.order_item_id AND shipments.id = NEW.shipment_id AND requires_shipping
    AND shipped_quantity + NEW.quantity <= quantity - refunded_quantity
)
BEGIN
  SELECT RAISE(ABORT, 'shipment_exceeds_order');
END;

-- Prevents units that were sent from waiting still, or from counting as held in stock.
CREATE TRIGGER shipment_line_is_sent AFTER INSERT ON shipment_lines
BEGIN
  UPDATE order_items SET shipped_quantity = shipped_quantity + NEW.quantity WHERE id = NEW.order_item_id;
  UPDATE stock_allocations SET quantity = quantity - min(quantity, NEW.quantity), sent = sent + min(quantity, NEW.quantity)
  WHERE order_item_id = NEW.order_item_id;
END;

-- Prevents telling otherwise afterwards what a parcel held.
CREATE TRIGGER shipment_lines_no_update BEFORE UPDATE ON shipment_lines
BEGIN
  SELECT RAISE(ABORT, 'shipment_lines_are_final');
END;

-- Prevents forgetting a parcel, but for one of an erased account.
CREATE TRIGGER shipments_no_delete BEFORE DELETE ON shipments
WHEN NOT EXISTS (
  SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE orders.id = OLD.order_id AND erased_at IS NOT NULL
)
BEGIN
  SELECT RAISE(ABORT, 'shipments_stay');
END;
