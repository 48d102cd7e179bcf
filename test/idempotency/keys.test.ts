import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { deleteOldCounts } from "../../src/platform/auth/author-limits.ts";
import { dailyStorage } from "../../src/platform/auth/caller.ts";
import { connect } from "../../src/platform/db/client.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { idempotencyKeys, products, users } from "../../src/platform/db/schema.ts";
import { deleteOldKeys, KEY_LIFETIME_MS } from "../../src/platform/idempotency/claims.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aRefusal } from "../support/refusal.ts";
import { aFile, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";
import { watched } from "../support/watched.ts";

const now = Date.now();

/** Adds this many keys, all used at one time. */
const add = (caller: string, count: number, createdAt: number) =>
  env.DB.prepare(
    "INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at) SELECT ?, value, '', '{}', ? FROM json_each(?)",
  )
    .bind(caller, createdAt, JSON.stringify(Array.from({ length: count }, (_, n) => n)))
    .run();

const left = async () => {
  const counts =
    "SELECT caller, count(*) AS keys FROM idempotency_keys WHERE caller IN ('before', 'since') GROUP BY caller";
  return (await env.DB.prepare(counts).all()).results;
};

// The first test of the file, because keys are deleted in the order in which they were stored.
it("deletes the previous day's keys, and ignores those still stored", async () => {
  await add("before", 20, now - KEY_LIFETIME_MS);
  await add("since", 500, now - KEY_LIFETIME_MS + 1);
  const { bindings, work } = counted();
  await deleteOldKeys(connect(bindings.DB), now);
  expect(await left()).toEqual([{ caller: "since", keys: 500 }]);
  expect(work.rowsRead).toBeLessThan(150);
  await deleteOldKeys(connect(env.DB), now + 1);
  expect(await left()).toEqual([]);
});

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

let made = 0;
const aSignup = (more: object = {}) => ({
  email: `kept-${++made}@shop.test`,
  password: "a battery of horses",
  name: "Kept",
  ...more,
});

const signUp = (body: object, key: string) => call("POST /auth/signup", { body, headers: { "Idempotency-Key": key } });

it("gives the tokens of a sign-up to nobody who guesses its key but not its password", async () => {
  const body = aSignup();
  const { status } = await signUp(body, "1");
  expect(status).toBe(201);
  const guessed = await signUp({ ...body, password: "another battery" }, "1");
  expect([guessed.status, guessed.body.data]).toEqual([409, undefined]);
});

it("returns a valid session", async () => {
  const body = aSignup();
  await signUp(body, "lives");
  const { data } = (await signUp(body, "lives")).body;
  expect((await call("GET /account/profile", { as: data.token })).body.data.email).toBe(body.email);
  expect((await call("POST /auth/refresh", { body: { refresh_token: data.refresh_token } })).status).toBe(200);
});

it("separates people who chose the same key: neither prevents the other's sign-up", async () => {
  const [one, other] = [aSignup(), aSignup()];
  const [first, second] = [await signUp(one, "shared"), await signUp(other, "shared")];
  expect([first.body.data.user.email, second.body.data.user.email]).toEqual([one.email, other.email]);
});

it("repeats the result of merging the guest cart", async () => {
  const product = await aProduct();
  const cart = await call("POST /cart", { as: (await aKey()).key, body: { product_id: product.id } });
  const body = aSignup({ cart_token: cart.body.data.token });
  const first = await signUp(body, "cart");
  expect(first.body.data.cart_merge).toMatchObject({ merged_items: 1 });
  expect((await signUp(body, "cart")).body).toEqual(first.body);
});

it("is not remembered if it is refused", async () => {
  const taken = aSignup();
  await signUp(taken, "first");
  expect((await signUp({ ...taken, name: "Somebody else" }, "second")).status).toBe(400);
  await db.delete(users).where(eq(users.email, taken.email));
  expect((await signUp({ ...taken, name: "Somebody else" }, "second")).status).toBe(201);
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** Today and tomorrow, in case the test runs past midnight. */
async function storeUp(owner: string, bytes: number) {
  const today = Math.floor(Date.now() / DAY_MS);
  const counts = [today, today + 1].map((day) => ({ owner, day, bytes, dayLimit: bytes }));
  await db.delete(tables.storedBytes).where(eq(tables.storedBytes.owner, owner));
  await db.insert(tables.storedBytes).values(counts);
}

const storedBy = async (owner: string) => {
  const days = await db.select().from(tables.storedBytes).where(eq(tables.storedBytes.owner, owner));
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
};

const refused = { code: "storage_used_up", message: expect.stringContaining("daily storage limit") };

it("counts at least the bytes that additions to a cart store", async () => {
  const user = await aUser();
  const { id } = await aProduct();
  for (let n = 0; n < 3; n++)
    await call("POST /cart", { as: user.token, body: { product_id: id }, headers: onPurpose() });
  const keys = await db
    .select()
    .from(tables.idempotencyKeys)
    .where(eq(tables.idempotencyKeys.caller, `user:${user.id}`));
  const bytes = keys.reduce(
    (sum, { key, answer, sealed }) => sum + key.length + answer.length + (sealed ?? "").length,
    0,
  );
  expect(await storedBy(`user:${user.id}`)).toBeGreaterThan(bytes);
});

it("refuses an account that stored its limit today, and stores nothing", async () => {
  const user = await aUser();
  const { id } = await aProduct();
  await storeUp(`user:${user.id}`, dailyStorage.user);
  const { status, body, headers } = await call("POST /cart", {
    as: user.token,
    body: { product_id: id },
    headers: onPurpose(),
  });
  expect([status, body]).toMatchObject([429, refused]);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await call("GET /cart", { as: user.token })).body.data.items).toEqual([]);
  const free = await aProduct({ price: 0, type: "service", stock: null });
  expect(await call("POST /orders", { as: user.token, body: orderOf(free) })).toMatchObject({
    status: 429,
    body: refused,
  });
  expect((await call("GET /account/orders", { as: user.token })).body.data).toEqual([]);
});

it("counts unpaid guest orders against their key, including the stored responses", async () => {
  const key = await aKey({ permissions: ["checkout:write"] });
  const order = { ...orderOf(await aProduct()), payment_method: "credit_card" };
  await call("POST /orders", { as: key.key, body: order });
  const first = await storedBy(`api_key:${key.id}`);
  expect(first).toBeGreaterThan(1000);
  await call("POST /orders", { as: key.key, body: order, headers: onPurpose() });
  expect(await storedBy(`api_key:${key.id}`)).toBeGreaterThan(2 * first);
  await storeUp(`api_key:${key.id}`, dailyStorage.api_key);
  const answer = await call("POST /orders", { as: key.key, body: order, headers: onPurpose() });
  expect(answer).toMatchObject({ status: 429, body: refused });
});

it("refuses to cancel an order beyond the limit, and leaves it unchanged", async () => {
  const user = await aUser();
  const { body } = await call("POST /orders", {
    as: user.token,
    body: { ...orderOf(await aProduct()), payment_method: "credit_card" },
  });
  await storeUp(`user:${user.id}`, dailyStorage.user);
  const path = `POST /account/orders/${body.data.id}/cancel`;
  expect(await call(path, { as: user.token })).toMatchObject({ status: 429, body: refused });
  const { data } = (await call(`GET /account/orders/${body.data.id}`, { as: user.token })).body;
  expect(data.status).toBe("pending");
});

it("never refuses an order that is charged", async () => {
  const user = await aUser({ wallet: 100_000 });
  await storeUp(`user:${user.id}`, dailyStorage.user);
  const order = { as: user.token, body: orderOf(await aProduct()), headers: onPurpose() };
  expect((await call("POST /orders", order)).status).toBe(201);
});

it("counts new guest carts against their key", async () => {
  const key = await aKey({ permissions: ["carts:write"] });
  const { id } = await aProduct();
  await call("POST /cart", { as: key.key, body: { product_id: id } });
  expect(await storedBy(`api_key:${key.id}`)).toBeGreaterThan(0);
  await storeUp(`api_key:${key.id}`, dailyStorage.api_key);
  expect(await call("POST /cart", { as: key.key, body: { product_id: id } })).toMatchObject({
    status: 429,
    body: refused,
  });
});

it("deletes the counts of a day two days later", async () => {
  const now = 10 * DAY_MS;
  await db
    .insert(tables.storedBytes)
    .values([7, 8, 9, 10].map((day) => ({ owner: "user:0", day, bytes: 1, dayLimit: 1 })));
  await deleteOldCounts(db, now);
  const left = await db.select().from(tables.storedBytes).where(eq(tables.storedBytes.owner, "user:0"));
  expect(left.map(({ day }) => day)).toEqual([9, 10]);
});
