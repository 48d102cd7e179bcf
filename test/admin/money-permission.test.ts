import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { orders, transactions } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { placed } from "./orders/support.ts";

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
