import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { call, callWith, requestTo } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { LONG } from "../support/long.ts";
import { aCategory, aUser } from "../support/shop.ts";

/** More rows than a list counts, sorts and pages through. */
const MANY = 10_400;

let as: string;
let buyer: number;

beforeAll(async () => {
  as = (await aUser({ role: "admin" })).token;
  buyer = (await aUser({ name: "Ada Exportova" })).id;
  const category = await aCategory("Exported");
  await env.DB.batch([
    env.DB.prepare(insertProducts).bind(category.id, MANY),
    env.DB.prepare(insertUsers).bind(MANY),
    env.DB.prepare(insertOrders).bind(buyer, 620),
  ]);
}, 60_000);

const numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)";

/** Every second product is in the category, every third is a draft, and every fifth is low in stock. */
const insertProducts = `${numbers}
  INSERT INTO products (name, slug, sku, type, status, price, category_id, requires_shipping, manage_stock, stock_quantity,
    created_at, updated_at)
  SELECT 'Lantern ' || n, 'lantern-' || n, 'LAN-' || n, 'physical', iif(n % 3, 'active', 'draft'), n, iif(n % 2, NULL, ?1),
    1, 1, iif(n % 5, 100, 2), n, n
  FROM numbers`;

const insertUsers = `${numbers.replace("?2", "?1")}
  INSERT INTO users (email, name, password_hash, role, created_at, updated_at)
  SELECT 'walker-' || n || '@shop.test', 'Walker ' || n, 'none', 'customer', n, n FROM numbers`;

/** Two of three orders belong to one customer. Orders are a day apart, and those with higher ids are older. */
const insertOrders = `${numbers}
  INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
    customer_name, customer_email, created_at, updated_at, updated_by)
  SELECT printf('%04d-EXPO-%04d', n % 7, n), '#' || (100000 + n), 100000 + n, ?1, iif(n % 4, 'cancelled', 'expired'), 'unpaid', 'not_required', 'USD', n, n,
    'credit_card', iif(n % 3, 'Grace Exportova', 'Buyer ' || n), iif(n % 3, 'grace', 'buyer-' || n) || '@shop.test',
    86400000 * (1000 - n), n, 'system'
  FROM numbers`;

type Row = { id: number; [field: string]: unknown };

