-- Shows the words by which orders are found: the customer, both addresses without the country, and the last digits of a telephone number, which are the same in each spelling.
CREATE VIEW searched_orders AS
SELECT id, customer_name, customer_email, folded_words, (
  SELECT group_concat(iif(key = 'phone', value || ' ' || substr(${PHONE_DIGITS}, -9), ${FOLDED_VALUE}), ' ') FROM (
    SELECT key, value FROM json_each(shipping_address) UNION SELECT key, value FROM json_each(billing_address)
  ) WHERE key <> 'country'
) AS address_words
FROM orders;

-- Finds orders by any word of a customer or address. One entry stands for all orders of a customer to an address, which are read from orders_by_customer.
CREATE VIRTUAL TABLE orders_search USING fts5(
  customer_name, customer_email, folded_words, address_words, content = 'searched_orders', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- The number of the next order, which an order takes in the statement that inserts it. Numbers count up across prefixes.
CREATE VIEW next_order_number AS
SELECT coalesce(max(order_number_prefix), '#') AS prefix,
  max(coalesce(max(order_number_start), 1001), coalesce((SELECT max(sequence) FROM orders), 0) + 1) AS sequence
FROM shop;

-- Prevents a number or reference from changing once it was given.
CREATE TRIGGER order_number_is_final BEFORE UPDATE OF number, sequence, reference ON orders
BEGIN
  SELECT RAISE(ABORT, 'order_number_given');
END;

-- Dates an order by the outcome of a refund or payment, or a dispute, which only the history records.
CREATE TRIGGER order_history_dates_order AFTER INSERT ON order_history
WHEN NEW.kind IN ('payment_returned', 'refund_sent', 'refund_failed', 'dispute_opened', 'dispute_closed')
BEGIN
  UPDATE orders SET updated_at = max(NEW.at, updated_at + 1) WHERE id = NEW.order_id;
END;

-- Prevents an order from going on unpaid, unless it was placed by a method that the shop ships before payment.
CREATE TRIGGER order_no_unpaid_start BEFORE INSERT ON orders
WHEN NEW.paid_at IS NULL AND NEW.status IN ('processing', 'shipped', 'completed', 'refunded') AND NOT (
  NEW.status = 'processing' AND NEW.fulfillment_status = 'unfulfilled' AND NEW.payment_method IN (${LATER_METHODS})
  AND coalesce((SELECT methods ->> ('$.' || NEW.payment_method || '.ship_before_payment') FROM payment_settings), TRUE)
)
BEGIN
  SELECT RAISE(ABORT, 'order_not_paid');
END;

-- Prevents a change of status that order_moves does not list, that needs a payment, or that comes after downloads or shipments. Staff can still refund. An order that is paid later keeps its status when it is paid.
CREATE TRIGGER order_move_is_allowed BEFORE UPDATE OF status ON orders
BEGIN
  SELECT CASE
    WHEN NEW.status = 'shipped' AND EXISTS (
      SELECT 1 FROM order_items
      WHERE order_id = NEW.id AND requires_shipping AND shipped_quantity < quantity - refunded_quantity
    ) THEN RAISE(ABORT, 'order_has_unsent_units')
    WHEN NEW.status = 'cancelled' AND NEW.paid_at IS NOT NULL
      AND (OLD.status IN ('shipped', 'completed') OR OLD.fulfillment_status = 'partially_fulfilled')
    THEN RAISE(ABORT, 'order_partly_sent')
    WHEN NEW.status = 'cancelled' AND (
      EXISTS (SELECT 1 FROM packages WHERE order_id = NEW.id AND downloads_used > 0)
      OR EXISTS (SELECT 1 FROM license_keys WHERE order_id = NEW.id AND activations > 0)
    ) THEN RAISE(ABORT, 'downloads_used')
    WHEN NEW.paid_at IS NULL AND (
      NEW.status = 'refunded' OR OLD.status IN ('pending', 'expired') AND NEW.status IN ('processing', 'completed')
    ) THEN RAISE(ABORT, 'order_not_paid')
    WHEN NOT EXISTS (SELECT 1 FROM order_moves WHERE "from" = OLD.status AND "to" = NEW.status)
      AND NOT (OLD.status IN ('processing', 'shipped', 'completed') AND NEW.status = OLD.status
        AND OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL)
    THEN RAISE(ABORT, 'order_move_not_allowed')
  END;
END;

-- Prevents keeping two payments for one order: the second is refused and returned.
CREATE TRIGGER order_no_second_payment BEFORE UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'order_paid_already');
END;

