import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { shopCurrency } from "../../src/domain/money.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { add, cartOf, changeProduct } from "../support/carts.ts";
import { money } from "../support/money.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const shopper = async () => {
  const user = await aUser();
  return { ...user, as: user.token };
};

const EMPTY = {
  id: null,
  token: null,
  currency: shopCurrency(),
  items: [],
  item_count: 0,
  subtotal: 0,
  total: 0,
  expires_at: null,
  updated_at: null,
};

describe("a user's cart", () => {
  it("is empty at first, and reading it writes nothing", async () => {
    const user = await shopper();
    const { status, body, headers } = await call("GET /cart", user);
    expect([status, headers.get("X-Cart-Token")]).toEqual([200, null]);
    expect(body).toStrictEqual({ status: "success", message: expect.any(String), data: EMPTY });
    expect(await cartOf(user.id)).toBeUndefined();
  });

  it("has at most a hundred lines, of which each can still grow", async () => {
    const user = await shopper();
    const products = await Promise.all(Array.from({ length: 101 }, () => aProduct()));
    const [first, ...others] = products;
    if (first) await add(user, first);
    const cartId = (await cartOf(user.id))?.id ?? 0;
    const line = sql`SELECT ${cartId}, value, 1, 0 FROM json_each(${JSON.stringify(others.slice(1).map(({ id }) => id))})`;
    await db.run(sql`INSERT INTO cart_items (cart_id, product_id, quantity, seen_price) ${line}`);
    const refused = await add(user, { id: others[0]?.id ?? 0 });
    expectRefusal(refused, 400, "product_id", "cart_full");
    expect(refused.body.errors).toEqual({ product_id: ["does not fit: the cart already has 100 lines"] });
    expect(refused.body.details).toMatchObject([{ limit: 100 }]);
    const { items } = (await add(user, { id: first?.id ?? 0 })).body.data;
    expect([items.length, items[0].quantity]).toEqual([100, 2]);
  });

  it("returns the whole cart for an addition, visible to every session of the user", async () => {
    const user = await shopper();
    const images = [{ url: "/images/lamp.svg", alt: "" }];
    const lamp = await aProduct({ price: 1999, images, stock: 5 });
    const { id: file } = await aFile({ access: "package" });
    const song = await aProduct({ type: "digital", price: 5, stock: null, fileIds: [file] });
    await add(user, lamp, 3);
    const { status, body, headers } = await add(user, song);
    expect([status, headers.get("X-Cart-Token")]).toEqual([201, null]);
    expect(body.data).toStrictEqual({
      id: (await cartOf(user.id))?.id,
      token: null,
      currency: shopCurrency(),
      items: [
        {
          id: expect.any(Number),
          product_id: lamp.id,
          name: lamp.name,
          sku: lamp.sku,
          option_values: [],
          image_url: `${ORIGIN}/images/lamp.svg`,
          type: "physical",
          requires_shipping: true,
          requires_account: false,
          quantity: 3,
          unit_price: money(19.99),
          unit_pricing: null,
          line_total: money(59.97),
          available_quantity: 5,
          price_changed: false,
          issues: [],
        },
        {
          id: expect.any(Number),
          product_id: song.id,
          name: song.name,
          sku: song.sku,
          option_values: [],
          image_url: null,
          type: "digital",
          requires_shipping: false,
          requires_account: false,
          quantity: 1,
          unit_price: money(0.05),
          unit_pricing: null,
          line_total: money(0.05),
          available_quantity: null,
          price_changed: false,
          issues: [],
        },
      ],
      item_count: 4,
      subtotal: money(60.02),
      total: money(60.02),
      expires_at: null,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await call("GET /cart", user)).body.data).toStrictEqual(body.data);
  });

  it("adds the same product to its line", async () => {
    const user = await shopper();
    const product = await aProduct();
    await add(user, product, 2);
    const { body } = await add(user, product, 3);
    expect(body.data.items).toMatchObject([{ product_id: product.id, quantity: 5, line_total: money(50) }]);
  });

  it("sets the quantity of a line, up and down", async () => {
    const user = await shopper();
    const { body } = await add(user, await aProduct(), 2);
    for (const quantity of [7, 1]) {
      const line = `PUT /cart/items/${body.data.items[0].id}`;
      const answer = await call(line, { ...user, body: { quantity } });
      expect([answer.status, answer.body.data.items[0].quantity, answer.body.data.total]).toEqual([
        200,
        quantity,
        money(quantity * 10),
      ]);
    }
  });

  it("removes a line, once, and leaves the others", async () => {
    const user = await shopper();
    await add(user, await aProduct());
    const { body } = await add(user, await aProduct());
    const [gone, kept] = body.data.items;
    const answer = await call(`DELETE /cart/items/${gone.id}`, user);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect((await call("GET /cart", user)).body.data.items).toStrictEqual([kept]);
    expect((await call(`DELETE /cart/items/${gone.id}`, user)).status).toBe(404);
  });

  it("is emptied any number of times", async () => {
    const user = await shopper();
    expect((await call("DELETE /cart", user)).status).toBe(204);
    await add(user, await aProduct());
    await add(user, await aProduct());
    for (let i = 0; i < 2; i++) {
      const { status, body } = await call("DELETE /cart", user);
      expect([status, body]).toEqual([204, ""]);
    }
    expect((await call("GET /cart", user)).body.data).toMatchObject({ items: [], item_count: 0, total: 0 });
  });

  it("is private: another user's lines are not found", async () => {
    const [user, stranger] = [await shopper(), await shopper()];
    const { body } = await add(user, await aProduct(), 2);
    await add(stranger, await aProduct());
    const item = body.data.items[0].id;
    expect((await call(`PUT /cart/items/${item}`, { ...stranger, body: { quantity: 9 } })).status).toBe(404);
    expect((await call(`DELETE /cart/items/${item}`, stranger)).status).toBe(404);
    await call("DELETE /cart", stranger);
    expect((await call("GET /cart", user)).body.data.items).toStrictEqual(body.data.items);
  });

  it("loses products that are deleted", async () => {
    const user = await shopper();
    const product = await aProduct();
    await add(user, product);
    await db.delete(tables.products).where(eq(tables.products.id, product.id));
    expect((await call("GET /cart", user)).body.data).toMatchObject({ items: [], total: 0 });
  });
});

