import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { deleteOldCounts } from "../../src/platform/auth/author-limits.ts";
import { dailyStorage } from "../../src/platform/auth/caller.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

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
