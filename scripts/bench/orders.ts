import { searchStatements } from "../database/migrations.ts";
import { inBulk, type Run } from "./catalogue.ts";

const CHUNK = 100_000;
const DAY_MS = 86_400_000;

/** Rebuilds everything that these tables' triggers maintain row by row. */
const rebuilds = [
  "INSERT INTO users_search (users_search) VALUES ('rebuild')",
  ...searchStatements().filter((statement) => statement.startsWith("INSERT INTO orders_search (rowid")),
];

/**
 * Writes paid orders with one line item over the last year, for a fifth as many customers. Old ones are completed and
 * shipped, and the newest wait to be shipped. Each tenth has a note, and there are some thousand jobs with many rows.
 */
export async function fillOrders(run: Run, count: number, now: number): Promise<void> {
  const customers = Math.ceil(count / 5);
  const tables = [
    "users",
    "customer_tags",
    "orders",
    "order_items",
    "order_history",
    "transactions",
    "shipments",
    "shipment_lines",
  ];
  await inBulk(run, tables, rebuilds, async () => {
    await run(insertCustomers, customers, now - 366 * DAY_MS);
    for (const statement of customerTags) await run(statement);
    for (let first = 1; first <= count; first += CHUNK) {
      const last = Math.min(count, first + CHUNK - 1);
      await run(insertOrders, first, last, customers, now - 365 * DAY_MS, Math.floor((365 * DAY_MS) / count));
      console.error(`${last} of ${count} orders`);
    }
    for (const statement of consequences) await run(statement);
  });
  for (const statement of jobs) await run(statement, ...(statement.includes("?1") ? [now] : []));
}

/** One name in fifty thousand is rare, so that a search for it finds one person. */
const insertCustomers = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
  INSERT INTO users (email, email_verified_at, name, password_hash, role, tags, created_at, updated_at)
  SELECT 'buyer-' || n || '@rows.example', ?2,
    '["Ada","Ben","Chloe","Dan","Eva","Finn","Grace","Hugo"]' ->> (n % 8) || ' '
      || iif(n % 50000 = 7, 'Quillfeather', '["Smith","Jones","Meyer","Novak","Rossi"]' ->> (n % 5)),
    'none', 'customer', iif(n % 10, iif(n % 2, '[]', '["VIP"]'), '["VIP","Trade"]'), ?2 + n, ?2 + n
  FROM numbers`;

/** Half of the customers have a tag, and a tenth have a second one. */
const customerTags = [
  "INSERT INTO tags (name, folded_name) VALUES ('VIP', 'vip'), ('Trade', 'trade')",
  "INSERT INTO customer_tags (tag_id, user_id) SELECT tags.id, users.id FROM users, json_each(users.tags) JOIN tags ON tags.name = value",
  "UPDATE tags SET customers = (SELECT count(*) FROM customer_tags WHERE tag_id = tags.id)",
];

// Knuth's multiplicative hash scatters the numbers. Each column uses different bits of it.
const insertOrders = `
  WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2),
  first (id) AS (SELECT min(id) FROM users WHERE email LIKE 'buyer-%'),
  facts AS (SELECT n, (n * 2654435761) & 0xffffffff AS bits, ?4 + n * ?5 AS at FROM numbers),
  letters AS (SELECT *, printf('%08X%04X', bits, n & 0xffff) AS letters FROM facts)
  INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
    paid_at, customer_name, customer_email, shipping_address, created_at, updated_at, updated_by)
  SELECT substr(letters, 1, 4) || '-' || substr(letters, 5, 4) || '-' || substr(letters, 9, 4), '#' || (1000 + n), 1000 + n,
    users.id,
    iif(n > ?2 - 500, 'processing', 'completed'), 'paid', iif(n > ?2 - 500, 'unfulfilled', 'fulfilled'), 'USD', products.price,
    products.price, 'credit_card', at, users.name, email,
    json_object('name', users.name, 'address', n || ' High Street', 'city', 'Leeds', 'zip', 'LS1 1AA',
      'country', '["US","GB","DE","FR"]' ->> (bits >> 20 & 3)),
    at, at, 'user:' || users.id
  FROM letters JOIN users ON users.id = (SELECT id FROM first) + bits % ?3
    JOIN products ON products.id = 1 + (bits >> 4) % (SELECT max(id) FROM products)
  ORDER BY n`;

const consequences = [
  `INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, category_id, quantity, unit_price, total,
      shipped_quantity)
    SELECT orders.id, products.id, name, sku, type, requires_shipping, category_id, 1, price, price, fulfillment_status = 'fulfilled'
    FROM orders JOIN products ON products.id = 1 + ((orders.id * 2654435761) & 0xffffffff) % (SELECT max(id) FROM products)`,
  `INSERT INTO order_history (order_id, at, kind, "to", actor) SELECT id, created_at, 'status', 'pending', updated_by FROM orders`,
  `INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor)
    SELECT id, paid_at, 'payment', 'pending', 'processing', total, updated_by FROM orders`,
  `INSERT INTO transactions (user_id, order_id, kind, method, amount, created_at)
    SELECT user_id, id, 'charge', payment_method, -total, paid_at FROM orders`,
  `INSERT INTO shipments (order_id, carrier, tracking_number, shipped_at, shipped_by)
    SELECT id, 'Parcel Post', 'PP' || id, created_at + 86400000, 'user:1' FROM orders WHERE fulfillment_status = 'fulfilled'`,
  `INSERT INTO shipment_lines (shipment_id, order_item_id, quantity)
    SELECT shipments.id, order_items.id, 1 FROM shipments JOIN order_items ON order_items.order_id = shipments.order_id`,
  `INSERT INTO order_notes (order_id, text, author, created_at)
    SELECT id, 'Called about the parcel', 'user:1', created_at FROM orders WHERE id % 10 = 0`,
];

const JOBS = 3_000;
const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${JOBS})`;

/** Jobs and imports of a thousand rows each, with the failures of some. */
const jobs = [
  `${numbers}
  INSERT INTO jobs (kind, state, parameters, total, done, failed, created_by, request_id, created_at, updated_at, finished_at)
  SELECT iif(n % 2, 'change_products', 'check_products'), 'completed',
    json_object('ids', (SELECT json_group_array(n) FROM (SELECT n FROM numbers LIMIT 1000))), 1000, 990, 10, 'user:1',
    'rows', ?1 - n, ?1 - n, ?1 - n
  FROM numbers`,
  `INSERT INTO job_failures (job_id, line, code, message, is_warning)
  SELECT jobs.id, value, 'invalid', 'is no price', 0 FROM jobs JOIN json_each('[1,2,3,4,5,6,7,8,9,10]')`,
  `INSERT INTO imports (resource, file_name, size_bytes, r2_key, check_job_id, created_at)
  SELECT 'products', 'products.csv', 1000, 'none', id, created_at FROM jobs WHERE kind = 'check_products'`,
];
