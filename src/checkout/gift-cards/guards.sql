-- Shows gift cards whose balance differs from their value less their redemptions. Always empty.
CREATE VIEW gift_card_mismatches AS
SELECT gift_cards.id AS gift_card_id, value, balance, coalesce(sum(amount), 0) AS redeemed
FROM gift_cards LEFT JOIN transactions ON transactions.gift_card_id = gift_cards.id
GROUP BY gift_cards.id HAVING balance <> value - coalesce(sum(amount), 0);

-- Issues gift cards for units of an order line. The view has no rows; inserting a line and its units runs its trigger.
CREATE VIEW gift_card_issues (order_item_id, units) AS SELECT 0, 0 WHERE FALSE;

-- Issues a gift card for each unit, worth the price of the unit. The customer spends the money with the orders that the card pays, so it does not count as spent here.
CREATE TRIGGER gift_cards_are_issued INSTEAD OF INSERT ON gift_card_issues
BEGIN
  UPDATE users SET spent = spent - NEW.units * bought.unit_price
  FROM (SELECT user_id, unit_price FROM order_items JOIN orders ON orders.id = order_id WHERE order_items.id = NEW.order_item_id) AS bought
  WHERE users.id = bought.user_id;
  INSERT INTO gift_cards (nonce, value, balance, order_id, order_item_id, test, created_at, updated_at)
  SELECT hex(randomblob(6)), unit_price, unit_price, orders.id, order_items.id, sandbox, orders.updated_at, orders.updated_at
  FROM order_items JOIN orders ON orders.id = order_id
    CROSS JOIN json_each('[' || substr(replace(hex(zeroblob(NEW.units)), '00', ',0'), 2) || ']')
  WHERE order_items.id = NEW.order_item_id;
END;

-- Prevents selling a gift card for another amount than its value: by a price of staff, a discount or a tax.
CREATE TRIGGER gift_card_is_sold_at_its_value BEFORE INSERT ON order_items
WHEN NEW.type = 'gift_card'
  AND (NEW.unit_price <= 0 OR NEW.list_price IS NOT NULL OR NEW.discount <> 0 OR NEW.tax <> 0 OR NEW.requires_shipping)
BEGIN
  SELECT RAISE(ABORT, 'gift_card_price_is_its_value');
END;

-- Prevents an edit from changing what was paid for a gift card.
CREATE TRIGGER gift_card_keeps_its_price BEFORE UPDATE OF type, unit_price, discount, tax ON order_items
WHEN OLD.type = 'gift_card'
  AND (NEW.type, NEW.unit_price, NEW.discount, NEW.tax) IS NOT (OLD.type, OLD.unit_price, OLD.discount, OLD.tax)
BEGIN
  SELECT RAISE(ABORT, 'gift_card_price_is_its_value');
END;

-- Prevents a gift card in the catalogue that costs nothing, is shipped, renews or also unlocks software.
CREATE TRIGGER gift_card_product_insert BEFORE INSERT ON products
WHEN NEW.type = 'gift_card' AND (NEW.price <= 0 AND NEW.options = '[]' OR NEW.requires_shipping OR NEW.license IS NOT NULL OR NEW.renews IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'gift_card_is_only_its_value');
END;

-- Prevents turning a product into a gift card that costs nothing, is shipped, renews or also unlocks software.
CREATE TRIGGER gift_card_product_update BEFORE UPDATE OF type, price, options, requires_shipping, license, renews ON products
WHEN NEW.type = 'gift_card' AND (NEW.price <= 0 AND NEW.options = '[]' OR NEW.requires_shipping OR NEW.license IS NOT NULL OR NEW.renews IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'gift_card_is_only_its_value');
END;

-- Issues the gift cards of a line of an order that is paid immediately.
CREATE TRIGGER order_item_issues_gift_cards AFTER INSERT ON order_items WHEN NEW.type = 'gift_card'
BEGIN
  INSERT INTO gift_card_issues (order_item_id, units)
  SELECT NEW.id, NEW.quantity FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL;
END;