-- Writes a change of status to the history. A payment that changes the status is recorded as one row.
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.updated_at, iif(pays, 'payment', 'status'), OLD.status, NEW.status, iif(pays, NEW.total, NULL),
    NEW.updated_by, NEW.note
  FROM (SELECT OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 AS pays);
END;

-- Writes a refund to the history, even if it costs nothing or leaves the status unchanged.
CREATE TRIGGER order_refund_recorded AFTER UPDATE OF refunded_total ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, shipping, tax, actor, note)
  VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total,
    NEW.refunded_shipping - OLD.refunded_shipping, NEW.refunded_tax - OLD.refunded_tax, NEW.updated_by, NEW.note);
END;

-- Moves the stock of an order with its status: paid stock no longer counts as unpaid, a cancelled or expired order releases its own, an expired order that is paid takes it again or is refused, and goods that are shipped or handed over are sent.
CREATE TRIGGER order_move_changes_stock AFTER UPDATE OF status ON orders
BEGIN
  UPDATE stock_allocations SET unpaid_by = NULL, unpaid_from = NULL
  WHERE OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND OLD.expires_at IS NOT NULL
    AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
  UPDATE stock_allocations SET quantity = 0, unpaid_by = NULL, unpaid_from = NULL
  WHERE NEW.status IN ('cancelled', 'expired') AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
  INSERT INTO stock_allocations (order_item_id, product_id, quantity)
  SELECT order_items.id, product_id, order_items.quantity
  FROM order_items JOIN products ON products.id = product_id AND manage_stock
  WHERE OLD.status = 'expired' AND NEW.status IN ('processing', 'completed') AND order_id = NEW.id AND NOT NEW.sandbox
  ON CONFLICT (order_item_id) DO UPDATE SET quantity = excluded.quantity;
  UPDATE stock_allocations SET sent = sent + quantity, quantity = 0
  WHERE (NEW.status = 'shipped' OR NEW.status = 'completed' AND OLD.status IN ('pending', 'processing', 'expired'))
    AND quantity > 0 AND order_item_id IN (SELECT id FROM order_items WHERE order_id = NEW.id);
END;

-- Closes the payment page of an order that was cancelled or paid manually, or whose edit opened another page. The page of an expired order expires by itself.
CREATE TRIGGER order_closes_payment AFTER UPDATE OF payment_url ON orders
WHEN OLD.payment_url IS NOT NULL AND NEW.payment_url IS NOT OLD.payment_url
  AND (NEW.status IN ('pending', 'cancelled') OR NEW.paid_at IS NOT NULL AND NEW.payment_reference IS NULL)
BEGIN
  INSERT INTO payments_to_close (provider, reference, created_at)
  VALUES (OLD.payment_provider, OLD.payment_reference, NEW.updated_at);
END;

-- Dates a change whose statement did not, for readers by updated_at.
CREATE TRIGGER order_change_is_dated AFTER UPDATE ON orders WHEN NEW.updated_at = OLD.updated_at
BEGIN
  UPDATE orders SET updated_at = updated_at + 1 WHERE id = NEW.id;
END;

-- Adds a new customer or address to the search. Further orders of the customer to the address are already in the index.
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders
WHEN coalesce(NEW.customer_email, NEW.customer_name, NEW.shipping_address, NEW.billing_address) IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM orders WHERE (${SEARCH_KEY}) IS (${NEW_SEARCH_KEY}) AND id < NEW.id
)
BEGIN
  INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words) SELECT * FROM searched_orders WHERE id = NEW.id;
END;

-- Removes the entries of a customer and address that an order leaves or comes to, before the change.
CREATE TRIGGER order_leaves_search BEFORE UPDATE OF customer_name, customer_email, shipping_address, billing_address ON orders
WHEN (${OLD_SEARCH_KEY}) IS NOT (${NEW_SEARCH_KEY})
BEGIN
  INSERT INTO orders_search (orders_search, rowid, customer_name, customer_email, folded_words, address_words)
  SELECT 'delete', * FROM searched_orders WHERE id IN (${SEARCH_ENTRIES});
END;

-- Adds the entries of a customer and address that an order leaves or comes to, after the change. The oldest order left is the entry.
CREATE TRIGGER order_enters_search AFTER UPDATE OF customer_name, customer_email, shipping_address, billing_address ON orders
WHEN (${OLD_SEARCH_KEY}) IS NOT (${NEW_SEARCH_KEY})
BEGIN
  INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words)
  SELECT * FROM searched_orders WHERE id IN (${SEARCH_ENTRIES});
END;

