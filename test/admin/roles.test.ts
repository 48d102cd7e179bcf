import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { orders, type Role, roles, transactions, users } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { placed } from "./orders/support.ts";

const staff = roles.filter((role) => role !== "customer");

let admin: { id: number; email: string; token: string };
let support: { id: number; token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin", wallet: 10_000 });
  support = await aUser({ role: "support" });
});

const roleOf = async (id: number) =>
  (await db.select({ role: users.role }).from(users).where(eq(users.id, id)).get())?.role;

describe("a role", () => {
  it.each(staff)("%s cannot be given to a customer, who has to accept an invitation", async (role) => {
    const user = await anAccount();
    const body = { role, password: "given by the shop", name: "Renamed" };
    const answer = await call(`PUT /admin/users/${user.id}`, { as: admin.token, body });
    expect(answer.body.details).toMatchObject([{ field: "role", code: "not_applicable" }]);
    expect(await roleOf(user.id)).toBe("customer");
    expect((await call("POST /auth/login", { body: { email: user.email, password: PASSWORD } })).status).toBe(200);
  });

  it("of staff changes from the very next request on, and keeps their password and sessions", async () => {
    const user = await aUser({ role: "viewer" });
    const { id } = await aProduct();
    const rename = () => call(`PUT /admin/products/${id}`, { as: user.token, body: { name: "Renamed" } });
    expect((await rename()).status).toBe(403);
    await call(`PUT /admin/users/${user.id}`, { as: admin.token, body: { role: "catalogue" } });
    expect((await rename()).status).toBe(200);
    await call(`PUT /admin/users/${user.id}`, { as: admin.token, body: { role: "customer" } });
    expect((await rename()).status).toBe(403);
  });

  it.each([{ role: "admin" }, { role: "viewer" }, { password: "a new password" }])(
    "and a password cannot be set by other staff: %j",
    async (body) => {
      const { id } = await aUser();
      const answer = await call(`PUT /admin/users/${id}`, { as: support.token, body });
      expect([answer.status, answer.body.code]).toEqual([403, "administrators_only"]);
      expect(await roleOf(id)).toBe("customer");
    },
  );

  it("of the shop's last administrator cannot be changed by others", async () => {
    const others = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
    const answer = await call(`PUT /admin/users/${others[0]?.id}`, { as: support.token, body: { disabled: true } });
    expect(answer.status).toBe(404);
  });
});

describe("staff other than administrators", () => {
  it.each(staff)("neither find nor change an account with the role %s", async (role) => {
    const colleague = await aUser({ role, wallet: 5_000 });
    const product = await aProduct();
    const order = (await call("POST /orders", { as: colleague.token, body: orderOf(product) })).body.data;
    for (const [line, body] of [
      [`GET /admin/users/${colleague.id}`],
      [`PUT /admin/users/${colleague.id}`, { email: "taken@over.test" }],
      [`GET /admin/orders/${order.id}`],
      [`PUT /admin/orders/${order.id}`, { status: "cancelled" }],
    ] as const) {
      expect((await call(line, { as: support.token, body })).status, line).toBe(404);
    }
    const credit = { as: support.token, body: { amount: 1, reason: "Gift" } };
    expect((await call(`POST /admin/users/${colleague.id}/credit`, credit)).status).toBe(404);
    const listed = await call(`GET /admin/users?search=${colleague.email}`, { as: support.token });
    expect(listed.body.data).toEqual([]);
    expect((await call("GET /admin/staff", { as: support.token })).status).toBe(403);
  });

  it("grant themselves nothing", async () => {
    const body = { amount: 1, reason: "Gift" };
    expect((await call(`POST /admin/users/${support.id}/credit`, { as: support.token, body })).status).toBe(404);
    const promote = ({ id }: { id: number }) =>
      call(`PUT /admin/users/${id}`, { as: support.token, body: { role: "admin" } });
    expect((await promote(support)).status).toBe(404);
    expect((await promote(await aUser({}))).status).toBe(403);
  });

  it.each<[Role, number]>([
    ["catalogue", 200],
    ["viewer", 404],
    ["support", 404],
  ])("see drafts in the shop if they may write products: %s", async (role, status) => {
    const [{ id }, { token }] = [await aProduct({ status: "draft" }), await aUser({ role })];
    expect((await call(`GET /products/${id}`, { as: token })).status).toBe(status);
  });

  it("buy like anybody else", async () => {
    const viewer = await aUser({ role: "viewer", wallet: 5_000 });
    const placed = await call("POST /orders", { as: viewer.token, body: orderOf(await aProduct()) });
    expect(placed.status).toBe(201);
    const cancelled = await call(`POST /account/orders/${placed.body.data.id}/cancel`, { as: viewer.token });
    expect(cancelled.status).toBe(200);
  });
});

