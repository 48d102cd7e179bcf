import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it, onTestFinished, vi } from "vitest";
import { newSecrets } from "../../scripts/secrets.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { KEY_LIFETIME_MS } from "../../src/platform/idempotency/claims.ts";
import { call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });

it("charges once for 100 identical simultaneous orders with one key, and gives 100 equal responses", async () => {
  // As many requests as an account may send in a minute. The clock stands still, so that none is counted twice.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const user = await aUser({ wallet: 100_000 });
  const product = await aProduct({ stock: 500 });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      call("POST /orders", { as: user.token, body: orderOf(product), ...withKey("one") }),
    ),
  );
  const first = answers.find(({ headers }) => !headers.has("Idempotent-Replayed"));
  for (const { status, body } of answers) expect([status, body]).toEqual([201, first?.body]);
  expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(99);
  const orders = await db.select().from(tables.orders).where(eq(tables.orders.userId, user.id));
  expect(orders).toHaveLength(1);
  const charges = await db
    .select()
    .from(tables.transactions)
    .where(eq(tables.transactions.orderId, orders[0]?.id ?? 0));
  expect(charges).toMatchObject([{ kind: "charge", amount: -1000, balanceAfter: 99_000 }]);
  expect(await brokenInvariants()).toEqual({});
});

it("repeats the original response, whatever happened to the order", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  const request = { as: user.token, body: orderOf(product), ...withKey("then") };
  const placed = await call("POST /orders", request);
  const cancelled = await call(`POST /account/orders/${placed.body.data.id}/cancel`, { as: user.token });
  expect(cancelled.body.data.status).toBe("cancelled");
  expect((await call("POST /orders", request)).body).toEqual(placed.body);
});

it("treats a quoted key as equal to an unquoted one", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  const placed = await call("POST /orders", { as: user.token, body: orderOf(product), ...withKey("quoted") });
  const again = await call("POST /orders", { as: user.token, body: orderOf(product), ...withKey('"quoted"') });
  expect([again.headers.get("Idempotent-Replayed"), again.body]).toEqual(["true", placed.body]);
});

it("refuses a key that was used for another order", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  await call("POST /orders", { as: user.token, body: orderOf(product), ...withKey("used") });
  const other = await call("POST /orders", { as: user.token, body: orderOf(product, 2), ...withKey("used") });
  expect(other.status).toBe(409);
  expect(other.body.errors).toHaveProperty("idempotency-key");
});

it("separates the keys of callers", async () => {
  const [one, other, key] = [await aUser({ wallet: 10_000 }), await aUser({ wallet: 10_000 }), await aKey()];
  const product = await aProduct();
  const numbers = [];
  for (const [as, method] of [
    [one.token, "wallet"],
    [other.token, "wallet"],
    [key.key, "paypal"],
  ] as const) {
    const body = orderOf(product, 1, { payment_method: method });
    numbers.push((await call("POST /orders", { as, body, ...withKey("shared") })).body.data.number);
  }
  expect(new Set(numbers).size).toBe(3);
});

it("does not remember a refused order: the key may be used again", async () => {
  const user = await aUser();
  const product = await aProduct();
  const request = { as: user.token, body: orderOf(product), ...withKey("retry") };
  expect((await call("POST /orders", request)).status).toBe(400);
  await db.insert(tables.transactions).values({
    userId: user.id,
    kind: "credit",
    method: "wallet",
    amount: 5000,
    balanceAfter: 5000,
    createdAt: Date.now(),
  });
  expect((await call("POST /orders", request)).status).toBe(201);
});

it("forgets a key after a day", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  const request = { as: user.token, body: orderOf(product), ...withKey("old") };
  const first = await call("POST /orders", request);
  const yesterday = Date.now() - KEY_LIFETIME_MS;
  await db.update(tables.idempotencyKeys).set({ createdAt: yesterday }).where(eq(tables.idempotencyKeys.key, "old"));
  const second = await call("POST /orders", request);
  expect(second.body.data.number).not.toBe(first.body.data.number);
});

it("forgets a key after a day, even for a request that would be refused now", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ stock: 1 });
  const request = { as: user.token, body: orderOf(product), ...withKey("sold out") };
  expect((await call("POST /orders", request)).status).toBe(201);
  const yesterday = Date.now() - KEY_LIFETIME_MS;
  await db
    .update(tables.idempotencyKeys)
    .set({ createdAt: yesterday })
    .where(eq(tables.idempotencyKeys.key, "sold out"));
  expect((await call("POST /orders", request)).body.code).toBe("insufficient_stock");
});

it("recognizes a request by the secret used before a rotation", async () => {
  const user = await aUser({ wallet: 10_000 });
  const request = { as: user.token, body: orderOf(await aProduct()), ...withKey("rotated") };
  const placed = await call("POST /orders", request);
  const LINK_SECRET = `${(await newSecrets()).LINK_SECRET},${env.LINK_SECRET}`;
  const again = await callWith({ LINK_SECRET }, "POST /orders", request);
  expect([again.status, again.body]).toEqual([201, placed.body]);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
});

it("cancels once for ten simultaneous cancellations with one key", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
  const line = `POST /account/orders/${body.data.id}/cancel`;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(line, { as: user.token, ...withKey("cancel") })),
  );
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
  expect((await call("GET /account/profile", { as: user.token })).body.data.wallet_balance).toBe(100);
  expect(await brokenInvariants()).toEqual({});
});

it.each([
  ["too long", "x".repeat(256)],
  ["not ASCII", "na\u00efve"],
])("refuses a key that is %s", async (_, key) => {
  const user = await aUser({ wallet: 10_000 });
  const answer = await call("POST /orders", { as: user.token, body: orderOf(await aProduct()), ...withKey(key) });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["idempotency-key"]]);
});