-- Prevents changing a customer's name and address other than by erasure.
CREATE TRIGGER order_no_other_customer BEFORE UPDATE OF customer_name, customer_email ON orders
WHEN NEW.customer_name IS NOT NULL AND NEW.customer_name IS NOT OLD.customer_name
  OR NEW.customer_email IS NOT NULL AND NEW.customer_email IS NOT OLD.customer_email
BEGIN
  SELECT RAISE(ABORT, 'order_customer_is_final');
END;

-- Prevents duplicate orders from a double click or a lost response. Ordering again on purpose requires an Idempotency-Key.
CREATE TRIGGER order_no_resend BEFORE INSERT ON orders WHEN NOT NEW.keyed
BEGIN
  SELECT RAISE(ABORT, 'order_resent') FROM orders
  WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name
    AND shipping_address ->> 'address' IS NEW.shipping_address ->> 'address' AND fingerprint = NEW.fingerprint AND created_at > NEW.created_at - ${RESEND_WINDOW_MS}
    AND status NOT IN (${ENDED_STATUSES}) AND payment_status <> 'failed';
END;

-- Counts an order that is paid at once for its customer, and writes the first row of its history and its payment.
CREATE TRIGGER order_begins AFTER INSERT ON orders
BEGIN
  UPDATE users SET order_count = order_count + 1, spent = spent + NEW.total - NEW.refunded_total
  WHERE NEW.paid_at IS NOT NULL AND id = NEW.user_id;
  INSERT INTO order_history (order_id, at, kind, "from", "to", actor, note)
  VALUES (NEW.id, NEW.created_at, 'status', NULL, iif(NEW.paid_at IS NULL, NEW.status, 'pending'), NEW.updated_by, NEW.note);
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.paid_at, iif(NEW.total > 0, 'payment', 'status'), 'pending', NEW.status, nullif(NEW.total, 0),
    NEW.updated_by, NEW.note
  WHERE NEW.paid_at IS NOT NULL;
END;

-- Adds a payment, refund, cancellation or change of an order to the customer's figures.
CREATE TRIGGER order_change_counts_for_customer AFTER UPDATE OF paid_at, status, total, refunded_total ON orders
WHEN NEW.user_id IS NOT NULL AND (
  iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), -1, NEW.total - NEW.refunded_total)
    <> iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), -1, OLD.total - OLD.refunded_total))
BEGIN
  UPDATE users SET
    order_count = order_count + (NEW.paid_at IS NOT NULL AND NEW.status NOT IN ('cancelled', 'expired'))
      - (OLD.paid_at IS NOT NULL AND OLD.status NOT IN ('cancelled', 'expired')),
    spent = spent + iif(NEW.paid_at IS NULL OR NEW.status IN ('cancelled', 'expired'), 0, NEW.total - NEW.refunded_total)
      - iif(OLD.paid_at IS NULL OR OLD.status IN ('cancelled', 'expired'), 0, OLD.total - OLD.refunded_total)
  WHERE id = NEW.user_id;
END;

-- Prevents an order by card of a renewing product from being paid without its provider, by hand or by an edit to nothing, which would give its first period away without a subscription.
CREATE TRIGGER renewing_order_is_paid_by_provider BEFORE UPDATE OF paid_at ON orders
WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.payment_provider IS NULL AND NEW.payment_method IN (${RENEWING_METHODS})
BEGIN
  SELECT RAISE(ABORT, 'renewal_not_possible')
  FROM order_items JOIN products ON products.id = product_id WHERE order_id = NEW.id AND quantity > 0 AND renews IS NOT NULL;
END;

-- Grants the packages, license keys and gift cards of an order that is paid later, and charges it. A renewing product grants one period, which its subscription corrects, unless the order was placed to be paid once.
CREATE TRIGGER order_is_paid_later AFTER UPDATE OF paid_at ON orders WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL
BEGIN
  INSERT INTO packages (user_id, order_id, order_item_id, units, name, download_limit, starts_at, expires_at)
  SELECT NEW.user_id, NEW.id, order_items.id, quantity, substr(${ITEM_NAME}, 1, 200), download_limit * quantity, NEW.paid_at,
    iif(renews IS NULL OR NEW.payment_provider IS NOT 'stripe', NEW.paid_at + download_days * 86400000, unixepoch(NEW.paid_at / 1000, 'unixepoch', '+1 ' || renews) * 1000)
  FROM order_items JOIN products ON products.id = product_id
  WHERE order_id = NEW.id AND quantity > 0 AND NOT NEW.sandbox
    AND EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = products.id);
  INSERT INTO license_key_issues (order_item_id, units, issued_at)
  SELECT id, quantity, NEW.paid_at FROM order_items WHERE order_id = NEW.id AND license IS NOT NULL AND quantity > 0;
  INSERT INTO gift_card_issues (order_item_id, units)
  SELECT id, quantity FROM order_items WHERE order_id = NEW.id AND type = 'gift_card' AND quantity > 0;
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  SELECT NEW.user_id, NEW.api_key_id, NEW.id, 'charge', NEW.payment_method, -NEW.total, CASE NEW.payment_method
    WHEN 'wallet' THEN (SELECT wallet_balance FROM users WHERE id = NEW.user_id) - NEW.total
  END, NEW.note, NEW.paid_at
  WHERE NEW.total > 0;
