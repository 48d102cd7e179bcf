import { endedStatuses } from "../../src/checkout/orders/ended-statuses.ts";
import { laterMethods } from "../../src/domain/payment-methods.ts";
import { sqlList } from "../../src/platform/db/sql-list.ts";

/** Rules that hold at any time, each as a query for rows that break it. */
export const rulesOfMoneyAndStock: Record<string, string> = {
  "every balance is the sum of its ledger": "SELECT * FROM ledger_mismatches",
  "every gift card holds what was not redeemed": "SELECT * FROM gift_card_mismatches",

  "invoices of an order add up to what it costs after refunds, which is its ledger once it is paid": `
    SELECT orders.id, orders.status, amounts.total, amounts.tax, invoiced.total AS invoiced, invoiced.tax AS invoiced_tax, ledger
    FROM (SELECT order_id, sum(total) AS total, sum(tax) AS tax FROM invoices GROUP BY order_id) AS invoiced
    JOIN invoiced_amounts AS amounts ON amounts.order_id = invoiced.order_id JOIN orders ON orders.id = invoiced.order_id
    LEFT JOIN (SELECT order_id, -sum(amount) AS ledger FROM transactions GROUP BY order_id) AS moved ON moved.order_id = orders.id
    WHERE (amounts.total, amounts.tax) <> (invoiced.total, invoiced.tax)
      OR paid_at IS NOT NULL AND orders.total > 0 AND ledger IS NOT invoiced.total`,

  "numbers of invoices have no gap": `
    SELECT id / 1000000000 AS year, count(*) AS issued, max(id) % 1000000000 AS last FROM invoices
    GROUP BY year HAVING issued <> last`,

  "an order that waits or is to be sent holds the stock of its lines, one that was sent took it, one that ended has none": `
    SELECT orders.id, orders.status, order_items.quantity, allocated.quantity AS held, allocated.sent
    FROM orders JOIN order_items ON order_items.order_id = orders.id
    JOIN products ON products.id = order_items.product_id AND manage_stock
    LEFT JOIN stock_allocations AS allocated ON allocated.order_item_id = order_items.id
    WHERE (allocated.order_item_id IS NOT NULL OR orders.status IN ('pending', 'processing')) AND (
      allocated.quantity IS NOT
        CASE WHEN orders.status IN ('pending', 'processing')
          THEN max(0, order_items.quantity - refunded_quantity - shipped_quantity) ELSE 0 END
      OR orders.status <> 'processing' AND allocated.sent IS NOT
        CASE WHEN orders.status IN ('shipped', 'completed') THEN order_items.quantity - refunded_quantity ELSE 0 END
      -- A stock that is managed since a part was sent does not know of that part.
      OR orders.status = 'processing'
        AND allocated.sent NOT IN (0, min(shipped_quantity, order_items.quantity - refunded_quantity))
      OR coalesce(allocated.unpaid_by, allocated.unpaid_from) IS NOT NULL AND (paid_at IS NOT NULL OR orders.status IN ('cancelled', 'expired')))`,

  "an order goes on unpaid only by a method that may be paid later, and none is refunded without a payment": `
    SELECT id, status, payment_method, payment_status FROM orders WHERE paid_at IS NULL AND (
      status = 'refunded' OR payment_status NOT IN ('unpaid', 'requires_action', 'failed') OR refunded_total > 0
      OR status IN ('processing', 'shipped', 'completed') AND payment_method NOT IN (${sqlList(laterMethods)}))`,

  "a paid line that grants files has one package, of its units that were not refunded, which ends with the last of them, or with its erased account": `
    SELECT order_items.id, orders.status, quantity, refunded_quantity, units, revoked_at FROM orders
    JOIN order_items ON order_items.order_id = orders.id
    LEFT JOIN packages ON packages.order_item_id = order_items.id
    WHERE EXISTS (SELECT 1 FROM product_files WHERE product_files.product_id = order_items.product_id)
      AND (order_items.quantity > 0 OR units IS NOT NULL) AND (units IS NOT iif(paid_at IS NULL, NULL, quantity - refunded_quantity)
        OR units = 0 AND revoked_at IS NULL
        OR units > 0 AND revoked_at IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM audit_log WHERE subject = 'package' AND subject_id = packages.id AND action = 'package.revoke'
        ) AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = packages.user_id AND erased_at IS NOT NULL))`,

  "a file of a package stands as its package does": `
    SELECT package_id, file_id FROM package_files JOIN package_standings ON package_standings.id = package_id
    WHERE (package_files.user_id, package_files.standing, package_files.expires_at)
      IS NOT (package_standings.user_id, package_standings.standing, package_standings.expires_at)`,

  "what was sent of a line is what its parcels hold": `
    SELECT order_items.id, shipped_quantity, sent FROM order_items JOIN orders ON orders.id = order_id LEFT JOIN (
      SELECT order_item_id, sum(quantity) AS sent FROM shipment_lines GROUP BY order_item_id
    ) ON order_item_id = order_items.id
    WHERE shipped_quantity <> coalesce(sent, 0) AND NOT EXISTS (
      SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NOT NULL
    )`,

  "an order is partly sent while a part waits and is sent when none does": `
    SELECT id, status, fulfillment_status, units_sent, units_left FROM (
      SELECT orders.id, status, fulfillment_status, sum(requires_shipping * shipped_quantity) AS units_sent,
        sum(requires_shipping * max(0, quantity - refunded_quantity - shipped_quantity)) AS units_left
      FROM orders JOIN order_items ON order_id = orders.id GROUP BY orders.id
    )
    WHERE status = 'processing' AND (fulfillment_status = 'partially_fulfilled') <> (units_sent > 0)
      OR status = 'processing' AND units_sent > 0 AND units_left = 0 OR status = 'shipped' AND units_left > 0`,

  "the transactions of an order add up to what it keeps": `
    SELECT orders.id, total, refunded_total, paid_at, coalesce(sum(amount), 0) AS moved
    FROM orders LEFT JOIN transactions ON transactions.order_id = orders.id
    GROUP BY orders.id
    HAVING coalesce(sum(amount), 0) <> CASE WHEN paid_at IS NULL THEN 0 ELSE refunded_total - total END`,

  "an order keeps money only while it goes on, or what was paid for shipping or deducted from a return": `
    SELECT id, status, payment_status, total, refunded_total FROM orders
    WHERE status IN (${sqlList(endedStatuses)}) AND paid_at IS NOT NULL AND refunded_total < total - iif(
      status = 'refunded',
      shipping_total - shipping_discount + iif(prices_include_tax, 0, shipping_tax) - refunded_shipping,
      0) AND NOT EXISTS (SELECT 1 FROM returns WHERE returns.order_id = orders.id AND refund_id IS NOT NULL)`,

  "open returns hold units that are left of their lines, and belong to orders that go on": `
    SELECT order_items.id, sum(units_in_returns.quantity) AS held FROM units_in_returns
    JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id GROUP BY order_items.id
    HAVING held > order_items.quantity - refunded_quantity OR status IN (${sqlList(endedStatuses)})`,

  "an order that ended asks for no payment": `
    SELECT id, status, payment_status FROM orders
    WHERE status IN ('cancelled', 'expired') AND (payment_status = 'requires_action' OR payment_url IS NOT NULL)`,

  "the lines of an order add up to its parts": `
    SELECT orders.id, subtotal, discount_total, tax_total FROM orders LEFT JOIN order_items ON order_id = orders.id
    GROUP BY orders.id HAVING (subtotal, discount_total - shipping_discount, tax_total - shipping_tax)
      IS NOT (sum(order_items.total), sum(order_items.discount), sum(order_items.tax))`,

  "the taxes and discounts of an order add up to its parts": `
    SELECT id FROM orders WHERE tax_total <> (SELECT coalesce(sum(value ->> 'amount'), 0) FROM json_each(tax_lines))
      OR discount_total <> (SELECT coalesce(sum(value ->> 'amount'), 0) FROM json_each(discounts))`,

  "a discount counts the orders that use it, and orders that ended use none": `
    SELECT discounts.id, uses FROM discounts LEFT JOIN discount_redemptions ON discount_id = discounts.id
    LEFT JOIN orders ON orders.id = order_id
    GROUP BY discounts.id HAVING uses <> count(discount_redemptions.id) FILTER (WHERE released_at IS NULL)
      OR count(*) FILTER (WHERE discount_redemptions.id IS NOT NULL AND (released_at IS NULL) = (status IN ('cancelled', 'expired')
        OR discount_id NOT IN (SELECT value ->> 'id' FROM json_each(orders.discounts) WHERE value ->> 'id' IS NOT NULL))) > 0`,

  "a customer's figures are those of their paid orders that were not cancelled, without gift cards that hold or paid money": `
    SELECT users.id, order_count, spent, plain.orders, plain.kept FROM users LEFT JOIN (
      SELECT user_id, count(*) AS orders, sum(total - refunded_total - (
        SELECT coalesce(sum(iif(ended_at IS NULL, value, value - balance)), 0) FROM gift_cards WHERE order_id = orders.id
      )) AS kept FROM orders
      WHERE paid_at IS NOT NULL AND status NOT IN ('cancelled', 'expired') GROUP BY user_id
    ) AS plain ON plain.user_id = users.id
    WHERE order_count <> coalesce(plain.orders, 0) OR spent <> coalesce(plain.kept, 0)`,

  "a discount has as many uses as orders that have it and go on": `
    SELECT discounts.id, uses FROM discounts WHERE uses <> (
      SELECT count(*) FROM discount_redemptions WHERE discount_id = discounts.id AND released_at IS NULL)`,

  "an order uses its discounts unless it was cancelled or has expired, and none that an edit took from it": `
    SELECT orders.id, status, released_at FROM discount_redemptions JOIN orders ON orders.id = order_id
    WHERE (released_at IS NOT NULL) <> (status IN ('cancelled', 'expired')
      OR discount_id NOT IN (SELECT value ->> 'id' FROM json_each(orders.discounts) WHERE value ->> 'id' IS NOT NULL))`,

  "an order of an agent is known to its session": `
    SELECT orders.reference FROM orders JOIN checkout_sessions AS session ON session.reference = orders.reference
    WHERE session.order_id IS NOT orders.id OR session.status <> 'placed'`,

  // Only orders have a sequence. Other responses, such as a draft's, may outlive their row.
  "an order that an Idempotency-Key replays exists": `
    SELECT key FROM idempotency_keys WHERE answer ->> '$.sequence' IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM orders WHERE id = answer ->> '$.id' AND number = answer ->> '$.number')`,

  "numbers of orders count up without gaps": `
    SELECT number, before FROM (SELECT number, sequence, lag(sequence) OVER (ORDER BY id) AS before FROM orders)
    WHERE before IS NOT NULL AND sequence <> before + 1`,

  "the history of an order ends where it stands": `
    SELECT orders.id, status FROM orders WHERE status IS NOT (
      SELECT "to" FROM order_history WHERE order_id = orders.id ORDER BY order_history.id DESC LIMIT 1)`,

  "a package was not used more often than it allows": `
    SELECT id, downloads_used FROM packages
    WHERE downloads_used <> (SELECT count(*) FROM downloads WHERE package_id = packages.id)`,
};
