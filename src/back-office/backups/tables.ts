import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tables that grow with the shop. In a large database a backup reads them in slices, and every other table at its end. */
export const slicedTables = [
  "addresses",
  "audit_log",
  "cart_answers",
  "discount_redemptions",
  "downloads",
  "emails",
  "events",
  "gift_cards",
  "idempotency_keys",
  "job_changes",
  "job_failures",
  "license_keys",
  "order_history",
  "order_items",
  "order_notes",
  "orders",
  "package_files",
  "packages",
  "products",
  "refresh_tokens",
  "refund_lines",
  "request_counts",
  "return_lines",
  "returns",
  "sessions",
  "shipment_lines",
  "shipments",
  "stock_adjustments",
  "stock_allocations",
  "transactions",
  "uploaded_license_keys",
  "users",
];

/**
 * Rows of sliced tables that were updated or deleted while a backup reads. Empty otherwise: triggers write to it only while
 * it has the row of the backup's own job.
 */
export const backupChanges = sqliteTable(
  "backup_changes",
  {
    tableName: text("table_name").notNull(),
    changedRow: integer("changed_row").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.changedRow] })],
);