END;

-- Prevents holding stock without paying: buyers have a limit of unpaid orders; guests of a key without an address share a tenfold limit.
CREATE TRIGGER order_no_excess_pending BEFORE INSERT ON orders WHEN NEW.expires_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too_many_pending') FROM unpaid_limits WHERE orders_waiting <= CASE
    WHEN NEW.user_id IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE user_id = NEW.user_id
        AND status IN ('pending', 'processing') AND expires_at IS NOT NULL)
    WHEN NEW.customer_email IS NOT NULL
      THEN (SELECT count(*) FROM orders WHERE user_id IS NULL AND customer_email = NEW.customer_email
        AND sandbox = NEW.sandbox AND status IN ('pending', 'processing') AND expires_at IS NOT NULL)
    ELSE (SELECT count(*) / ${GUESTS_WITHOUT_EMAIL_FACTOR} FROM orders WHERE user_id IS NULL AND customer_email IS NULL AND api_key_id = NEW.api_key_id
      AND status IN ('pending', 'processing') AND expires_at IS NOT NULL)
  END;
END;

-- Allowed moves of an order's status.
INSERT INTO order_moves ("from", "to") VALUES ${ORDER_MOVES};

-- Limits of unpaid orders until the first one stores the settings of wrangler.toml.
INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held) VALUES (1, 10, 5, 10);

-- Prevents deleted words from staying in the index's segments.
INSERT INTO orders_search (orders_search, rank) VALUES ('secure-delete', 1);

-- Rebuilds the search index with the first order of each customer to each address.
INSERT INTO orders_search (rowid, customer_name, customer_email, folded_words, address_words)
SELECT * FROM searched_orders WHERE id IN (
  SELECT min(id) FROM orders WHERE coalesce(customer_email, customer_name, shipping_address, billing_address) IS NOT NULL GROUP BY ${SEARCH_KEY}
);

-- Prevents an id from being reused: without AUTOINCREMENT, a deleted last row would pass its id on.
-- Each: orders, order_history
CREATE TRIGGER ${EACH}_no_delete BEFORE DELETE ON ${EACH}
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;

-- Prevents an order from leaving the sandbox, and a real one from hiding there.
CREATE TRIGGER order_sandbox_is_final BEFORE UPDATE OF sandbox ON orders WHEN NEW.sandbox <> OLD.sandbox
BEGIN
  SELECT RAISE(ABORT, 'order_leaves_sandbox');
END;

-- Prevents an order without tax for a VAT ID that was not found valid, or that is not the one in the billed address.
CREATE TRIGGER order_exemption_has_valid_vat_id BEFORE INSERT ON orders
WHEN NEW.tax_lines LIKE '%"reverse_charge"%' OR NEW.tax_lines LIKE '%"intra_community_supply"%'
BEGIN
  SELECT RAISE(ABORT, 'vat_id_not_valid') WHERE NEW.vat_check ->> 'status' IS NOT 'valid'
    OR NEW.vat_check ->> 'vatId' IS NOT coalesce(NEW.billing_address, NEW.shipping_address) ->> 'vat_id';
END;

-- Prevents another VAT ID in the billed address of an order without tax. An erasure removes the addresses.
CREATE TRIGGER order_exemption_keeps_vat_id BEFORE UPDATE OF tax_lines, vat_check, billing_address, shipping_address ON orders
WHEN (NEW.tax_lines LIKE '%"reverse_charge"%' OR NEW.tax_lines LIKE '%"intra_community_supply"%')
  AND coalesce(NEW.billing_address, NEW.shipping_address) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'vat_id_not_valid') WHERE NEW.vat_check ->> 'status' IS NOT 'valid'
    OR NEW.vat_check ->> 'vatId' IS NOT coalesce(NEW.billing_address, NEW.shipping_address) ->> 'vat_id';
END;

-- Lists an order by its changed tags.
CREATE TRIGGER order_tags_follow AFTER UPDATE OF tags ON orders WHEN OLD.tags <> NEW.tags
BEGIN
  DELETE FROM order_tags WHERE order_id = NEW.id;
  INSERT INTO order_tags (tag_id, order_id)
  SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value;
END;
