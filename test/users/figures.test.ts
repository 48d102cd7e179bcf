import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { users } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { boughtGiftCards, redeem } from "../support/gift-cards.ts";
import { money } from "../support/money.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

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
