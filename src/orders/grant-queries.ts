import { type SQL, sql } from "drizzle-orm";

/**
 * The statements that grant an order's download packages, for the batch that pays it: one package per unit of each line
 * whose product has files, with the product's limit and days. Nothing happens unless the order was paid at this `now`.
 */
export const grantPackages = (orderNumber: string, now: number): [packages: SQL, files: SQL] => [
  sql`
    INSERT INTO packages (user_id, order_id, order_item_id, unit, name, download_limit, starts_at, expires_at)
    WITH RECURSIVE units (unit) AS (
      SELECT 1 UNION ALL SELECT unit + 1 FROM units WHERE unit < (
        SELECT max(quantity) FROM order_items WHERE order_id = (SELECT id FROM orders WHERE number = ${orderNumber}))
    )
    SELECT orders.user_id, orders.id, order_items.id, units.unit, order_items.name, products.download_limit, ${now},
      ${now} + products.download_days * 86400000
    FROM orders
    JOIN order_items ON order_items.order_id = orders.id
    JOIN products ON products.id = order_items.product_id
    JOIN units ON units.unit <= order_items.quantity
    WHERE orders.number = ${orderNumber} AND orders.paid_at = ${now}
      AND EXISTS (SELECT 1 FROM product_files WHERE product_id = products.id)`,
  sql`
    INSERT INTO package_files (package_id, file_id)
    SELECT packages.id, product_files.file_id
    FROM orders
    JOIN packages ON packages.order_id = orders.id
    JOIN order_items ON order_items.id = packages.order_item_id
    JOIN product_files ON product_files.product_id = order_items.product_id
    WHERE orders.number = ${orderNumber} AND orders.paid_at = ${now}`,
];
