import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { NO_PASSWORD } from "../../src/accounts/users/sign-in/passwords.ts";
import { users } from "../../src/platform/db/schema.ts";
import { scenarios } from "../faults/scenarios.ts";
import { accountNow } from "../support/accounts.ts";
import { administration } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { boughtGiftCards, redeem } from "../support/gift-cards.ts";
import { money } from "../support/money.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const CHOSEN = "a password of my own";

let support: Awaited<ReturnType<typeof aUser>>;

beforeAll(async () => {
  support = await aUser({ role: "support" });
});

let made = 0;
const anEmail = () => `added-${++made}@people.test`;

const invited = async (email: string) => {
  const [letter = { text: "" }] = (await delivered(email)).filter(({ subject }) =>
    subject.startsWith("Your account at"),
  );
  return tokenIn(letter);
};

const choose = (token: string) => call("POST /auth/reset-password", { body: { token, password: CHOSEN } });

it("adds a customer, who chooses a password by the link and keeps staff's data", async () => {
  const email = anEmail();
  const body = { name: "Grace Hopper", email, phone: "0117 496 0123", invite: true };
  const { status, body: added } = await call("POST /admin/users", { as: support.token, body });
  expect([status, added.data]).toMatchObject([
    201,
    { role: "customer", has_password: false, phone: expect.any(String) },
  ]);
  expect((await call("POST /auth/login", { body: { email, password: CHOSEN } })).status).toBe(401);
  const token = await invited(email);
  expect((await choose(token)).body.data).toMatchObject({ token: expect.any(String), user: { name: "Grace Hopper" } });
  const now = await accountNow(added.data.id);
  expect(now).toMatchObject({ name: "Grace Hopper", phone: added.data.phone, emailVerifiedAt: expect.any(Number) });
  expect((await choose(token)).status).toBe(400);
  const again = await call(`POST /admin/users/${now.id}/invite`, { as: support.token, body: {} });
  expect([again.status, again.body.code]).toEqual([409, "not_invitable"]);
});

it("sends no link unless the customer is invited, and a newer link ends an earlier one", async () => {
  const email = anEmail();
  const { key } = await aKey({ permissions: ["users:write"] });
  const { body } = await call("POST /admin/users", { as: key, body: { name: "Later", email } });
  expect(await delivered(email)).toEqual([]);
  const send = () => call(`POST /admin/users/${body.data.id}/invite`, { as: key, body: {} });
  expect((await send()).status).toBe(200);
  const first = await invited(email);
  await send();
  const second = await invited(email);
  expect([(await choose(first)).status, (await choose(second)).status]).toEqual([400, 200]);
});

it("refuses an address that is taken, and invites no staff", async () => {
  const { email } = await aUser();
  const { body } = await call("POST /admin/users", { as: support.token, body: { name: "Twice", email } });
  expect(body.details[0]).toMatchObject({ field: "email", code: "email_taken" });
  const member = await aUser({ role: "viewer", passwordHash: NO_PASSWORD });
  expect((await call(`POST /admin/users/${member.id}/invite`, { as: support.token, body: {} })).status).toBe(404);
});

it("works from the panel, which keeps typed values", async () => {
  const { get, post } = await anAdministrator({ role: "support" });
  const email = anEmail();
  const typed = { ...fieldsOf(await get("/admin/customers/new"), "/admin/customers"), name: "Ada", company: "Engines" };
  const wrong = await post("/admin/customers", { ...typed, email: "no address" });
  expect([wrong.status, fieldsOf(wrong, "/admin/customers").company]).toEqual([400, ["Engines"]]);
  const added = await post("/admin/customers", { ...typed, email, invite: "true" });
  expect(added.location).toMatch(/^\/admin\/customers\/\d+$/);
  const page = await get(added.location ?? "");
  expect(page.html).toContain("Ada was added and invited.");
  expect(page.html).toContain("This customer has no password yet.");
  await delivered();
  expect((await post(`${added.location}/invite`)).location).toBe(added.location);
  expect((await choose(await invited(email))).status).toBe(200);
});

it("keeps notes that only staff read, and that an export contains", async () => {
  const customer = await aUser();
  const notes = `/admin/users/${customer.id}/notes`;
  expect((await call(`POST ${notes}`, { as: support.token, body: { text: " " } })).status).toBe(400);
  const sent = { as: support.token, body: { text: "Prefers the telephone" } };
  expect((await call(`POST ${notes}`, sent)).status).toBe(201);
  const { body } = await call(`GET ${notes}`, { as: support.token });
  expect(body.data).toMatchObject([{ text: "Prefers the telephone", author: `user:${support.id}` }]);
  expect((await call(`GET ${notes}`, { as: customer.token })).status).toBe(403);
  const { get, post } = await anAdministrator();
  const path = `/admin/customers/${customer.id}`;
  await post(`${path}/notes`, { text: "Called <back>" });
  expect((await get(path)).html).toContain("Called &lt;back&gt;");
  const data = JSON.parse((await get(`${path}/export`)).html);
  expect(data.notes.map(({ text }: { text: string }) => text)).toEqual(["Prefers the telephone", "Called <back>"]);
});

const newestUser = async () => (await db.$client.prepare("SELECT max(id) AS id FROM users").first<number>("id")) ?? 0;

