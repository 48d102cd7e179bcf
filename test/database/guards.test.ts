import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Guard } from "../../scripts/database/guard.ts";
import { call } from "../support/call.ts";
import { anImport } from "../support/jobs.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** The guards declared in src/platform/db. */
      GUARDS: Guard[];
    }
  }
}

type Stored = { name: string; on: string; sql: string };

const stored = async (condition: string): Promise<Stored[]> =>
  (
    await env.DB.prepare(
      `SELECT name, tbl_name AS "on", sql FROM sqlite_master WHERE ${condition} ORDER BY rowid`,
    ).all<Stored>()
  ).results;

const written = (kind: Guard["kind"]) => env.GUARDS.filter((guard) => guard.kind === kind);
const textsByName = (guards: { name: string; sql: string }[]) =>
  Object.fromEntries(guards.map(({ name, sql }) => [name, sql]));

it("gives a migrated database exactly the views and full-text tables of the files", async () => {
  expect(textsByName(await stored("type = 'view'"))).toEqual(textsByName(written("view")));
  expect(textsByName(await stored("sql LIKE 'CREATE VIRTUAL TABLE %'"))).toEqual(textsByName(written("table")));
});

it("gives each table exactly the triggers of the files, in their order", async () => {
  const triggers = await stored("type = 'trigger'");
  expect(triggers).toHaveLength(written("trigger").length);
  for (const [table, found] of Map.groupBy(triggers, ({ on }) => on)) {
    const names = new Set(found.map(({ name }) => name));
    const files = written("trigger").filter(({ name }) => names.has(name));
    expect(
      found.map(({ sql }) => sql),
      table,
    ).toEqual(files.map(({ sql }) => sql));
  }
});

it("fills the lookup tables with the rows of the files", async () => {
  const filled = async () => {
    const tables = ["order_moves", "unpaid_limits"];
    const rows = await env.DB.batch(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)));
    return rows.map(({ results }) => results);
  };
  const migrated = await filled();
  const seeds = written("rows").filter(({ name }) => ["order_moves", "unpaid_limits"].includes(name));
  expect(new Set(seeds.map(({ name }) => name)).size).toBe(2);
  await env.DB.batch(seeds.flatMap(({ name, sql }) => [env.DB.prepare(`DELETE FROM ${name}`), env.DB.prepare(sql)]));
  expect(await filled()).toEqual(migrated);
});

it("refuses a value that its enumeration does not list, in a new row and in an update", async () => {
  const user = await aUser();
  const insert = env.DB.prepare(
    "INSERT INTO users (email, name, password_hash, role, created_at, updated_at) VALUES ('o@shop.test', 'O', '', 'owner', 1, 1)",
  );
  await expect(insert.run()).rejects.toThrow("value_not_listed");
  const update = env.DB.prepare("UPDATE users SET role = 'owner' WHERE id = ?").bind(user.id);
  await expect(update.run()).rejects.toThrow("value_not_listed");
});

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
