import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { add, aGuest, cartNamed } from "../support/carts.ts";
import { lacking } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db } from "../support/shop.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
});

const aToken = () => `sfc_${"x".repeat(32)}${crypto.randomUUID().slice(0, 11)}`;

describe("a guest", () => {
  it("gets a cart with the first addition, and its token in the body and in a header", async () => {
    const product = await aProduct({ price: 1250 });
    const { status, body, headers } = await add({ as: key }, product, 2);
    expect(status).toBe(201);
    expect(body.data.token).toMatch(/^sfc_[\w-]{43}$/);
    expect(headers.get("X-Cart-Token")).toBe(body.data.token);
    expect(body.data).toMatchObject({
      id: expect.any(Number),
      items: [{ product_id: product.id, quantity: 2 }],
      total: 25,
    });
    expect(Date.parse(body.data.expires_at)).toBeGreaterThan(Date.now());
    const again = await call("GET /cart", { as: key, headers: { "X-Cart-Token": body.data.token } });
    expect(again.body.data).toStrictEqual(body.data);
    expect(again.headers.get("X-Cart-Token")).toBe(body.data.token);
  });

  it("has an empty cart before that, which is not written", async () => {
    const { status, body, headers } = await call("GET /cart", { as: key });
    expect([status, headers.get("X-Cart-Token")]).toEqual([200, null]);
    expect(body.data).toMatchObject({ id: null, token: null, items: [], total: 0, expires_at: null });
  });

  it("learns how to name a cart until a request names one", async () => {
    const product = await aProduct();
    const [none, first] = [await call("GET /cart", { as: key }), await add({ as: key }, product)];
    for (const { body } of [none, first]) expect(body.message).toContain("X-Cart-Token");
    const named = { as: key, headers: { "X-Cart-Token": first.body.data.token } };
    expect((await call("GET /cart", named)).body.message).toBe("Cart");
    expect((await add(named, product)).body.message).toBe("Added to the cart");
    const user = { as: (await aUser()).token };
    expect((await call("GET /cart", user)).body.message).toBe("Cart");
  });

  it("gets a new cart each time that no token is sent", async () => {
    const product = await aProduct();
    const [one, other] = [await aGuest(key, product), await aGuest(key, product)];
    expect(one.cartId).not.toBe(other.cartId);
    expect(one.token).not.toBe(other.token);
  });

  it("is identified by the token, with any key", async () => {
    const product = await aProduct();
    const guest = await aGuest(key, product);
    const other = { as: (await aKey()).key, headers: guest.headers };
    expect((await call("GET /cart", other)).body.data.id).toBe(guest.cartId);
    const added = await add(other, product);
    expect([added.status, added.body.data.id, added.body.data.items[0].quantity]).toEqual([201, guest.cartId, 2]);
    const set = await call(`PUT /cart/items/${guest.item}`, { ...other, body: { quantity: 5 } });
    expect([set.status, set.headers.get("X-Cart-Token"), set.body.data.token]).toEqual([200, guest.token, guest.token]);
    expect((await call("GET /cart", guest)).body.data.items).toMatchObject([{ quantity: 5 }]);
    expect((await call(`DELETE /cart/items/${guest.item}`, other)).status).toBe(204);
    await add(guest, product);
    expect((await call("DELETE /cart", other)).status).toBe(204);
    expect((await call("GET /cart", guest)).body.data).toMatchObject({ id: guest.cartId, items: [] });
  });

  it("cannot reach lines of other carts or of users", async () => {
    const product = await aProduct();
    const [guest, other] = [await aGuest(key, product), await aGuest(key, product)];
    const user = { as: (await aUser()).token };
    const users = (await add(user, product)).body.data.items[0].id;
    for (const item of [other.item, users]) {
      for (const { headers } of [guest, { headers: {} }]) {
        const set = await call(`PUT /cart/items/${item}`, { as: key, headers, body: { quantity: 9 } });
        const removed = await call(`DELETE /cart/items/${item}`, { as: key, headers });
        expect([set.status, removed.status]).toEqual([404, 404]);
      }
    }
    expect((await call(`DELETE /cart/items/${guest.item}`, user)).status).toBe(404);
    for (const each of [guest, other, user]) {
      expect((await call("GET /cart", each)).body.data.items).toMatchObject([{ quantity: 1 }]);
    }
  });
});