it("refuses a stale save of an account whose address was verified since", async () => {
  const as = (await aUser({ role: "admin" })).token;
  const { line, body } = (await scenarios["POST /api/v1/user/auth/verify-email"]?.()) ?? { line: "" };
  const path = `/admin/users/${await newestUser()}`;
  const before = await call(`GET ${path}`, { as });
  const etag = before.headers.get("ETag") ?? "";
  expect((await callWith({}, line, { body })).status).toBe(200);
  const after = await call(`GET ${path}`, { as });
  expect(after.body.data.email_verified_at).not.toBe(before.body.data.email_verified_at);
  expect(after.headers.get("ETag")).not.toBe(etag);
  const stale = await call(`PUT ${path}`, { as, body: { company: "Stale" }, headers: { "If-Match": etag } });
  expect(stale.status).toBe(412);
});

// Figures of customers are also checked in random sequences of orders: test/orders/random-life.test.ts, by a rule of
// test/support/rules.ts.

const { admin } = administration();

const listed = async (query: string) => {
  const { body } = await call(`GET /admin/users?${query}`, { as: admin.token });
  return body.data.map(({ id }: { id: number }) => id);
};

it("counts paid orders less refunds, and no unpaid, cancelled or guest orders", async () => {
  const user = await aUser({ wallet: 100_000 });
  const product = await aProduct({ stock: 50 });
  const order = async (quantity: number, more = {}) =>
    (await call("POST /orders", { as: user.token, body: orderOf(product, quantity, more) })).body.data.id;
  const figures = async () => {
    const { body } = await call(`GET /admin/users/${user.id}`, { as: admin.token });
    return [body.data.order_count, body.data.spent];
  };
  await order(1, { payment_method: "paypal" });
  expect(await figures()).toEqual([0, 0]);
  const kept = await order(2);
  const cancelled = await order(3);
  expect(await figures()).toEqual([2, money(50)]);
  await call(`PUT /admin/orders/${cancelled}`, { as: admin.token, body: { status: "cancelled" } });
  expect(await figures()).toEqual([1, money(20)]);
  await call(`POST /admin/orders/${kept}/refunds`, { as: admin.token, body: { amount: money(5) } });
  expect(await figures()).toEqual([1, money(15)]);
});

it("counts what gift cards pay as spent, by whoever redeems them, and not the cards", async () => {
  const spentBy = async ({ id }: { id: number }) =>
    (await call(`GET /admin/users/${id}`, { as: admin.token })).body.data.spent;
  const { user, code } = await boughtGiftCards({ price: 5000, units: 2 });
  expect(await spentBy(user)).toBe(0);
  const friend = await aUser();
  await redeem(friend.token, code);
  await call("POST /orders", { as: friend.token, body: orderOf(await aProduct({ price: 3000 })) });
  expect([await spentBy(user), await spentBy(friend)]).toEqual([0, money(30)]);
  const { data } = (await call("GET /account/gift-cards", { as: user.token })).body;
  const kept = data.find(({ balance }: { balance: number }) => balance > 0);
  await call(`DELETE /admin/gift-cards/${kept.id}`, { as: admin.token });
  expect(await spentBy(user)).toBe(money(50));
  const refund = { amount: money(50) };
  await call(`POST /admin/orders/${kept.order_id}/refunds`, { as: admin.token, body: refund });
  expect(await spentBy(user)).toBe(0);
});

it("sorts and filters customers by spend and orders", async () => {
  const name = "Figured Person";
  const of = async (spent: number, orderCount: number) => {
    const { id } = await aUser({ name });
    await db.update(users).set({ spent, orderCount }).where(eq(users.id, id));
    return id;
  };
  const [most, none, some] = [await of(9_000, 1), await of(0, 0), await of(500, 7)];
  const found = (query: string) => listed(`search=figured&${query}`);
  expect(await found("sort=-spent")).toEqual([most, some, none]);
  expect(await found("sort=spent")).toEqual([none, some, most]);
  expect(await found("sort=-orders")).toEqual([some, most, none]);
  expect(await found(`min_spent=${money(5)}`)).toEqual([some, most]);
  expect(await found(`max_spent=${money(5)}&sort=-spent`)).toEqual([some, none]);
  expect(await found("min_orders=2")).toEqual([some]);
  expect(await found(`max_orders=1&min_spent=${money(1)}`)).toEqual([most]);
  expect(await listed(`min_orders=7&max_orders=7&min_spent=${money(5)}&max_spent=${money(5)}`)).toContain(some);
});

it("reads no more with many customers than with some", async () => {
  const addMany = (count: number) =>
    env.DB.prepare(
      `INSERT INTO users (email, name, password_hash, role, spent, order_count, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       SELECT 'many-' || hex(randomblob(8)), 'Many', 'none', 'customer', 100 + i, 1 + i % 50, i, i FROM n`,
    )
      .bind(count)
      .run();
  const read = async (query: string) => {
    const { bindings, work } = counted();
    expect((await callWith(bindings, `GET /admin/users?${query}`, { as: admin.token })).status).toBe(200);
    return work.rowsRead;
  };
  const queries = ["sort=-spent", "sort=orders", "sort=newest", "min_spent=1&sort=-spent", "min_orders=2&sort=-spent"];
  await addMany(11_000);
  const few = await Promise.all(queries.map(read));
  await addMany(11_000);
  expect(await Promise.all(queries.map(read))).toEqual(few);
});
