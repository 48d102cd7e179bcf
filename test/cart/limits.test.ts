import { describe, expect, it } from "vitest";
import { call, callWith } from "../support/call.ts";
import { add, aGuest, cartOf, changeProduct } from "../support/carts.ts";
import { counted } from "../support/counting.ts";
import { aKey, aProduct, aUser } from "../support/shop.ts";

const shopper = async () => {
  const user = await aUser();
  return { ...user, as: user.token };
};

describe("the stock", () => {
  it("limits additions, and the message says so", async () => {
    const user = await shopper();
    const product = await aProduct({ stock: 3 });
    const first = await add(user, product, 5);
    expect(first.status).toBe(201);
    expect(first.body.message).toBe(`Only 3 of ${product.name} are in stock: the cart now has 3`);
    expect(first.body.data.items).toMatchObject([{ quantity: 3, issues: [] }]);
    const second = await add(user, product, 1);
    expect(second.body.message).toBe(first.body.message);
    expect(second.body.data.items).toMatchObject([{ quantity: 3 }]);
  });

  it("limits a line's quantity, and says nothing if it suffices", async () => {
    const user = await shopper();
    const product = await aProduct({ stock: 3 });
    const { body } = await add(user, product);
    const set = (quantity: number) => call(`PUT /cart/items/${body.data.items[0].id}`, { ...user, body: { quantity } });
    const tooMany = await set(4);
    expect([tooMany.status, tooMany.body.message]).toEqual([
      200,
      `Only 3 of ${product.name} are in stock: the cart now has 3`,
    ]);
    const fine = await set(3);
    expect([fine.body.message, fine.body.data.items[0].quantity]).toEqual(["Cart updated", 3]);
  });

  it.each([
    ["draft", { status: "draft" }, "is not for sale"],
    ["sold out", { stock: 0 }, "is out of stock"],
    ["draft and sold out", { status: "draft", stock: 0 }, "is not for sale"],
  ] as const)("does not let a %s product in, and leaves no cart behind", async (_, columns, words) => {
    const user = await shopper();
    const product = await aProduct(columns);
    const { status, body } = await add(user, product);
    expect([status, body.errors]).toEqual([400, { product_id: [words] }]);
    expect(await cartOf(user.id)).toBeUndefined();
    const guest = await add({ as: (await aKey()).key }, product);
    expect([guest.status, guest.headers.get("X-Cart-Token")]).toEqual([400, null]);
    const { data } = (await add(user, await aProduct())).body;
    expect((await add(user, product)).status).toBe(400);
    expect((await call("GET /cart", user)).body.data.items).toEqual(data.items);
  });

  it("does not distinguish an unknown product from a draft", async () => {
    const user = await shopper();
    const { status, body } = await add(user, { id: 987_654 });
    expect([status, body.errors]).toEqual([400, { product_id: ["is not for sale"] }]);
    expect(await cartOf(user.id)).toBeUndefined();
  });

  it.each([
    [{ status: "draft" }, "is no longer for sale"],
    [{ stockQuantity: 0 }, "is out of stock"],
  ] as const)("leaves a line as it is whose product can no longer be bought: %o", async (columns, words) => {
    const user = await shopper();
    const product = await aProduct();
    const { body } = await add(user, product, 2);
    await changeProduct(product.id, columns);
    const line = `/cart/items/${body.data.items[0].id}`;
    const set = await call(`PUT ${line}`, { ...user, body: { quantity: 1 } });
    expect([set.status, set.body.errors]).toEqual([400, { quantity: [`${product.name} ${words}`] }]);
    expect((await call("GET /cart", user)).body.data.items).toMatchObject([{ quantity: 2 }]);
    expect((await call(`DELETE ${line}`, user)).status).toBe(204);
  });
});

it("allows at most a thousand of one product in a line", async () => {
  const user = await shopper();
  const product = await aProduct({ stock: null });
  expect((await add(user, product, 1000)).body.message).toBe("Added to the cart");
  const { status, body } = await add(user, product, 1);
  expect([status, body.data.items[0].quantity]).toEqual([201, 1000]);
  expect(body.message).toBe(`A line can have at most 1000 units: the cart now has 1000 of ${product.name}`);
});

it.each([0, -1, 1.5, 1001, "1"])("refuses the quantity %j, added or set", async (quantity) => {
  const user = await shopper();
  const product = await aProduct();
  const { body } = await add(user, product);
  for (const [line, more] of [
    ["POST /cart", { product_id: product.id }],
    [`PUT /cart/items/${body.data.items[0].id}`, {}],
  ] as const) {
    const answer = await call(line, { ...user, body: { ...more, quantity } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["quantity"]]);
  }
});

it.each([
  [{}, "product_id"],
  [{ product_id: "1" }, "product_id"],
  [{ product_id: 0 }, "product_id"],
  [{ product_id: 1, unit_price: 1 }, "unit_price"],
  [[], "body"],
  ["{", "body"],
])("refuses the addition %j", async (body, field) => {
  const answer = await call("POST /cart", { ...(await shopper()), body });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
});

describe("the database", () => {
  it("is called once for any cart action of a user or a guest", async () => {
    const [user, { key }, product] = [await shopper(), await aKey(), await aProduct()];
    const own = (await add(user, product)).body.data.items[0].id;
    const guest = await aGuest(key, product);
    // For a user, both the user and the address are counted.
    const both = [
      { ...user, headers: {}, item: own, durableObjects: 2 },
      { ...guest, durableObjects: 1 },
    ];
    for (const { as, headers, item, durableObjects } of both) {
      for (const [line, body] of [
        ["GET /cart", undefined],
        ["POST /cart", { product_id: product.id }],
        [`PUT /cart/items/${item}`, { quantity: 2 }],
        [`DELETE /cart/items/${item}`, undefined],
        ["DELETE /cart", undefined],
      ] as const) {
        const { bindings, trips } = counted();
        expect((await callWith(bindings, line, { as, headers, body })).status).toBeLessThan(300);
        expect([line, trips]).toEqual([line, { d1: 1, durableObjects, r2: 0 }]);
      }
    }
  });

  it("adds up exactly what is added at the same moment", async () => {
    const [user, { key }] = [await shopper(), await aKey()];
    const [counting, scarce] = [await aProduct({ stock: null }), await aProduct({ stock: 7 })];
    const guest = await aGuest(key, counting);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => [
        add(user, counting, i + 1),
        add(user, scarce),
        add(guest, counting, 2),
      ]).flat(),
    );
    const mine = (await call("GET /cart", user)).body.data.items;
    const quantityOf = ({ id }: { id: number }) =>
      mine.find((item: { product_id: number }) => item.product_id === id).quantity;
    expect([mine.length, quantityOf(counting), quantityOf(scarce)]).toEqual([2, 210, 7]);
    expect((await call("GET /cart", guest)).body.data.items).toMatchObject([{ quantity: 41 }]);
  });
});
