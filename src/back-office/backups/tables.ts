/** Tables that a restore rebuilds from others. FTS tables and their shadows are left out as well. */
export const DERIVED = [
  "category_products",
  "customer_tags",
  "product_counts",
  "product_price_counts",
  "product_range_counts",
] as const;

const changedOrders = "SELECT id FROM orders WHERE updated_at >= ?1";
const changedProducts = `SELECT id FROM products WHERE max(updated_at, ifnull(related_updated_at, 0)) >= ?1
  UNION SELECT product_id FROM order_items WHERE order_id IN (${changedOrders})
  UNION SELECT product_id FROM stock_adjustments WHERE created_at >= ?1`;
const changedCarts = "SELECT id FROM carts WHERE updated_at >= ?1";
const NEVER = "FALSE";

/**
 * Tables that grow with the shop. In a large database they are read in slices, and rows that changed meanwhile are read
 * again. The condition finds every row changed since `?1`, and new rows have a greater rowid. Every other table is read
 * as a whole at the end.
 */
export const changedSince: { [table: string]: string } = {
  addresses: "user_id IN (SELECT user_id FROM addresses WHERE updated_at >= ?1)",
  audit_log: NEVER,
  cart_answers: `cart_id IN (${changedCarts})`,
  discount_redemptions: `order_id IN (${changedOrders})`,
  // A link lives for minutes, and its bytes are counted while it is read.
  downloads: "created_at >= ?1 - 3600000",
  emails: "state <> 'sent' OR sent_at >= ?1",
  events: NEVER,
  idempotency_keys: "created_at >= ?1",
  job_changes: "job_id IN (SELECT id FROM jobs WHERE updated_at >= ?1)",
  job_failures: NEVER,
  order_history: `order_id IN (${changedOrders})`,
  order_items: `order_id IN (${changedOrders})`,
  order_notes: NEVER,
  orders: "updated_at >= ?1",
  package_files: `package_id IN (SELECT package_id FROM downloads WHERE created_at >= ?1
    UNION SELECT id FROM packages WHERE updated_at >= ?1 OR order_id IN (${changedOrders}))`,
  packages: `updated_at >= ?1 OR order_id IN (${changedOrders})
    OR id IN (SELECT package_id FROM downloads WHERE created_at >= ?1)`,
  products: `id IN (${changedProducts}) OR parent_id IN (${changedProducts})
    OR id IN (SELECT parent_id FROM products WHERE id IN (${changedProducts}))`,
  refresh_tokens: "created_at >= ?1 OR spent_at >= ?1",
  refund_lines: NEVER,
  // Isolates write their counts late, but by less than a day.
  request_counts: "period = 'total' OR start >= ?1 - 2 * 86400000",
  sessions: "max(created_at, last_used_at, ifnull(ended_at, 0), ifnull(authenticated_at, 0)) >= ?1",
  shipment_lines: NEVER,
  shipments: NEVER,
  stock_adjustments: NEVER,
  stock_allocations: `product_id IN (${changedProducts})`,
  transactions: NEVER,
  users: `max(updated_at, ifnull(last_seen_at, 0), ifnull(wallet_locked_until, 0)) >= ?1
    OR id IN (SELECT user_id FROM transactions WHERE created_at >= ?1)
    OR id IN (SELECT user_id FROM orders WHERE updated_at >= ?1)`,
};

/** A table to store, with its columns except generated ones. */
export type StoredTable = { name: string; columns: string[] };

/** Every ordinary table with its columns. A table of a newer version is stored like any other. */
export const STORED_TABLES = `
  SELECT tables.name, json_group_array(columns.name ORDER BY columns.cid) AS columns
  FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
  WHERE tables.sql LIKE 'CREATE TABLE %' AND columns.hidden = 0
    AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*' AND tables.name NOT GLOB '*_search_*'
    AND tables.name NOT IN ('d1_migrations', 'preconditions', ${DERIVED.map((name) => `'${name}'`).join(", ")})
  GROUP BY tables.name ORDER BY tables.name`;

/** The schema as the database itself states it. A restore compares its hash. */
export const SCHEMA = `
  SELECT type, name, tbl_name, sql FROM sqlite_master
  WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations' ORDER BY type, name`;

/** D1 allows 32 arguments of a function. */
const MOST_ARGUMENTS = 30;

/**
 * The columns of a row as JSON arrays, which `lineOf` joins. The rowid comes first, so that a restore can assign it
 * again.
 */
function rowAsJson({ columns }: StoredTable): string[] {
  const names = ["rowid", ...columns.map((name) => `"${name}"`)];
  const pieces = Math.ceil(names.length / MOST_ARGUMENTS);
  return Array.from(
    { length: pieces },
    (_, n) => `json_array(${names.slice(n * MOST_ARGUMENTS, (n + 1) * MOST_ARGUMENTS)})`,
  );
}

type ReadRow = { id: number } & Record<`part${number}`, string>;

/** The NDJSON line of a row. */
export const lineOf = ({ id, ...parts }: ReadRow): string =>
  `[${Object.values(parts)
    .map((part) => part.slice(1, -1))
    .join(",")}]`;

/** Rows of a table that are new since `?2` or changed since `?1`, in order of their rowid. */
export const selectChanged = (table: StoredTable): string =>
  `SELECT rowid AS id, ${namedParts(table)} FROM "${table.name}"
  WHERE rowid > ?2 OR (${changedSince[table.name] ?? NEVER}) ORDER BY rowid`;

const namedParts = (table: StoredTable) => rowAsJson(table).map((part, n) => `${part} AS part${n}`);

/** Number of rows read in one slice of the walk: fewer if they are long, but at least one. */
const ROWS = 2_000;
const BYTES = 4_000_000;

/** The next rows after the rowid `?1`, up to `?2`. */
export function selectNext(table: StoredTable): string {
  const parts = rowAsJson(table).map((_, n) => `part${n}`);
  const length = parts.map((part) => `octet_length(${part})`).join(" + ");
  return `SELECT id, ${parts} FROM (
    SELECT *, sum(${length}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes, row_number() OVER (ORDER BY id) AS place
    FROM (SELECT rowid AS id, ${namedParts(table)} FROM "${table.name}" WHERE rowid > ?1 AND rowid <= ?2
      ORDER BY rowid LIMIT ${ROWS}))
  WHERE bytes <= ${BYTES} OR place = 1 ORDER BY id`;
}

/** Ranges of consecutive existing rowids. */
export const selectPresent = ({ name }: StoredTable): string =>
  `SELECT min(id) AS first, max(id) AS last FROM (SELECT rowid AS id, rowid - row_number() OVER (ORDER BY rowid) AS run FROM "${name}")
  GROUP BY run ORDER BY first`;
