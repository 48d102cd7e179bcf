import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { categories, discounts, files, orders, products, transactions, users } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aDiscount } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aFile, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

let admin: string;
let buyer: { id: number; token: string };
let product: { id: number; price: number };

const MADE = 7;

beforeAll(async () => {
  buyer = await aUser({ wallet: 1_000_000 });
  product = await aProduct();
  for (let n = 0; n < MADE; n++) {
    await aProduct();
    await call("POST /orders", { as: buyer.token, body: orderOf(product), headers: onPurpose() });
  }
  admin = (await aUser({ role: "admin" })).token;
});

type Item = { id: number; updated_at?: string; created_at: string };

const linkTo = (headers: Headers, rel: string) =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get("Link") ?? "")?.[1];

/** Follows a list to its end, running a callback after each page. */
async function follow(path: string, meanwhile: (page: number) => Promise<unknown> = async () => undefined) {
  const seen: Item[] = [];
  let address: string | undefined = `/admin${path}`;
  for (let page = 1; address; page++) {
    const { status, body, headers } = await call(`GET ${address}`, { as: (await aUser({ role: "admin" })).token });
    expect(status, JSON.stringify(body)).toBe(200);
    seen.push(...body.data);
    address = linkTo(headers, "next");
    expect(body.pagination.total_items_exact).toBe(address === undefined);
    await meanwhile(page);
  }
  return seen;
}

const ids = (items: Item[]) => items.map(({ id }) => id);
const idsOf = async (table: typeof orders | typeof products | typeof transactions) =>
  (await db.select({ id: table.id }).from(table).orderBy(table.id)).map(({ id }) => id);

describe.each([
  ["/orders", orders],
  ["/transactions", transactions],
  ["/products", products],
])("%s", (path, table) => {
  it("is read by id in order, each row once", async () => {
    expect(ids(await follow(`${path}?after_id=0&per_page=3`))).toEqual(await idsOf(table));
    const [, , third] = await idsOf(table);
    expect(ids(await follow(`${path}?after_id=${third}&per_page=2`))).toEqual((await idsOf(table)).slice(3));
  });

  it("is read by change, each row once, although many changed at the same time", async () => {
    if (table !== transactions) await db.run(sql`UPDATE ${table} SET updated_at = 1700000000000 + id / 5`);
    // The stock of products changed with these orders.
    if (table === products) await db.run(sql`UPDATE orders SET updated_at = 1`);
    for (const per_page of [1, 2, 100]) {
      const seen = await follow(`${path}?updated_since=1970-01-01T00:00:00Z&per_page=${per_page}`);
      expect(ids(seen).toSorted((a, b) => a - b)).toEqual(await idsOf(table));
      const moments = seen.map((item) => String(item.updated_at ?? item.created_at));
      expect(moments).toEqual(moments.toSorted());
    }
    const last = (await follow(`${path}?updated_since=1970-01-01T00:00:00Z`)).at(-1);
    const moment = last?.updated_at ?? last?.created_at;
    expect(ids(await follow(`${path}?updated_since=${moment}&after_id=${last?.id}`))).toEqual([]);
    expect(ids(await follow(`${path}?updated_since=${moment}`))).toContain(last?.id);
  });

  it("returns its cursor and counts nothing", async () => {
    const { bindings, trips, work } = counted();
    const { body, headers } = await callWith(bindings, `GET /admin${path}?after_id=0&per_page=2`, { as: admin });
    expect(body.pagination).toEqual({ current_page: 1, total_pages: 2, total_items: 3, total_items_exact: false });
    expect(linkTo(headers, "next")).toContain(`after_id=${body.data[1].id}`);
    expect(linkTo(headers, "next")).toContain("per_page=2");
    expect([trips.d1, work.rowsRead < 40]).toEqual([1, true]);
  });

  it.each([
    ["after_id=-1", "after_id"],
    ["after_id=x", "after_id"],
    ["updated_since=yesterday", "updated_since"],
    ["after_id=0&page=2", "page"],
    ["updated_since=2026-01-01T00:00:00Z&page=2", "page"],
  ])("refuses ?%s and names the field", async (query, field) => {
    expectRefusal(await call(`GET /admin${path}?${query}`, { as: admin }), 400, field);
  });
});