// API keys cannot manage administrators: these routes do not exist for a key, whatever its permissions.

let key: string;
let order: { id: number };

beforeAll(async () => {
  ({ key } = await aKey());
  order = (await call("POST /orders", { as: admin.token, body: orderOf(await aProduct()) })).body.data;
});

describe("an API key with every permission", () => {
  it.each([
    ["GET", () => `/admin/users/${admin.id}`, undefined],
    ["GET", () => `/admin/orders/${order.id}`, undefined],
    ["PUT", () => `/admin/orders/${order.id}`, { status: "cancelled" }],
    ["POST", () => `/admin/orders/${order.id}/refunds`, {}],
    ["POST", () => `/admin/users/${admin.id}/credit`, { amount: 5, reason: "Welcome" }],
  ])("cannot find an administrator's records: %s %s", async (method, path, body) => {
    expect((await call(`${method} ${path()}`, { as: key, body })).status).toBe(404);
  });

  it("cannot find an administrator's packages", async () => {
    const held = await aPackage(admin.id, [(await aFile()).id]);
    expect((await call(`GET /admin/packages/${held.id}`, { as: key })).status).toBe(404);
  });

  it("does not list an administrator's records, which an administrator sees", async () => {
    for (const path of [
      `orders?user_id=${admin.id}`,
      `orders?search=${admin.email}`,
      `transactions?user_id=${admin.id}`,
    ]) {
      expect((await call(`GET /admin/${path}`, { as: key })).body.pagination.total_items, path).toBe(0);
      expect((await call(`GET /admin/${path}`, { as: admin.token })).body.pagination.total_items, path).toBeGreaterThan(
        0,
      );
    }
  });

  it("signs no administrator in, and gets the error for a wrong password", async () => {
    const other = await anAccount({ role: "admin" });
    const customer = await anAccount();
    const logIn = (email: string, password: string) => call("POST /auth/login", { as: key, body: { email, password } });
    const right = await logIn(other.email, PASSWORD);
    const wrong = await logIn(other.email, "not the password");
    expect([right.status, right.body]).toEqual([401, wrong.body]);
    expect((await logIn(customer.email, PASSWORD)).status).toBe(200);
  });
});

// Only keys with payments:write move money. Whether a change moves money can depend on the order.

const STOREFRONT = ["products:read", "carts:read", "carts:write", "sessions:write", "checkout:read", "checkout:write"];

let wide: string;
let payments: string;

beforeAll(async () => {
  ({ key: wide } = await aKey({ permissions: ["read", "write", "orders:read", "orders:write", "users:write"] }));
  ({ key: payments } = await aKey({ permissions: ["orders:write", "payments:write"] }));
});

const stateOf = async (id: number) => ({
  order: await db.select().from(orders).where(eq(orders.id, id)).get(),
  money: await db.select().from(transactions).where(eq(transactions.orderId, id)),
});

