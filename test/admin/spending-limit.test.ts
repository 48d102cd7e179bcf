import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { staffSpending, transactions } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";
import { placed } from "./orders/support.ts";

const LIMIT = toDecimal(settings.staffSpendingLimit);
const DAY_MS = 86_400_000;

const credit = async (as: string, amount: number, to?: { id: number }) =>
  call(`POST /admin/users/${(to ?? (await aUser({ wallet: 100_000 }))).id}/credit`, {
    as,
    body: { amount, reason: "Goodwill" },
  });

const refund = async (as: string, id: number, body: object = {}) =>
  call(`POST /admin/orders/${id}/refunds`, { as, body });

const spentBy = async (id: number) => {
  const rows = await db
    .select()
    .from(staffSpending)
    .where(eq(staffSpending.actor, `user:${id}`));
  return toDecimal(rows.reduce((sum, { amount }) => sum + amount, 0));
};

const moneyOf = (orderId: number) => db.select().from(transactions).where(eq(transactions.orderId, orderId));

describe("the daily limit on money moved by support", () => {
  it("is exact to the cent, with an error code of its own", async () => {
    const support = await aUser({ role: "support" });
    expect((await credit(support.token, LIMIT)).status).toBe(201);
    const customer = await aUser();
    const { status, body } = await credit(support.token, 0.01, customer);
    expect([status, body.code]).toEqual([409, "spending_limit"]);
    expect(body.details).toEqual([{ field: "amount", code: "spending_limit", limit: LIMIT, available: 0 }]);
    expect(body.message).toBe(
      "This counts 0.01 towards your limit of 200.00 in 24 hours, of which 0.00 is left. An administrator can do it",
    );
    expect(await db.select().from(transactions).where(eq(transactions.userId, customer.id))).toEqual([]);
    expect(await spentBy(support.id)).toBe(LIMIT);
  });

  it("adds up refunds, credits, debits, manual payments and cancellations", async () => {
    const support = await aUser({ role: "support" });
    const order = await placed({ price: 4000 });
    expect((await refund(support.token, order.id, { amount: 10 })).status).toBe(200);
    expect((await credit(support.token, 20)).status).toBe(201);
    expect((await credit(support.token, -30)).status).toBe(201);
    const unpaid = await placed({ price: 4000, method: "paypal" });
    const paid = await call(`PUT /admin/orders/${unpaid.id}`, { as: support.token, body: { payment_status: "paid" } });
    expect(paid.status).toBe(200);
    const cancelled = await call(`PUT /admin/orders/${order.id}`, { as: support.token, body: { status: "cancelled" } });
    expect(cancelled.status).toBe(200);
    const all = 10 + 20 + 30 + 40 + (40 - 10);
    expect(await spentBy(support.id)).toBe(all);
    expect((await credit(support.token, LIMIT - all + 0.01)).body.code).toBe("spending_limit");
    expect((await credit(support.token, LIMIT - all)).status).toBe(201);
  });

  it("cannot be exceeded by two simultaneous requests", async () => {
    const support = await aUser({ role: "support" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => credit(support.token, LIMIT / 2)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(await spentBy(support.id)).toBe(LIMIT);
  });

  it("leaves an order unchanged when its refund is refused", async () => {
    const support = await aUser({ role: "support" });
    await credit(support.token, LIMIT);
    const { id } = await placed();
    const before = await moneyOf(id);
    expect((await refund(support.token, id)).body.code).toBe("spending_limit");
    expect((await call(`PUT /admin/orders/${id}`, { as: support.token, body: { status: "refunded" } })).body.code).toBe(
      "spending_limit",
    );
    expect(await moneyOf(id)).toEqual(before);
    expect((await call(`PUT /admin/orders/${id}`, { as: support.token, body: { status: "completed" } })).status).toBe(
      200,
    );
  });

  it("resets after 24 hours, and not before", async () => {
    const support = await aUser({ role: "support" });
    await credit(support.token, LIMIT);
    const age = (ms: number) =>
      db
        .update(staffSpending)
        .set({ createdAt: Date.now() - ms })
        .where(eq(staffSpending.actor, `user:${support.id}`));
    await age(DAY_MS - 60_000);
    expect((await credit(support.token, 1)).status).toBe(409);
    await age(DAY_MS);
    expect((await credit(support.token, 1)).status).toBe(201);
  });

  it("counts a repeated request with one key once", async () => {
    const support = await aUser({ role: "support" });
    const { id } = await aUser();
    const sent = { as: support.token, body: { amount: 5, reason: "Gift" }, headers: { "Idempotency-Key": "spent" } };
    for (const _ of [1, 2]) expect((await call(`POST /admin/users/${id}/credit`, sent)).status).toBe(201);
    expect(await spentBy(support.id)).toBe(5);
  });

  it("applies to each person separately", async () => {
    const [one, other] = [await aUser({ role: "support" }), await aUser({ role: "support" })];
    await credit(one.token, LIMIT);
    expect((await credit(other.token, LIMIT)).status).toBe(201);
  });
});

it("does not apply to administrators, API keys, or staff who buy", async () => {
  const [admin, { key }] = [await aUser({ role: "admin" }), await aKey({ permissions: ["payments:write"] })];
  for (const as of [admin.token, key]) expect((await credit(as, LIMIT + 1)).status).toBe(201);
  const buyer = await aUser({ role: "support", wallet: 100_000 });
  const order = await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct({ price: 30_000 })) });
  expect((await call(`POST /account/orders/${order.body.data.id}/cancel`, { as: buyer.token })).status).toBe(200);
});
