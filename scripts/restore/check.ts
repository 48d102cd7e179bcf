import type { DatabaseSync } from "node:sqlite";
import { rulesOfMoneyAndStock } from "./rules.ts";

/** Checks that a restored database must pass. */
const checks: Record<string, string> = {
  "the file is sound": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  "every reference leads to a row": "SELECT * FROM pragma_foreign_key_check",
  "every order has its lines": "SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM order_items)",
  "every event of an order has its order": `
    SELECT id FROM events WHERE subject LIKE 'order:%' AND CAST(substr(subject, 7) AS INTEGER) NOT IN (SELECT id FROM orders)`,
  ...rulesOfMoneyAndStock,
};

/** The failed checks of a database, each with the number of rows and the first of them. */
export const failedChecks = (database: DatabaseSync): string[] =>
  Object.entries(checks).flatMap(([rule, query]) => {
    const rows = database.prepare(query).all();
    return rows.length > 0 ? [`${rule}: ${rows.length} rows do not, such as ${JSON.stringify(rows[0])}`] : [];
  });

/** Number of checks. */
export const CHECKS = Object.keys(checks).length;

/** Totals of the ledgers, for the report. */
export function ledgersOf(database: DatabaseSync): Record<string, unknown> {
  const sums =
    database.prepare(`SELECT (SELECT count(*) FROM orders) AS orders, (SELECT coalesce(sum(total), 0) FROM orders) AS order_totals,
    (SELECT coalesce(sum(wallet_balance), 0) FROM users) AS wallet_balances, (SELECT coalesce(sum(amount), 0) FROM transactions) AS transactions,
    (SELECT coalesce(sum(stock_quantity), 0) FROM products) AS stock, (SELECT coalesce(sum(quantity), 0) FROM stock_allocations) AS stock_held,
    (SELECT coalesce(sum(units), 0) FROM sales) AS units_sold, (SELECT max(id) FROM events) AS last_event`);
  return { ...sums.get() };
}

/** Keys of the objects that files and products use. */
export const neededObjects = (database: DatabaseSync): string[] =>
  database
    .prepare(
      `SELECT r2_key AS key FROM files UNION
      SELECT 'images/' || sha256 FROM images WHERE id IN (SELECT image_id FROM product_images) ORDER BY key`,
    )
    .all()
    .map(({ key }) => String(key));
