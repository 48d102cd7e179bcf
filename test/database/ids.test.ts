import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anImport } from "../support/jobs.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

type Table = { name: string; sql: string };

/** Tables whose key is the id of a row in another table. */
const BORROWED = ["cart_answers", "stock_allocations", "totp_secrets", "withdrawn_products"];

/** Tables whose ids nobody sees or refers to. */
const UNSEEN = ["price_history"];

/** Tables with one row, or with a fixed list of rows. */
const FIXED = [
  "license_secrets",
  "payment_settings",
  "pricing_rules",
  "sales_progress",
  "schedule_runs",
  "shop",
  "unpaid_limits",
];

const select = async <Row>(query: string): Promise<Row[]> => (await env.DB.prepare(query).all<Row>()).results;

it("never reuses an id: each table has AUTOINCREMENT, or never loses its newest row", async () => {
  const tables = await select<Table>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%integer PRIMARY KEY%'
      AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_search\\_%' ESCAPE '\\'`,
  );
  const keeping = await select<{ name: string }>(
    "SELECT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%BEFORE DELETE%RAISE(ABORT%'",
  );
  const kept = new Set(keeping.map(({ name }) => name));
  const reusing = tables
    .filter(({ name, sql }) => !sql.includes("AUTOINCREMENT") && !kept.has(name))
    .map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(20);
  expect(reusing.sort()).toEqual([...BORROWED, ...UNSEEN, ...FIXED].sort());
});

const sequenceOf = async (table: string): Promise<number> => {
  const [row] = await select<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`);
  return row?.seq ?? 0;
};

it.each(["products", "categories", "users"])("refuses a row of %s with an id that was used before", async (table) => {
  const columns = {
    products:
      "(id, name, slug, sku, type, status, requires_shipping, manage_stock, price, created_at, updated_at) VALUES (?, 'A', 'a', 'A', 'physical', 'draft', 1, 0, 1, 1, 1)",
    categories: "(id, name, slug, created_at, updated_at) VALUES (?, 'A', 'a', 1, 1)",
    users:
      "(id, email, name, password_hash, role, created_at, updated_at) VALUES (?, 'a@ids.test', 'A', '', 'customer', 1, 1)",
  }[table];
  const insert = (id: number) => env.DB.prepare(`INSERT INTO ${table} ${columns}`).bind(id).run();
  const id = (await sequenceOf(table)) + 5;
  await insert(id);
  await env.DB.prepare(`DELETE FROM ${table} WHERE id = ?`).bind(id).run();
  await expect(insert(id)).rejects.toThrow("id_given_before");
  await expect(insert(id - 1)).rejects.toThrow("id_given_before");
});

it("gives an imported product no discount of a deleted product, whatever id the file contains", async () => {
  const as = (await aUser({ role: "admin" })).token;
  const [gone, other] = [await aProduct({ price: 90_000 }), await aProduct({ price: 90_000 })];
  const body = { name: "Farewell", kind: "percentage", percent: 100, product_ids: [gone.id, other.id] };
  const discount = await call("POST /admin/discounts", { as, body });
  expect(discount.status).toBe(201);
  expect((await call(`DELETE /admin/products/${gone.id}`, { as })).status).toBe(204);
  const left = async () => (await call(`GET /admin/discounts/${discount.body.data.id}`, { as })).body.data;
  expect(await left()).toMatchObject({ product_ids: [other.id], enabled: true });

  const csv = `id,sku,name,type,price,status\n${gone.id},HEIR,Heir,service,900.00,active\n`;
  expect(await anImport(csv, { as })).toMatchObject({ failed: 0 });
  const { body: found } = await call("GET /admin/products?search=HEIR", { as });
  const [heir] = found.data;
  expect(heir.id).toBeGreaterThan(other.id);
  const buyer = await aUser({ wallet: 100_000 });
  const order = await call("POST /orders", { as: buyer.token, body: orderOf({ id: heir.id, price: 90_000 }) });
  expect([order.status, order.body.data.total]).toEqual([201, 900]);

  expect((await call(`DELETE /admin/products/${other.id}`, { as })).status).toBe(204);
  expect(await left()).toMatchObject({ applies_to: "selected_products", product_ids: [], enabled: false });
});