async function exported(path: string): Promise<Row[]> {
  const { status, body } = await call(`GET /admin/exports/${path}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  const lines: string[] = body.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** The ids of a list, page by page. */
async function listed(path: string): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await call(`GET /admin/${path}&per_page=100&page=${page}`, { as });
    ids.push(...body.data.map(({ id }: Row) => id));
    pages = body.pagination.total_pages;
  }
  return ids.sort((a, b) => a - b);
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b);

const narrowed: [list: string, filters: string, rows: number | null][] = [
  ["products", "search=lantern", MANY],
  ["products", "search=lantern&low_stock=true", null],
  ["products", "low_stock=true", null],
  ["products", "low_stock=true&category=exported&min_price=50", null],
  ["products", "sort=stock", null],
  ["products", "sort=price&min_price=100&max_price=100.5", 51],
  ["products", "category=exported", MANY / 2],
  ["products", "search=lantern+10400", 1],
  ["products", "search=%21", 0],
  ["customers", "search=walker", MANY],
  ["customers", "search=walker&state=disabled", 0],
  ["customers", "from=1970-01-01&to=1970-01-01&sort=name", MANY],
];

it.each(narrowed)("exports %s of ?%s to the last one", LONG, async (list, filters, rows) => {
  const ids = idsOf(await exported(`${list}/ndjson?${filters}`));
  expect(ids).toEqual(ascending(ids));
  expect(new Set(ids).size).toBe(ids.length);
  const { n } = (await env.DB.prepare(counts[filters] ?? "SELECT 0 AS n").first<{ n: number }>()) ?? { n: 0 };
  expect(ids).toHaveLength(rows ?? n);
});

const low = "manage_stock AND status = 'active' AND stock_quantity <= 5";
const counts: Record<string, string> = {
  "search=lantern&low_stock=true": `SELECT count(*) AS n FROM products WHERE ${low}`,
  "low_stock=true": `SELECT count(*) AS n FROM products WHERE ${low}`,
  "low_stock=true&category=exported&min_price=50": `SELECT count(*) AS n FROM products WHERE ${low} AND category_id IS NOT NULL AND price >= 5000`,
  "sort=stock": "SELECT count(*) AS n FROM products WHERE manage_stock AND status = 'active'",
};

it.each([
  "search=exportova",
  "search=0003-EXPO",
  "search=buyer&status=expired",
  "search=grace+exportova&from=1971-01-01&to=1971-12-31",
  "status=expired",
  "from=1971-03-01&to=1971-03-31",
  "from=1972-01-01&payment_status=unpaid",
  "days=30",
  "sort=oldest&payment_method=credit_card",
])("exports the orders and their line items of the list ?%s", async (filters) => {
  const ids = idsOf(await exported(`orders/ndjson?${filters}`));
  expect(ascending(ids)).toEqual(await listed(`orders?${filters}`));
  expect((await call(`GET /admin/exports/order-lines/csv?${filters}`, { as })).body).toMatch(/^order_id,.*\r\n$/);
});

it("returns an order once that matches by its reference and its customer", async () => {
  const reference = "0AAA-BBBB-CCCC";
  const named = insertOrders
    .replace(/printf\([^)]*\)/, "?3")
    .replaceAll("100000 + n", "200000 + n")
    .replace("iif(n % 3, 'Grace Exportova', 'Buyer ' || n)", "?3");
  await env.DB.prepare(named).bind(buyer, 1, reference).run();
  const rows = await exported("orders/ndjson?search=0AAA");
  expect(rows.map((row) => row.reference)).toEqual([reference]);
});

it("continues after the last id it returned", async () => {
  const ids = idsOf(await exported("products/ndjson?search=lantern&status=draft"));
  const from = ids[300];
  expect(idsOf(await exported(`products/ndjson?search=lantern&status=draft&after_id=${from}`))).toEqual(ids.slice(301));
  const orders = idsOf(await exported("orders/ndjson?from=1971-03-01"));
  expect(idsOf(await exported(`orders/ndjson?from=1971-03-01&after_id=${orders[2]}`))).toEqual(orders.slice(3));
  const { status, body } = await call("GET /admin/exports/orders/csv?search=grace&after_id=1", { as });
  expect([status, body.details]).toMatchObject([400, [{ field: "after_id", code: "not_applicable" }]]);
});

it("calls the database once for a thousand rows and more", async () => {
  const { bindings, trips, work } = counted();
  const { body } = await callWith(bindings, "GET /admin/exports/products/csv?search=lantern", { as });
  expect(body.split("\r\n")).toHaveLength(MANY + 2);
  // The caller, the audit entry, two queries for ids, and their rows in pages of 250, 1,000 and 1,500.
  expect(trips.d1).toBeLessThanOrEqual(16);
  expect(work.rowsRead / MANY).toBeLessThan(6);
});

it("aborts the body when a row cannot be read, after the rows before it", async () => {
  const { id } = (await env.DB.prepare("SELECT id FROM products WHERE sku = 'LAN-9000'").first<{ id: number }>()) ?? {};
  await env.DB.prepare("UPDATE products SET metadata = '{' WHERE id = ?").bind(id).run();
  const context = createExecutionContext();
  const answer = await app.fetch(requestTo("GET /admin/exports/products/ndjson", { as }), env, context);
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  let bytes = 0;
  const reading = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) bytes += part.value.length;
  })();
  await expect(reading).rejects.toThrow();
  expect(bytes).toBeGreaterThan(1_000_000);
  await env.DB.prepare("UPDATE products SET metadata = '{}' WHERE id = ?").bind(id).run();
});

it("answers with an error when its first rows cannot be read", async () => {
  const { status, body } = await call("GET /admin/exports/products/csv?category=nowhere", { as });
  expect([status, body.details]).toMatchObject([400, [{ field: "category", code: "unknown_reference" }]]);
});
