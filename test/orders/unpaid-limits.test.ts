import { describe, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { pay, productNow } from "../support/orders.ts";
import { expectRefusal } from "../support/refusal.ts";
import { ADDRESS, aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const card = { payment_method: "credit_card" };
const guest = (email: string) => ({ ...card, customer: { email, name: "Ada" } });
type Product = Awaited<ReturnType<typeof aProduct>>;

const order = (as: string, product: Product, quantity: number, more: object = card) =>
  call("POST /orders", { as, body: orderOf(product, quantity, { ...more }), headers: onPurpose() });

const linesOf = (product: Product, quantities: number[]) => ({
  items: quantities.map((quantity) => ({ product_id: product.id, quantity, price: toDecimal(product.price) })),
});

describe("the stock that unpaid orders can reserve", () => {
  it.each([
    [100, 10],
    [20, 5],
    [1000, 100],
  ])("is of %d in stock at most %d", async (stock, limit) => {
    const [user, product] = [await aUser(), await aProduct({ stock })];
    const refused = await order(user.token, product, limit + 1);
    expectRefusal(refused, 400, "items.0.quantity");
    expect(refused.body.errors["items.0.quantity"][0]).toMatch(
      new RegExp(`at most ${limit} .* Orders paid immediately are not limited`),
    );
    expect(refused.body.details).toEqual([{ field: "items.0.quantity", code: "too_many_unpaid_units", limit }]);
    expect((await order(user.token, product, limit)).status).toBe(201);
    expectRefusal(await order(user.token, product, 1), 400, "items.0.quantity");
    expect((await productNow(product.id))?.stockQuantity).toBe(stock - limit);
  });

  it("counts several lines, and several orders at the same instant", async () => {
    const [user, product] = [await aUser(), await aProduct({ stock: 20 })];
    expectRefusal(
      await order(user.token, product, 1, { ...card, ...linesOf(product, [3, 3]) }),
      400,
      "items.1.quantity",
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(user.token, product, 2)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400, 400]);
    expect((await productNow(product.id))?.stockQuantity).toBe(16);
  });

  it("is a share of the remaining stock plus the buyer's reservations, in a quote as in an order", async () => {
    const [user, product] = [await aUser(), await aProduct({ stock: 100 })];
    const quoted = async (quantity: number) => {
      const { items } = orderOf(product, quantity);
      const body = { ...card, shipping_address: ADDRESS, items: items.map(({ price: _, ...item }) => item) };
      return (await call("POST /checkout/quote", { as: user.token, body })).body.data.problems;
    };
    expect((await order(user.token, product, 9)).status).toBe(201);
    expect(await quoted(1)).toEqual([]);
    expect(await quoted(2)).toMatchObject([{ code: "too_many_unpaid_units", limit: 10 }]);
    expect((await order(user.token, product, 1)).status).toBe(201);
    expect(await quoted(1)).toMatchObject([{ code: "too_many_unpaid_units", limit: 10 }]);
  });

  it("does not limit orders that are paid at once or free", async () => {
    const [user, product] = [await aUser({ wallet: 100_000 }), await aProduct({ stock: 50 })];
    expect((await order(user.token, product, 30, { payment_method: "wallet" })).status).toBe(201);
    expect((await order(user.token, await aProduct({ price: 0, stock: 50 }), 30)).status).toBe(201);
    expect((await order(user.token, await aProduct({ stock: null }), 30)).status).toBe(201);
  });

  it("is released by paying and by cancelling", async () => {
    const [user, product] = [await aUser(), await aProduct({ stock: 30 })];
    const { id } = (await order(user.token, product, 5)).body.data;
    await pay(id);
    const again = (await order(user.token, product, 5)).body.data;
    await call(`POST /account/orders/${again.id}/cancel`, { as: user.token });
    expect((await order(user.token, product, 5)).status).toBe(201);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is separate for each guest's address, in any spelling", async () => {
    const [{ key }, { key: other }, product] = [await aKey(), await aKey(), await aProduct({ stock: 100 })];
    expect((await order(key, product, 10, guest("ada@shop.test"))).status).toBe(201);
    for (const email of ["ADA@shop.test", " Ada@Shop.test "]) {
      expectRefusal(await order(other, product, 1, guest(email)), 400, "items.0.quantity");
    }
    expect((await order(key, product, 9, guest("grace@shop.test"))).status).toBe(201);
  });

  it("is ten times as much for a key's guests without an address", async () => {
    const [{ key }, product] = [await aKey(), await aProduct({ stock: 40 })];
    expect((await order(key, product, 30)).status).toBe(201);
    const small = await aProduct({ stock: 200 });
    expect((await order(key, small, 150)).status).toBe(201);
    expect((await order((await aKey()).key, await aProduct({ stock: 200 }), 201)).status).toBe(400);
  });
});

describe("unpaid orders", () => {
  const settings = { UNPAID_ORDERS: "2", UNPAID_UNITS: "3", UNPAID_PERCENT: "0" };

  it("are limited to ten for an account, in addition to any number paid at once", async () => {
    const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct({ stock: 1000 })];
    const answers = await Promise.all(Array.from({ length: 12 }, () => order(user.token, product, 1)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = await order(user.token, product, 1);
    expectRefusal(refused, 400, "body");
    expect(refused.body.details).toEqual([{ field: "body", code: "too_many_open_orders", limit: 10 }]);
    expect(refused.body.errors.body[0]).toMatch(
      /at most 10 .* Pay or cancel one first. Orders paid immediately are not/,
    );
    expect((await order(user.token, product, 1, { payment_method: "wallet" })).status).toBe(201);
    const { id } = answers.find(({ status }) => status === 201)?.body.data ?? {};
    await call(`POST /account/orders/${id}/cancel`, { as: user.token });
    expect((await order(user.token, product, 1)).status).toBe(201);
  });

  it("are limited to ten for a guest's address, and a hundred for a key's guests without one", async () => {
    const [{ key }, product] = [await aKey({ tier: "premium" }), await aProduct({ stock: 10_000 })];
    const statuses = async (many: number, more: object) => {
      const answers = await Promise.all(Array.from({ length: many }, () => order(key, product, 1, more)));
      return answers.filter(({ status }) => status === 201).length;
    };
    expect(await statuses(12, guest("ten@shop.test"))).toBe(10);
    expect(await statuses(102, card)).toBe(100);
    const refused = await order(key, product, 1);
    expect(refused.body.details).toEqual([{ field: "body", code: "too_many_open_orders", limit: 100 }]);
    expect(await statuses(1, guest("another@shop.test"))).toBe(1);
  });

  it("are limited to the deployment's number, and reserve as much", async () => {
    const [user, product] = [await aUser(), await aProduct({ stock: 1000 })];
    const body = (quantity: number) => orderOf(product, quantity, card);
    const place = async (quantity: number) =>
      (await callWith(settings, "POST /orders", { as: user.token, body: body(quantity), headers: onPurpose() })).status;
    expect([await place(4), await place(2), await place(2), await place(1), await place(1)]).toEqual([
      400, 201, 400, 201, 400,
    ]);
    expect((await order(user.token, product, 1)).status).toBe(201);
  });
});
