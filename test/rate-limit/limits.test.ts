import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { forgetApiKey } from "../../src/platform/auth/api-keys/home.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { takeAttempts } from "../../src/platform/rate-limit/counting.ts";
import { type Answer, anAddress, call } from "../support/call.ts";
import { limiterOf, storedRequests } from "../support/limiters.ts";
import { LONG } from "../support/long.ts";
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
  vi.restoreAllMocks();
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

it("admits exactly 1,000 of 1,030 with a premium key", LONG, async () => {
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

const LIMIT = 100;
const places = [{ continent: "EU" }, { continent: "OC" }, { continent: "SA" }];

const times = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Enough requests that a limit refuses some, whichever region they come from. */
const MORE_THAN_LIMIT = 1.3 * LIMIT;

/** Number of requests that a limiter admitted. If no limiter responds, a request is admitted uncounted and without headers. */
const admittedOf = (answers: Answer[]) =>
  answers.filter(({ status, headers }) => status !== 429 && headers.has("RateLimit")).length;

const callers: [string, () => Promise<(index: number) => Promise<Answer>>][] = [
  [
    "a key",
    async () => {
      const { key } = await aKey();
      return () => call("GET /nothing", { as: key });
    },
  ],
  [
    "a key of three regions",
    async () => {
      const { key } = await aKey();
      return (index) => call("GET /nothing", { as: key, cf: places[index % 3] ?? {} });
    },
  ],
  [
    "a user",
    async () => {
      const { token } = await aUser();
      return () => call("GET /nothing", { as: token });
    },
  ],
  [
    "an address",
    async () => {
      const address = anAddress();
      return () => call("GET /files?page=0", { headers: { "CF-Connecting-IP": address } });
    },
  ],
];

describe.each(callers)("the limit of %s", (_, caller) => {
  it("loses nothing when its objects are aborted after a single request, and holds when they are aborted at its end", async () => {
    const send = await caller();
    expect(admittedOf([await send(0)])).toBe(1);
    await abortAllDurableObjects();
    expect(admittedOf(await times(MORE_THAN_LIMIT, send))).toBe(LIMIT - 1);
    await abortAllDurableObjects();
    expect(admittedOf(await times(30, send))).toBe(0);
  });

  it.each([37, 40])("loses at most a tenth when its objects are aborted after %i requests", async (used) => {
    const send = await caller();
    expect(admittedOf(await times(used, send))).toBe(used);
    await abortAllDurableObjects();
    const after = admittedOf(await times(MORE_THAN_LIMIT - used, send));
    expect(after).toBeGreaterThanOrEqual(LIMIT - used - LIMIT / 10);
    expect(after).toBeLessThanOrEqual(LIMIT - used);
  });

  it("loses at most a tenth each time when its objects are aborted twice, one request after the other", async () => {
    const send = await caller();
    for (const count of [12, 25]) {
      for (let request = 0; request < count; request++) expect(admittedOf([await send(request)])).toBe(1);
      await abortAllDurableObjects();
    }
    const after = admittedOf(await times(MORE_THAN_LIMIT - 37, send));
    expect(after).toBeGreaterThanOrEqual(LIMIT - 37 - (2 * LIMIT) / 10);
    expect(after).toBeLessThanOrEqual(LIMIT - 37);
  });

  it("holds when its objects are aborted in the middle of a reservation", async () => {
    const send = await caller();
    let sum = 0;
    for (const count of [7, 13, 31, MORE_THAN_LIMIT - 51]) {
      sum += admittedOf(await times(count, send));
      await abortAllDurableObjects();
    }
    expect(sum).toBeLessThanOrEqual(LIMIT);
    expect(sum).toBeGreaterThan(LIMIT / 2);
  });

  it("holds when its objects are aborted during requests while shares move", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const send = await caller();
    const under = times(MORE_THAN_LIMIT, send);
    await send(1);
    await abortAllDurableObjects();
    const sum = admittedOf(await under) + admittedOf(await times(30, send));
    expect(sum).toBeLessThanOrEqual(LIMIT);
  });
});

it("counts a request at most once more for the other subnets of a network when its object is aborted", async () => {
  const from = (subnet: number) => takeAttempts(env, "anonymous", { address: `2001:db8:fe:${subnet}::1` }, 1);
  await from(1);
  await abortAllDurableObjects();
  expect((await from(2)).count).toMatchObject({ admitted: true, remaining: 98 });
  await abortAllDurableObjects();
  expect((await from(1)).count).toMatchObject({ admitted: true, remaining: 98 });
  expect((await from(3)).count).toMatchObject({ admitted: true, remaining: 98 });
});

it("leaves a premium key 500 of its 1,000 requests when its object is aborted after 400", LONG, async () => {
  const { key } = await aKey({ tier: "premium" });
  const send = () => call("GET /nothing", { as: key });
  expect(admittedOf(await times(400, send))).toBe(400);
  await abortAllDurableObjects();
  const after = admittedOf(await times(620, send));
  expect(after).toBeGreaterThanOrEqual(500);
  expect(after).toBeLessThanOrEqual(600);
});

it("forgets a guess that turned out right, even if the object is aborted right after it", async () => {
  const attempter = { account: "user:1" };
  const right = await takeAttempts(env, "discount-codes", attempter, 12);
  await right.giveBack(12);
  await abortAllDurableObjects();
  const { count } = await takeAttempts(env, "discount-codes", attempter, 18);
  expect(count).toMatchObject({ admitted: true });
});

it("writes at most once for twenty requests of a premium key at its full rate", async () => {
  const { key, start } = await aKey({ tier: "premium" });
  const now = Date.now();
  const REQUESTS = 400;
  vi.useFakeTimers({ toFake: ["Date"], now });
  await call("GET /nothing", { as: key });
  const writes = await runInDurableObject(limiterOf(start), (_, { storage }) => [
    vi.spyOn(storage, "put"),
    vi.spyOn(storage, "setAlarm"),
    vi.spyOn(storage, "delete"),
  ]);
  for (let request = 1; request <= REQUESTS; request++) {
    vi.setSystemTime(now + 60 * request);
    await call("GET /nothing", { as: key });
  }
  vi.useRealTimers();
  const count = writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(REQUESTS / 20);
});
