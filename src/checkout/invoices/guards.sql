-- Shows what an order costs after refunds, as its invoices list it. An order that came to nothing has no goods.
CREATE VIEW invoiced_amounts AS
SELECT id AS order_id, iif(ended, 0, total - refunded_total) AS total, iif(ended, 0, tax_total - refunded_tax) AS tax,
  iif(ended, 'null', json_object('items', (
      SELECT json_group_array(json_object('id', id, 'name', name, 'sku', sku, 'optionValues', json(option_values),
        'quantity', quantity, 'refundedQuantity', refunded_quantity, 'unitPrice', unit_price, 'total', total,
        'discount', discount, 'tax', tax, 'taxLines', json(tax_lines)) ORDER BY id)
      FROM order_items WHERE order_id = orders.id AND quantity > 0
    ), 'shippingName', shipping_method ->> 'name', 'shippingTotal', shipping_total, 'shippingDiscount', shipping_discount,
    'shippingTax', shipping_tax, 'taxTotal', tax_total, 'taxLines', json(tax_lines), 'total', total,
    'refundedTotal', refunded_total, 'refundedShipping', refunded_shipping, 'refundedTax', refunded_tax)) AS goods
FROM (SELECT *, status IN ('cancelled', 'expired') AS ended FROM orders) AS orders;

-- The next invoice of an order: its first, or the difference to those so far. It takes its number in the statement that inserts it.
CREATE VIEW next_invoices AS
SELECT reference, id, invoice_prefix || (id / 1000000000) || '-' || printf('%05d', id % 1000000000) AS number, order_id,
  CASE WHEN corrects IS NULL THEN 'invoice' WHEN total < 0 THEN 'credit_note' ELSE 'corrected_invoice' END AS type,
  issued_at, issued_on, currency, total, tax, seller, content, corrects
FROM (
  SELECT *, 1 + max(substr(issued_on, 1, 4) * 1000000000, last_id) AS id
  FROM (
    SELECT *, date(issued_at / 1000 + utc_offset * 60, 'unixepoch') AS issued_on
    FROM (
      SELECT reference, invoice_prefix, utc_offset, orders.id AS order_id, orders.currency,
        coalesce((SELECT max(id) FROM invoices), 0) AS last_id,
        max(orders.updated_at, coalesce((SELECT issued_at FROM invoices ORDER BY id DESC LIMIT 1), 0)) AS issued_at,
        amounts.total - coalesce((SELECT sum(total) FROM invoices WHERE order_id = orders.id), 0) AS total,
        amounts.tax - coalesce((SELECT sum(tax) FROM invoices WHERE order_id = orders.id), 0) AS tax,
        json_object('name', coalesce(shop.address ->> 'company', shop.name), 'address', json(shop.address), 'email', invoice_email,
          'vatId', vat_id, 'taxNumber', tax_number, 'registration', registration, 'iban', iban,
          'businessTerms', business_terms) AS seller,
        json_object('number', orders.number, 'language', coalesce(orders.language, shop.language), 'orderedOn', date(orders.created_at / 1000 + utc_offset * 60, 'unixepoch'),
          'deliveredOn', date(CASE fulfillment_status
            WHEN 'not_required' THEN paid_at ELSE (SELECT min(shipped_at) FROM shipments WHERE order_id = orders.id)
          END / 1000 + utc_offset * 60, 'unixepoch'), 'paidOn', date(paid_at / 1000 + utc_offset * 60, 'unixepoch'),
          'dueOn', date(expires_at / 1000 + utc_offset * 60, 'unixepoch'), 'paymentMethod', payment_method,
          'customerName', customer_name, 'customerEmail', customer_email, 'billingAddress', json(billing_address),
          'shippingAddress', json(shipping_address),
          'country', country, 'pricesIncludeTax', json(iif(orders.prices_include_tax, 'true', 'false')),
          'taxExemptReason', tax_exempt_reason, 'goods', json(amounts.goods)) AS content,
        (SELECT json_object('number', number, 'issuedOn', issued_on, 'goods', (
            SELECT json(content -> 'goods') FROM invoices WHERE order_id = orders.id ORDER BY id DESC LIMIT 1
          )) FROM invoices WHERE order_id = orders.id ORDER BY id LIMIT 1) AS corrects
      FROM orders JOIN invoiced_amounts AS amounts ON amounts.order_id = orders.id CROSS JOIN shop
      WHERE shop.address IS NOT NULL AND NOT sandbox
    )
  )
)
WHERE content -> 'goods' IS NOT coalesce(corrects -> 'goods', 'null');

-- Prevents a gap or a double in the numbers of a year, and a number with an earlier date than the one before it.
CREATE TRIGGER invoice_number_follows BEFORE INSERT ON invoices
BEGIN
  SELECT RAISE(ABORT, 'invoice_number_has_gap')
  WHERE NEW.id <> 1 + max(substr(NEW.issued_on, 1, 4) * 1000000000, coalesce((SELECT max(id) FROM invoices), 0))
    OR NEW.issued_at < (SELECT issued_at FROM invoices ORDER BY id DESC LIMIT 1);
END;

-- Prevents invoices of an order from adding up to anything but what the order costs after refunds.
CREATE TRIGGER invoices_add_up AFTER INSERT ON invoices
BEGIN
  SELECT RAISE(ABORT, 'invoices_do_not_add_up') FROM invoiced_amounts AS amounts
  WHERE amounts.order_id = NEW.order_id
    AND (amounts.total, amounts.tax) <> (SELECT sum(total), sum(tax) FROM invoices WHERE order_id = NEW.order_id);
END;

-- Prevents an invoice from changing once it was issued.
CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoices
BEGIN
  SELECT RAISE(ABORT, 'invoice_is_final');
END;

-- Prevents an invoice from being deleted, which would leave a gap in the numbers.
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices
BEGIN
  SELECT RAISE(ABORT, 'rows_stay');
END;