describe("the token", () => {
  it("is stored as a hash only", async () => {
    const { token, cartId } = await aGuest(key, await aProduct());
    expect((await cartNamed(token))?.id).toBe(cartId);
    const row = await db.select().from(tables.carts).where(eq(tables.carts.id, cartId)).get();
    expect(JSON.stringify(row)).not.toContain(token.slice(4));
    expect(row?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is 404 for a cart that was not made here, and makes none", async () => {
    const product = await aProduct();
    const guest = await aGuest(key, product);
    const token = aToken();
    const stranger = { as: key, headers: { "X-Cart-Token": token } };
    const answers = [
      await call("GET /cart", stranger),
      await add(stranger, product),
      await call(`PUT /cart/items/${guest.item}`, { ...stranger, body: { quantity: 2 } }),
      await call(`DELETE /cart/items/${guest.item}`, stranger),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    for (const { headers } of answers) expect(headers.get("X-Cart-Token")).toBeNull();
    expect(await cartNamed(token)).toBeUndefined();
    expect((await call("GET /cart", guest)).body.data.items).toMatchObject([{ quantity: 1 }]);
  });

  it.each(["nonsense", "sfc_short", `sfc_${"x".repeat(44)}`, `sfk_${"x".repeat(43)}`, `sfc_${"x".repeat(42)}!`])(
    "is refused if it is malformed: %s",
    async (token) => {
      const headers = { "X-Cart-Token": token };
      const product = await aProduct();
      for (const [line, body] of [
        ["GET /cart", undefined],
        ["POST /cart", { product_id: product.id }],
        ["PUT /cart/items/1", { quantity: 1 }],
        ["DELETE /cart/items/1", undefined],
        ["DELETE /cart", undefined],
      ] as const) {
        const answer = await call(line, { as: key, headers, body });
        expect([line, answer.status, answer.body.errors]).toEqual([
          line,
          400,
          { "x-cart-token": ["is not a cart token"] },
        ]);
      }
    },
  );

  it("is invalid once the cart has expired, and never restores it", async () => {
    const product = await aProduct();
    const guest = await aGuest(key, product);
    const expired = Date.now() - 1;
    await db.update(tables.carts).set({ expiresAt: expired }).where(eq(tables.carts.id, guest.cartId));
    const answers = [
      await call("GET /cart", guest),
      await add(guest, product),
      await call(`PUT /cart/items/${guest.item}`, { ...guest, body: { quantity: 2 } }),
      await call(`DELETE /cart/items/${guest.item}`, guest),
      await call("GET /cart", guest),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await cartNamed(guest.token))?.expiresAt).toBe(expired);
  });

  it("extends its cart's life with every change", async () => {
    const product = await aProduct();
    const guest = await aGuest(key, product);
    for (const [line, body] of [
      ["POST /cart", { product_id: product.id }],
      [`PUT /cart/items/${guest.item}`, { quantity: 2 }],
      [`DELETE /cart/items/${guest.item}`, undefined],
      ["DELETE /cart", undefined],
    ] as const) {
      const soon = Date.now() + 60_000;
      await db.update(tables.carts).set({ expiresAt: soon }).where(eq(tables.carts.id, guest.cartId));
      expect((await call(line, { ...guest, body })).status).toBeLessThan(300);
      expect((await cartNamed(guest.token))?.expiresAt).toBeGreaterThan(soon);
    }
  });

  it("is ignored with a user token, because a user has one cart", async () => {
    const guest = await aGuest(key, await aProduct());
    const { body, headers } = await call("GET /cart", { as: (await aUser()).token, headers: guest.headers });
    expect([body.data.id, body.data.token, headers.get("X-Cart-Token")]).toEqual([null, null, null]);
  });
});

it("requires a credential, and for a key the permission", async () => {
  const reader = { as: (await aKey({ permissions: ["carts:read"] })).key };
  const writer = { as: (await aKey({ permissions: ["carts:write"] })).key };
  const product = await aProduct();
  expect([(await call("GET /cart")).status, (await call("GET /cart", reader)).status]).toEqual([401, 200]);
  const refused = await add(reader, product);
  expect([refused.status, refused.body.details]).toEqual([403, [lacking("carts:write")]]);
  expect([(await add(writer, product)).status, (await call("GET /cart", writer)).status]).toEqual([201, 403]);
});