-- Issues gift cards for units that an edit adds to a paid order.
CREATE TRIGGER order_edit_issues_gift_cards AFTER UPDATE OF quantity ON order_items
WHEN NEW.type = 'gift_card' AND NEW.quantity > OLD.quantity
BEGIN
  INSERT INTO gift_card_issues (order_item_id, units)
  SELECT NEW.id, NEW.quantity - OLD.quantity FROM orders WHERE id = NEW.order_id AND paid_at IS NOT NULL;
END;

-- Ends the gift cards of refunded or removed units, disabled ones first. Refuses units whose cards were redeemed, even in part.
CREATE TRIGGER gift_cards_end_with_units AFTER UPDATE OF quantity, refunded_quantity ON order_items
WHEN NEW.type = 'gift_card' AND NEW.quantity - NEW.refunded_quantity < OLD.quantity - OLD.refunded_quantity
BEGIN
  SELECT RAISE(ABORT, 'gift_card_in_use') WHERE NEW.quantity - NEW.refunded_quantity < (
    SELECT count(*) FROM gift_cards WHERE order_item_id = NEW.id AND balance < value);
  UPDATE gift_cards SET ended_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = updated_at + 1
  WHERE order_item_id = NEW.id AND ended_at IS NULL AND id NOT IN (
    SELECT id FROM gift_cards AS kept WHERE order_item_id = NEW.id
    ORDER BY balance = value, ended_at IS NOT NULL, id LIMIT NEW.quantity - NEW.refunded_quantity
  );
END;

-- Counts the balance of a gift card that ends as spent by its buyer, from which its refund is subtracted.
CREATE TRIGGER gift_card_end_counts_for_customer AFTER UPDATE OF ended_at ON gift_cards WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  UPDATE users SET spent = spent + NEW.balance WHERE id = (SELECT user_id FROM orders WHERE id = NEW.order_id);
END;

-- Prevents refunding money that a gift card still holds or that was redeemed. The balance of an ended card can be refunded.
CREATE TRIGGER refund_leaves_gift_cards BEFORE UPDATE OF refunded_total ON orders WHEN NEW.refunded_total > OLD.refunded_total
BEGIN
  SELECT RAISE(ABORT, 'gift_card_in_use') WHERE NEW.refunded_total > NEW.total - (
    SELECT coalesce(sum(iif(ended_at IS NULL, value, value - balance)), 0) FROM gift_cards WHERE order_id = NEW.id);
END;

-- Takes a redemption from the balance of its gift card. Refuses cards that ended or are of a test order, and rows that credit no wallet.
CREATE TRIGGER transaction_redeems_gift_card AFTER INSERT ON transactions WHEN NEW.gift_card_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'gift_card_ended')
  WHERE NOT EXISTS (SELECT 1 FROM gift_cards WHERE id = NEW.gift_card_id AND ended_at IS NULL AND balance > 0 AND NOT test);
  SELECT RAISE(ABORT, 'gift_card_ledger_mismatch')
  WHERE (NEW.kind, NEW.method) <> ('credit', 'wallet') OR NEW.amount <= 0 OR NEW.currency IS NOT NULL;
  UPDATE gift_cards SET balance = balance - NEW.amount, updated_at = max(updated_at + 1, NEW.created_at) WHERE id = NEW.gift_card_id;
END;

-- Prevents a new gift card whose balance is not its value.
CREATE TRIGGER gift_card_begins_full BEFORE INSERT ON gift_cards WHEN NEW.balance <> NEW.value
BEGIN
  SELECT RAISE(ABORT, 'gift_card_ledger_mismatch');
END;

-- Prevents a balance that the ledger's latest row does not explain, another value, and the return of a card that has ended.
CREATE TRIGGER gift_card_no_change_without_ledger BEFORE UPDATE ON gift_cards
WHEN (NEW.nonce, NEW.value, NEW.order_id, NEW.order_item_id, NEW.test)
    IS NOT (OLD.nonce, OLD.value, OLD.order_id, OLD.order_item_id, OLD.test)
  OR OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
  OR NEW.balance <> OLD.balance
    AND (NEW.id, OLD.balance - NEW.balance) IS NOT (SELECT gift_card_id, amount FROM transactions ORDER BY id DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'gift_card_ledger_mismatch');
END;

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
CREATE TRIGGER gift_cards_no_delete BEFORE DELETE ON gift_cards
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
