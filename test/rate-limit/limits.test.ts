import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { forgetApiKey } from "../../src/platform/auth/api-keys/home.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { type Answer, anAddress, call } from "../support/call.ts";
import { limiterOf, storedRequests } from "../support/limiters.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";

/** A request to an unknown address, which is counted like any other and is the cheapest to answer. */
const requests = (count: number, as: string) =>
  Promise.all(Array.from({ length: count }, () => call("GET /nothing", { as })));

const admitted = (answers: Answer[]) => answers.filter(({ status }) => status !== 429);
const remaining = ({ headers }: Answer) => Number(headers.get("X-RateLimit-Remaining"));
const countDown = (from: number) => Array.from({ length: from }, (_, index) => from - 1 - index);

afterEach(() => {
  vi.useRealTimers();
});

it("admits exactly 100 of 130 simultaneous requests with a standard key, each with its count in the headers", async () => {
  const { key } = await aKey();
  const answers = await requests(130, key);
  expect(
    admitted(answers)
      .map(remaining)
      .toSorted((a, b) => b - a),
  ).toEqual(countDown(100));
  for (const { status, headers, body } of answers) {
    const left = headers.get("X-RateLimit-Remaining");
    const [, reset] = /^"standard";r=\d+;t=(\d+)$/.exec(headers.get("RateLimit") ?? "") ?? [];
    expect(headers.get("RateLimit-Policy")).toBe('"standard";q=100;w=60');
    expect(headers.get("RateLimit")).toBe(`"standard";r=${left};t=${reset}`);
    expect(headers.get("X-RateLimit-Limit")).toBe("100");
    expect(Number(reset)).toBeLessThanOrEqual(60);
    if (status !== 429) continue;
    expect(left).toBe("0");
    expect(headers.get("Retry-After")).toBe(reset);
    expect(body).toEqual(aRefusal("rate_limited", expect.stringContaining("Too many requests")));
  }
});

it("admits exactly 1,000 of 1,030 with a premium key", async () => {
  const { key } = await aKey({ tier: "premium" });
  const answers = await requests(1_030, key);
  expect(admitted(answers)).toHaveLength(1_000);
  expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"premium";q=1000;w=60');
});

it("is still exact after the object was evicted", async () => {
  const { key, start } = await aKey();
  await requests(60, key);
  await storedRequests(start, 60);
  await evictDurableObject(limiterOf(start));
  expect(admitted(await requests(60, key))).toHaveLength(40);
  await storedRequests(start, 100);
  await evictDurableObject(limiterOf(start));
  expect(admitted(await requests(5, key))).toHaveLength(0);
});

it("counts a request with any response, but not a refused one", async () => {
  const { key } = await aKey({ permissions: ["carts:read"] });
  for (const line of ["GET /cart", "GET /products", "GET /nothing", "PATCH /cart", "POST /orders"]) {
    await call(line, { as: key });
  }
  expect(remaining(await call("GET /cart", { as: key }))).toBe(94);
});

it("applies a key's new tier at once", async () => {
  const { key, id, start } = await aKey();
  expect(admitted(await requests(110, key))).toHaveLength(100);
  await db.update(tables.apiKeys).set({ tier: "premium" }).where(eq(tables.apiKeys.id, id));
  await forgetApiKey(env, start);
  expect(remaining(await call("GET /cart", { as: key }))).toBe(899);
});

it("counts keys separately from each other, and users separately from keys", async () => {
  const [one, other, user] = [await aKey(), await aKey(), await aUser()];
  await requests(100, one.key);
  expect(remaining(await call("GET /cart", { as: other.key }))).toBe(99);
  const answers = await requests(110, user.token);
  expect(admitted(answers)).toHaveLength(100);
  expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"user";q=100;w=60');
});

it("counts callers without a credential by address, an IPv6 network as one", async () => {
  const from = (address: string) => call("GET /files", { headers: { "CF-Connecting-IP": address } });
  expect((await from("2001:db8:ffff:1::1")).headers.get("RateLimit")).toBe('"anonymous";r=99;t=60');
  expect(remaining(await from("2001:db8:ffff:1:aaaa::2"))).toBe(98);
  expect(remaining(await from("2001:db8:ffff:2::1"))).toBe(99);
  expect(remaining(await from("192.0.2.1"))).toBe(99);
  expect(remaining(await from("::ffff:192.0.2.1"))).toBe(98);
  expect(remaining(await from(anAddress()))).toBe(99);
});

it("leaves nothing stored for a key that is no longer used", async () => {
  const { key, start } = await aKey();
  const now = Date.now();
  await call("GET /cart", { as: key });
  await storedRequests(start, 1);
  const [limiter, home] = [limiterOf(start), env.API_KEY_HOME.getByName(start)];
  const stored = (stub: DurableObjectStub) =>
    runInDurableObject(stub, async (_, { storage }) => (await storage.list()).size);
  expect([await stored(limiter), await stored(home)]).toEqual([1, 1]);
  // The limiter returns its share first. The home object remembers it for another hour.
  for (const [stub, hours] of [
    [limiter, 2],
    [home, 4],
  ] as const) {
    vi.useFakeTimers({ toFake: ["Date"], now: now + hours * 3_600_000 });
    await evictDurableObject(stub);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
  }
  expect([await stored(limiter), await stored(home)]).toEqual([0, 0]);
  await call("GET /cart", { as: key });
  await storedRequests(start, 1);
  expect(await runInDurableObject(limiter, (_, state) => state.storage.getAlarm())).not.toBeNull();
});