/** An order that was shipped and is not paid yet. */
async function aShippedInvoice() {
  const admin = (await aUser({ role: "admin" })).token;
  await call("PUT /admin/payment-settings", { as: admin, body: { invoice: { offered: true } } });
  const order = await placed({ method: "invoice" });
  const body = { status: "shipped", shipment: { carrier: "Post" } };
  expect((await call(`PUT /admin/orders/${order.id}`, { as: admin, body })).status).toBe(200);
  return order;
}

const anUnsentOrder = () => placed({ type: "digital", requiresShipping: false, method: "paypal" });

describe.each<[what: string, order: () => Promise<{ id: number }>, body: Record<string, unknown>]>([
  ["marks an order paid", () => placed({ method: "paypal" }), { payment_status: "paid" }],
  ["marks it paid by its status", () => placed({ method: "paypal" }), { status: "processing" }],
  ["marks it paid by completing it", anUnsentOrder, { status: "completed" }],
  ["refunds a paid order", () => placed(), { status: "refunded", restock: true }],
  ["cancels a paid order", () => placed(), { status: "cancelled" }],
  ["cancels an unpaid order whose goods stay away", aShippedInvoice, { status: "cancelled" }],
])("a change that %s", (_, order, body) => {
  it("is 403 for a key with orders:write and every other bare permission, and changes nothing", async () => {
    const { id } = await order();
    const before = await stateOf(id);
    const answer = await call(`PUT /admin/orders/${id}`, { as: wide, body });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain("payments:write");
    expect(await stateOf(id)).toEqual(before);
  });

  it("is allowed for a key that also has payments:write", async () => {
    const { id } = await order();
    expect((await call(`PUT /admin/orders/${id}`, { as: payments, body })).status).toBe(200);
  });
});

describe("a key with only orders:write", () => {
  it.each<[what: string, order: () => Promise<{ id: number }>, body: Record<string, unknown>]>([
    ["cancels what was not paid", () => placed({ method: "paypal" }), { status: "cancelled" }],
    ["takes a parcel back that was not paid", aShippedInvoice, { status: "cancelled", restock: true }],
    ["sends what was paid", () => placed(), { status: "shipped", shipment: { carrier: "Post" } }],
    ["completes what was paid", () => placed(), { status: "completed" }],
  ])("%s", async (_, order, body) => {
    const { key } = await aKey({ permissions: ["orders:write"] });
    expect((await call(`PUT /admin/orders/${(await order()).id}`, { as: key, body })).status).toBe(200);
  });
});

describe("the key of a storefront", () => {
  it("signs a shopper in, and places, reads and cancels guest orders", async () => {
    const { key } = await aKey({ permissions: STOREFRONT });
    const [{ email }, product] = [await anAccount(), await aProduct()];
    expect((await call("POST /auth/login", { as: key, body: { email, password: PASSWORD } })).status).toBe(200);
    const body = orderOf(product, 1, { payment_method: "paypal" });
    const { data } = (await call("POST /orders", { as: key, body })).body;
    expect((await call(`GET /account/orders/${data.id}`, { as: key })).status).toBe(200);
    expect((await call("GET /account/transactions", { as: key })).status).toBe(200);
    expect((await call(`POST /account/orders/${data.id}/cancel`, { as: key })).status).toBe(200);
  });

  it("adds no money, and reaches no accounts and no other orders", async () => {
    const { key } = await aKey({ permissions: STOREFRONT });
    const [{ id: userId }, { id }] = [await aUser(), await placed({ method: "paypal" })];
    const credit = { amount: 100, reason: "Gift" };
    for (const [line, body] of [
      [`POST /admin/users/${userId}/credit`, credit],
      [`PUT /admin/orders/${id}`, { payment_status: "paid" }],
      [`POST /admin/orders/${id}/refunds`, {}],
      [`GET /admin/orders/${id}`, undefined],
      [`GET /admin/users/${userId}`, undefined],
      [`PUT /admin/users/${userId}`, { name: "Renamed" }],
    ] as const) {
      expect((await call(line, { as: key, body })).status, line).toBe(403);
    }
  });
});
