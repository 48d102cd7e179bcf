import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { anAdministrator, placed } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { outlive, pay, productNow } from "../support/orders.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdministrator();
});

const count = (id: number, quantity: number) =>
  admin.ask(`POST /admin/products/${id}/stock`, { quantity, reason: "Counted" });
const put = (id: number, body: unknown) => admin.ask(`PUT /admin/products/${id}`, body);
const buy = async (product: { id: number; price: number }, quantity: number) => {
  const user = await aUser({ wallet: 100_000 });
  const { status, body } = await call("POST /orders", { as: user.token, body: orderOf(product, quantity) });
  return { status, id: body.data?.id as number, token: user.token };
};

it("keeps the search correct when stock starts to be managed together with another change", async () => {
  const product = await aProduct({ stock: null, name: "Zeppelin" });
  expect((await buy(product, 1)).status).toBe(201);
  expect((await put(product.id, { manage_stock: true, stock_quantity: 1, price: 12 })).status).toBe(200);
  await db.run(sql`INSERT INTO products_search (products_search, rank) VALUES ('integrity-check', 1)`);
  const found = async (in_stock: boolean) =>
    (await call(`GET /products?search=zeppelin&in_stock=${in_stock}`, { as: admin.token })).body.data.length;
  expect([await found(true), await found(false)]).toEqual([0, 1]);
});

describe("a count", () => {
  it("makes available the stock that unshipped orders do not reserve", async () => {
    const { product } = await placed({ quantity: 3 });
    await placed({ quantity: 1, method: "paypal" });
    const { status, body } = await count(product.id, 8);
    expect([status, body.data.stock_quantity]).toEqual([200, 5]);
  });

  it("does not subtract shipped, cancelled, returned or expired orders", async () => {
    const product = await aProduct({ stock: 10 });
    const [sent, cancelled, refunded] = [await buy(product, 2), await buy(product, 2), await buy(product, 2)];
    await admin.ship(sent.id);
    await call(`POST /account/orders/${cancelled.id}/cancel`, { as: cancelled.token });
    await admin.refund(refunded.id);
    const { body } = await call("POST /orders", {
      as: cancelled.token,
      body: orderOf(product, 1, { payment_method: "paypal" }),
    });
    await outlive(body.data.id);
    await expireOrders(db, Date.now());
    expect((await count(product.id, 5)).body.data.stock_quantity).toBe(5);
    expect(await brokenInvariants()).toEqual({});
  });

  it("below the reserved quantity is refused, and the error names that number", async () => {
    const { product } = await placed({ quantity: 3 });
    const refused = await count(product.id, 2);
    expectRefusal(refused, 400, "quantity");
    expect(refused.body.details).toEqual([{ field: "quantity", code: "below_held", held: 3 }]);
    expect((await productNow(product.id))?.stockQuantity).toBe(7);
    expect((await count(product.id, 3)).body.data.stock_quantity).toBe(0);
  });
});

describe("stock whose management is switched off and on", () => {
  it("sells only what was counted, and a later cancellation returns its own units", async () => {
    const product = await aProduct({ stock: 10 });
    const order = await buy(product, 4);
    await put(product.id, { manage_stock: false });
    const { body } = await put(product.id, { manage_stock: true, stock_quantity: 10 });
    expect(body.data.stock_quantity).toBe(6);
    expect((await buy(product, 7)).status).toBe(400);
    await call(`POST /account/orders/${order.id}/cancel`, { as: order.token });
    expect((await productNow(product.id))?.stockQuantity).toBe(10);
    expect(await brokenInvariants()).toEqual({});
  });

  it("gets nothing from an order that was cancelled in between", async () => {
    const product = await aProduct({ stock: 10 });
    const order = await buy(product, 4);
    await put(product.id, { manage_stock: false });
    await call(`POST /account/orders/${order.id}/cancel`, { as: order.token });
    expect((await put(product.id, { manage_stock: true, stock_quantity: 10 })).body.data.stock_quantity).toBe(10);
  });

  it("includes orders placed while it was not managed", async () => {
    const product = await aProduct({ stock: null });
    const [order, sent] = [await buy(product, 4), await buy(product, 2)];
    await admin.ship(sent.id);
    const refused = await put(product.id, { manage_stock: true, stock_quantity: 3 });
    expectRefusal(refused, 400, "stock_quantity");
    expect(refused.body.details).toEqual([{ field: "stock_quantity", code: "below_held", held: 4 }]);
    expect(await productNow(product.id)).toMatchObject({ manageStock: false, stockQuantity: null });
    expect((await put(product.id, { manage_stock: true, stock_quantity: 4 })).body.data).toMatchObject({
      stock_quantity: 0,
      in_stock: false,
    });
    await admin.ship(order.id);
    expect((await count(product.id, 1)).body.data.stock_quantity).toBe(1);
    expect(await brokenInvariants()).toEqual({});
  });

  it("reserves the units of an expired order again if it is paid late", async () => {
    const product = await aProduct({ stock: null });
    const user = await aUser();
    const body = orderOf(product, 2, { payment_method: "paypal" });
    const { data } = (await call("POST /orders", { as: user.token, body })).body;
    await outlive(data.id);
    await expireOrders(db, Date.now());
    await put(product.id, { manage_stock: true, stock_quantity: 3 });
    await pay(data.id);
    expect((await productNow(product.id))?.stockQuantity).toBe(1);
    expect(await brokenInvariants()).toEqual({});
  });
});

it("restocks returned goods, and loses those that were not returned", async () => {
  const { id, item, product } = await placed({ quantity: 3 });
  await admin.ship(id);
  await admin.refund(id, { items: [{ id: item, quantity: 1 }], restock: true });
  await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
  expect((await count(product.id, 8)).status).toBe(200);
  expect((await productNow(product.id))?.stockQuantity).toBe(8);
  expect(await brokenInvariants()).toEqual({});
});
