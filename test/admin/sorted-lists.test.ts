import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { orders, users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

const admin = await aUser({ role: "admin", name: "zoe Admin" });
const product = await aProduct();
const [bert, anna, carl] = [
  await aUser({ wallet: 10_000, name: "Bert Datefield" }),
  await aUser({ wallet: 10_000, name: "anna Datefield" }),
  await aUser({ wallet: 10_000, name: "Carl Datefield" }),
];

async function placed(buyer: { id: number; token: string }, at: number): Promise<number> {
  const { id } = (await call("POST /orders", { as: buyer.token, body: orderOf(product) })).body.data;
  await db.update(orders).set({ createdAt: at }).where(eq(orders.id, id));
  await db.update(users).set({ createdAt: at }).where(eq(users.id, buyer.id));
  return id;
}

const yesterday = await placed(bert, today - 1);
const morning = await placed(anna, today);
const tenDaysAgo = await placed(carl, today - 10 * DAY_MS);

async function idsOf(path: string): Promise<number[]> {
  const { status, body } = await call(`GET /admin/${path}`, { as: admin.token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: { id: number }) => id);
}

describe("orders", () => {
  it.each([
    ["", [tenDaysAgo, morning, yesterday]],
    ["&sort=newest", [tenDaysAgo, morning, yesterday]],
    ["&sort=oldest", [yesterday, morning, tenDaysAgo]],
    ["&days=1", [morning]],
    ["&days=2", [morning, yesterday]],
    ["&days=11&sort=oldest", [tenDaysAgo, yesterday, morning]],
    [`&from=${dayOf(today)}`, [morning]],
    [`&to=${dayOf(today - 1)}`, [yesterday, tenDaysAgo]],
    [`&from=${dayOf(today - 1)}&to=${dayOf(today - 1)}`, [yesterday]],
    [`&from=${dayOf(today - 10 * DAY_MS)}T00:00:00Z&to=${dayOf(today)}T00:00:00Z`, [yesterday, tenDaysAgo]],
  ])("are filtered by days, in order: %s", async (query, expected) => {
    expect(await idsOf(`orders?search=datefield${query}`)).toEqual(expected);
    expect(await idsOf(`orders?per_page=100${query}`)).toEqual(expected);
  });

  it.each([
    ["days", "days=0"],
    ["days", "days=7&from=2030-01-31"],
    ["days", "days=7&to=2030-01-31"],
    ["from", "from=2030-02-30"],
    ["from", "from=2030-01-31T12:00:00"],
    ["to", "to=tomorrow"],
    ["sort", "sort=total"],
    ["sort", "sort=oldest&after_id=0"],
  ])("refuse a wrong %s", async (field, query) => {
    expectRefusal(await call(`GET /admin/orders?${query}`, { as: admin.token }), 400, field);
  });
});

describe("accounts", () => {
  it.each([
    ["sort=name", [anna, bert, carl]],
    ["sort=-name", [carl, bert, anna]],
    ["sort=oldest", [bert, anna, carl]],
    ["sort=newest", [carl, anna, bert]],
    ["days=1", [anna]],
    ["days=2", [anna, bert]],
    ["days=2&sort=name", [anna, bert]],
    ["days=11&sort=oldest", [carl, bert, anna]],
    ["state=active&sort=-name", [carl, bert, anna]],
    ["state=active&sort=name", [anna, bert, carl]],
    ["state=disabled&sort=name", []],
  ])("are filtered by days, in order: %s", async (query, expected) => {
    const ids = expected.map(({ id }) => id);
    expect(await idsOf(`users?search=datefield&${query}`)).toEqual(ids);
    const all = await idsOf(`users?${query}&per_page=100`);
    expect(all.filter((id) => [anna.id, bert.id, carl.id].includes(id))).toEqual(ids);
  });

  it("that are disabled are sorted by name", async () => {
    await db.update(users).set({ disabledAt: 1 }).where(eq(users.id, carl.id));
    const other = await aUser({ name: "Aaron Disabled" });
    await db.update(users).set({ disabledAt: 1 }).where(eq(users.id, other.id));
    expect(await idsOf("users?state=disabled&sort=name")).toEqual([other.id, carl.id]);
  });
});

it("the log and the ledger are filtered by days too", async () => {
  for (const path of ["audit-log", "transactions"]) {
    expect((await idsOf(`${path}?days=1`)).length).toBeGreaterThan(path === "transactions" ? 0 : -1);
    expect(await idsOf(`${path}?to=2020-01-01`)).toEqual([]);
    expectRefusal(await call(`GET /admin/${path}?days=1&from=2030-01-01`, { as: admin.token }), 400, "days");
  }
});

describe("the panel's lists", () => {
  it("are sorted by their columns, start at the first page, and show the order", async () => {
    const { get } = await anAdministrator();
    const { html } = await get("/admin/products?status=active&page=1&sort=price");
    expect(html).toContain('aria-sort="ascending"><a href="/admin/products?status=active&amp;sort=-price">Price</a>');
    expect(html).toContain('<a href="/admin/products?status=active&amp;sort=name">Name</a>');
    expect((await get("/admin/orders")).html).toContain(
      'aria-sort="descending"><a href="/admin/orders?sort=oldest">Placed</a>',
    );
  });

  it("accept days and dates from their forms", async () => {
    const { get } = await anAdministrator();
    const { html } = await get(`/admin/orders?search=&days=&from=${dayOf(today)}&to=`);
    expect(html).toContain(`<input type="date" value="${dayOf(today)}"`);
    expect(html.match(/<tr>/g)).toHaveLength(2);
  });
});