describe.each([
  ["/users", users, () => aUser()],
  ["/files", files, () => aFile()],
  ["/categories", categories, (n: number) => aCategory(`Followed ${n}`)],
  ["/discounts", discounts, () => aDiscount()],
] as const)("%s", (path, table, make) => {
  it("is followed by id and by change, each row once", async () => {
    const made: number[] = [];
    for (let n = 0; n < 5; n++) made.push((await make(n)).id);
    const later = 1_800_000_000_000;
    await db.run(
      sql`UPDATE ${table} SET updated_at = ${later} + id / 2 WHERE id >= ${made[0]} AND id <= ${made.at(-1)}`,
    );
    for (const start of ["after_id=0", "updated_since=1970-01-01"]) {
      const seen = ids(await follow(`${path}?${start}&per_page=2`));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(made));
    }
    expect(ids(await follow(`${path}?updated_since=${new Date(later).toISOString()}&per_page=2`))).toEqual(made);
    expectRefusal(await call(`GET /admin${path}?after_id=0&page=2`, { as: admin }), 400, "page");
  });
});

it("follows packages by id", async () => {
  const { body } = await call("GET /admin/packages?after_id=0&per_page=2", { as: admin });
  expect(body.pagination.total_items_exact).toBe(true);
  expectRefusal(await call("GET /admin/packages?after_id=0&page=2", { as: admin }), 400, "page");
  expectRefusal(await call("GET /admin/users?after_id=0&search=ada", { as: admin }), 400, "updated_since");
});

it.each(["search=a", "category=paper", "sort=name"])("refuses to follow products by ?%s", async (query) => {
  expectRefusal(await call(`GET /admin/products?after_id=0&${query}`, { as: admin }), 400, "updated_since");
});

it("misses no row that is written while the list is being read", async () => {
  const before = (await call("GET /admin/orders?per_page=1", { as: admin })).body.data[0].updated_at;
  const changed = new Set<number>();
  const seen = await follow("/orders?updated_since=1970-01-01T00:00:00Z&per_page=2", async (page) => {
    if (page > 3) return;
    const [first] = await idsOf(orders);
    const note = { shipping_address: { name: `Page ${page}`, address: "1 Quay", city: "Bath", zip: "BA1" } };
    await call(`PUT /admin/orders/${first}`, { as: admin, body: note });
    const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(product), headers: onPurpose() });
    changed.add(body.data.id).add(Number(first));
  });
  expect(before).toBeDefined();
  for (const id of await idsOf(orders)) expect(ids(seen)).toContain(id);
  for (const id of changed) {
    const now = (await call(`GET /admin/orders/${id}`, { as: admin })).body.data;
    expect(seen.findLast((item) => item.id === id)).toEqual(now);
  }
});

it("dates every change of an order", async () => {
  const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(product, 3) });
  const { id, items } = body.data;
  const read = async () => (await call(`GET /admin/orders/${id}`, { as: admin })).body.data;
  const write = (line: string, sent: unknown) => call(line, { as: admin, body: sent });
  const changes = [
    () => write(`PUT /admin/orders/${id}`, { shipping_address: { name: "A", address: "B", city: "C", zip: "D" } }),
    () => write(`PUT /admin/orders/${id}`, { status: "shipped", shipment: { carrier: "Post" } }),
    () => write(`PUT /admin/orders/${id}`, { shipment: { tracking_number: "X 1" } }),
    () => write(`POST /admin/orders/${id}/refunds`, { items: [{ id: items[0].id, quantity: 1 }] }),
    () => write(`POST /admin/orders/${id}/refunds`, {}),
    () => env.DB.prepare("UPDATE orders SET note = 'by hand' WHERE id = ?").bind(id).run(),
    () =>
      env.DB.prepare(
        `INSERT INTO order_history (order_id, at, kind, "from", "to", actor) SELECT id, 0, 'refund_sent', status, status, 'stripe' FROM orders WHERE id = ?`,
      )
        .bind(id)
        .run(),
  ];
  let before = await read();
  for (const [step, change] of changes.entries()) {
    await change();
    const after = await read();
    expect(after, `step ${step}`).not.toEqual(before);
    expect(Date.parse(after.updated_at), `step ${step}`).toBeGreaterThan(Date.parse(before.updated_at));
    before = after;
  }
});

it.each(["orders", "products"])("reads few rows of %s however many changed at the same time", async (table) => {
  const [moment, count] = [1_600_000_000_000, 300];
  if (table === "products") {
    await db.run(sql`UPDATE orders SET updated_at = 1`);
    for (let n = 0; n < count; n++) await aProduct({ updatedAt: moment });
  }
  await db.run(sql`UPDATE ${sql.identifier(table)} SET updated_at = ${moment}`);
  const all = await idsOf(table === "orders" ? orders : products);
  const after = all.at(-4);
  const { bindings, work } = counted();
  const query = `updated_since=${new Date(moment).toISOString()}&after_id=${after}&per_page=2`;
  const { body } = await callWith(bindings, `GET /admin/${table}?${query}`, { as: admin });
  expect(ids(body.data)).toEqual(all.slice(-3, -1));
  expect(work.rowsRead).toBeLessThan(60);
});
