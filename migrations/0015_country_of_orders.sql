ALTER TABLE `orders` ADD `country` text;
--> statement-breakpoint
-- The units that were refunded were taken off the sales of products and categories alone.
INSERT INTO sales (dimension, period, key, returned_units)
SELECT part.value ->> 0, period.value, part.value ->> 1, sum(refunded - refunded_before)
FROM refund_lines JOIN order_items ON order_items.id = order_item_id JOIN orders ON orders.id = order_id,
  json_each(json_array(
    strftime('%Y-%m-%d', refund_lines.created_at / 1000, 'unixepoch'),
    strftime('%Y-%m', refund_lines.created_at / 1000, 'unixepoch'))) AS period,
  json_each(json_array(
    json_array('shop', ''),
    json_array('country', coalesce(country, shipping_address ->> 'country', billing_address ->> 'country',
      (SELECT home_country FROM shop), '')))) AS part
WHERE refund_lines.id <= (SELECT refund_line_id FROM sales_progress)
GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET returned_units = returned_units + excluded.returned_units;
