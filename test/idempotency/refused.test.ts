import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { idempotencyKeys, products } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { aRefusal } from "../support/refusal.ts";
import { aFile, aKey, aProduct, aUser, db } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";
import { watched } from "../support/watched.ts";

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });

it("does not remember a refused addition: the key may be used again", async () => {
  const [{ token }, product] = [await aUser(), await aProduct({ stock: 0 })];
  const add = () => call("POST /cart", { as: token, body: { product_id: product.id }, ...withKey("later") });
  expect((await add()).status).toBe(400);
  await db.update(products).set({ stockQuantity: 1 }).where(eq(products.id, product.id));
  const added = await add();
  expect([added.status, added.body.message]).toEqual([201, "Added to the cart"]);
  expect((await add()).body).toEqual(added.body);
});

it("replays an addition when the product is gone from the shop", async () => {
  const [{ key }, product] = [await aKey(), await aProduct({ stock: 3 })];
  const add = () => call("POST /cart", { as: key, body: { product_id: product.id, quantity: 5 }, ...withKey("gone") });
  const added = await add();
  expect(added.body.message).toContain(`Only 3 of ${product.name} are in stock: the cart now has 3`);
  await db.update(products).set({ status: "draft" }).where(eq(products.id, product.id));
  const again = await add();
  expect([again.status, again.body]).toEqual([201, added.body]);
  expect(again.headers.get("X-Cart-Token")).toBe(added.body.data.token);
});

it("does not remember unknown or invalid requests", async () => {
  const { token } = await aUser({ role: "admin" });
  const body = { delta: 1, reason: "Delivery" };
  expect((await call("POST /admin/products/999999/stock", { as: token, body, ...withKey("none") })).status).toBe(404);
  expect((await call("POST /admin/categories", { as: token, body: {}, ...withKey("none") })).status).toBe(400);
  expect(await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "none"))).toEqual([]);
});

it("replays a new version although If-Match names the previous one", async () => {
  const [{ token }, { id }] = [await aUser({ role: "admin" }), await aFile()];
  const etag = (await call(`GET /admin/files/${id}`, { as: token })).headers.get("ETag") ?? "";
  const add = (content: string) =>
    call(`POST /admin/files/${id}/versions`, {
      as: token,
      body: aForm({}, { content: Uint8Array.from(Buffer.from(content)) }),
      headers: { "Idempotency-Key": "version", "If-Match": etag },
    });
  const added = await add("second");
  expect([added.status, added.body.data.version]).toEqual([201, 2]);
  const again = await add("second");
  expect([again.status, again.body]).toEqual([201, added.body]);
  expect((await add("third")).status).toBe(409);
});

it("is refused if the key expired before its response could be read", async () => {
  const [{ token }, product] = [await aUser(), await aProduct()];
  const addition = { as: token, body: { product_id: product.id }, ...withKey("expiring") };
  expect((await call("POST /cart", addition)).status).toBe(201);
  const bindings = watched(env, async (_storage, run) => {
    try {
      return await run();
    } catch (error) {
      await db.delete(idempotencyKeys).where(eq(idempotencyKeys.key, "expiring"));
      throw error;
    }
  });
  const refused = await callWith(bindings, "POST /cart", addition);
  expect([refused.status, refused.body]).toEqual([409, aRefusal("idempotency_key_in_use")]);
  expect((await call("POST /cart", addition)).body.data.items).toMatchObject([{ quantity: 2 }]);
});

it("is refused if the key is too long, on every POST", async () => {
  const { token } = await aUser();
  const body = { product_id: (await aProduct()).id };
  const answer = await call("POST /cart", { as: token, body, ...withKey("x".repeat(256)) });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["idempotency-key"]]);
});
