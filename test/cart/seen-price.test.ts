import { beforeAll, describe, expect, it } from "vitest";
import { formatAmount, toMinor } from "../../src/domain/money.ts";
import { call } from "../support/call.ts";
import { add, changeProduct } from "../support/carts.ts";
import { money } from "../support/money.ts";
import { aKey, aProduct, aUser } from "../support/shop.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
});

const WITH_KEY = () => ({ "Idempotency-Key": crypto.randomUUID() });

/** Error for an order with an outdated price, without the line item that it names. */
const changedTo = (price: number) => ({
  status: 400,
  body: {
    code: "price_changed",
    errors: { price: [expect.stringContaining(`is now ${formatAmount(toMinor(price))}`)] },
    details: [{ field: "price", code: "price_changed", price }],
  },
});

describe("POST /cart", () => {
  it("accepts an order's item, with the price that the buyer saw", async () => {
    const { id } = await aProduct({ price: 1250 });
    const { token } = await aUser();
    const item = { product_id: id, quantity: 2, price: money(12.5) };
    for (const headers of [{}, WITH_KEY()]) {
      expect(await call("POST /cart", { as: token, body: item, headers })).toMatchObject({ status: 201 });
    }
    const { items } = (await call("GET /cart", { as: token })).body.data;
    expect(items).toMatchObject([{ product_id: id, quantity: 4, unit_price: money(12.5), price_changed: false }]);
  });

  it("returns the current price instead of an outdated one, and leaves nothing behind", async () => {
    const { id } = await aProduct({ price: 1250 });
    for (const price of [12.49, 0, 1250].map(money)) {
      const body = { product_id: id, quantity: 1, price };
      const refused = await call("POST /cart", { as: key, body });
      expect(refused).toMatchObject(changedTo(money(12.5)));
      expect(refused.headers.get("X-Cart-Token")).toBeNull();
    }
    const shopper = { as: (await aUser()).token };
    await add(shopper, { id });
    const before = (await call("GET /cart", shopper)).body.data;
    const headers = WITH_KEY();
    const old = { product_id: id, quantity: 1, price: money(12) };
    expect(await call("POST /cart", { ...shopper, headers, body: old })).toMatchObject(changedTo(money(12.5)));
    expect((await call("GET /cart", shopper)).body.data.items).toEqual(before.items);
    await changeProduct(id, { price: 1200 });
    expect(await call("POST /cart", { ...shopper, headers, body: old })).toMatchObject({ status: 201 });
  });

  it("gives the error of an order: the same code and the current price", async () => {
    const { id } = await aProduct({ price: 1250 });
    const { token } = await aUser();
    const item = { product_id: id, quantity: 1, price: money(9) };
    const order = {
      items: [item],
      payment_method: "paypal",
      shipping_address: { name: "A", address: "B", city: "C", zip: "D" },
    };
    const [inCart, ordered] = [
      await call("POST /cart", { as: token, body: item }),
      await call("POST /orders", { as: token, body: order, headers: WITH_KEY() }),
    ];
    const [detail] = ordered.body.details;
    expect(detail).toMatchObject({ field: "items.0.price", code: "price_changed" });
    expect(inCart.body.details).toEqual([{ ...detail, field: "price" }]);
    expect(inCart.body.errors.price).toEqual(ordered.body.errors["items.0.price"]);
  });
});

describe("PUT /cart/items/:id", () => {
  it("sets the quantity at the current price, and refuses an outdated price without a change", async () => {
    const { id } = await aProduct({ price: 1250 });
    const shopper = { as: (await aUser()).token };
    const item = (await add(shopper, { id })).body.data.items[0].id;
    const put = (body: object) => call(`PUT /cart/items/${item}`, { ...shopper, body });
    expect((await put({ quantity: 3, price: money(12.5) })).body.data.items).toMatchObject([{ quantity: 3 }]);
    await changeProduct(id, { price: 1400 });
    expect(await put({ quantity: 5, price: money(12.5) })).toMatchObject(changedTo(money(14)));
    const { items } = (await call("GET /cart", shopper)).body.data;
    expect(items).toMatchObject([{ quantity: 3, price_changed: true }]);
    expect((await put({ quantity: 5 })).body.data.items).toMatchObject([{ quantity: 5, price_changed: false }]);
  });
});