describe("changes since a line was set", () => {
  it("show the current price and say that it changed, until the line is set again", async () => {
    const user = await shopper();
    const product = await aProduct({ price: 1000 });
    const { body } = await add(user, product, 2);
    await changeProduct(product.id, { price: 1250 });
    const changed = await call("GET /cart", user);
    expect(changed.body.data).toMatchObject({
      items: [{ unit_price: money(12.5), line_total: money(25), price_changed: true, issues: [] }],
      total: money(25),
    });
    const set = await call(`PUT /cart/items/${body.data.items[0].id}`, { ...user, body: { quantity: 2 } });
    expect(set.body.data.items).toMatchObject([{ unit_price: money(12.5), price_changed: false }]);
    await changeProduct(product.id, { price: 1 });
    expect((await add(user, product)).body.data.items).toMatchObject([
      { unit_price: money(0.01), quantity: 3, price_changed: false },
    ]);
  });

  it.each([
    ["is a draft", { status: "draft" }, 0, ["not_for_sale"]],
    ["is a draft without stock", { status: "draft", stockQuantity: 0 }, 0, ["not_for_sale"]],
    ["is sold out", { stockQuantity: 0 }, 0, ["out_of_stock"]],
    ["has less stock than the line", { stockQuantity: 4 }, 4, ["insufficient_stock"]],
    ["has just enough stock", { stockQuantity: 5 }, 5, []],
    ["is no longer counted", { manageStock: false, stockQuantity: null }, null, []],
  ] as const)("tells of a line whose product %s", async (_, columns, available_quantity, issues) => {
    const user = await shopper();
    const product = await aProduct({ stock: 8 });
    await add(user, product, 5);
    await changeProduct(product.id, columns);
    const { body } = await call("GET /cart", user);
    expect(body.data.items).toMatchObject([{ quantity: 5, available_quantity, issues }]);
  });
});

it("is the only cart emptied by the user's order, whatever guest cart X-Cart-Token names", async () => {
  const [{ token: as }, { key }, product] = [await aUser({ wallet: 10_000 }), await aKey(), await aProduct()];
  const put = (as: string) => call("POST /cart", { as, body: { product_id: product.id, quantity: 1 } });
  await put(as);
  const guest = { "X-Cart-Token": (await put(key)).body.data.token };
  expect((await call("POST /orders", { as, body: orderOf(product), headers: guest })).status).toBe(201);
  expect((await call("GET /cart", { as })).body.data.items).toEqual([]);
  expect((await call("GET /cart", { as: key, headers: guest })).body.data.items).toHaveLength(1);
});
