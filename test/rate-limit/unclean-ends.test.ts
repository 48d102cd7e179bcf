import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { takeAttempts } from "../../src/platform/rate-limit/counting.ts";
import { type Answer, anAddress, call } from "../support/call.ts";
import { limiterOf } from "../support/limiters.ts";
import { aKey, aUser } from "../support/shop.ts";

const LIMIT = 100;
const places = [{ continent: "EU" }, { continent: "OC" }, { continent: "SA" }];

const times = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Enough requests that a limit refuses some, whichever region they come from. */
const MORE_THAN_LIMIT = 1.3 * LIMIT;

/** Requests that a limiter admitted. If no limiter responds, a request is admitted uncounted and without headers. */
const admitted = (answers: Answer[]) =>
  answers.filter(({ status, headers }) => status !== 429 && headers.has("RateLimit")).length;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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
  it("holds when its objects are aborted within the second", async () => {
    const send = await caller();
    const before = admitted(await times(MORE_THAN_LIMIT, send));
    await abortAllDurableObjects();
    const after = admitted(await times(30, send));
    expect(before).toBe(LIMIT);
    expect(after).toBe(0);
  });

  it("loses nothing when its objects are aborted after a single request", async () => {
    const send = await caller();
    expect(admitted([await send(0)])).toBe(1);
    await abortAllDurableObjects();
    expect(admitted(await times(MORE_THAN_LIMIT, send))).toBe(LIMIT - 1);
  });

  it.each([37, 40])("loses at most a tenth when its objects are aborted after %i requests", async (used) => {
    const send = await caller();
    expect(admitted(await times(used, send))).toBe(used);
    await abortAllDurableObjects();
    const after = admitted(await times(MORE_THAN_LIMIT - used, send));
    expect(after).toBeGreaterThanOrEqual(LIMIT - used - LIMIT / 10);
    expect(after).toBeLessThanOrEqual(LIMIT - used);
  });

  it("loses at most a tenth each time when its objects are aborted twice, one request after the other", async () => {
    const send = await caller();
    for (const count of [12, 25]) {
      for (let request = 0; request < count; request++) expect(admitted([await send(request)])).toBe(1);
      await abortAllDurableObjects();
    }
    const after = admitted(await times(MORE_THAN_LIMIT - 37, send));
    expect(after).toBeGreaterThanOrEqual(LIMIT - 37 - (2 * LIMIT) / 10);
    expect(after).toBeLessThanOrEqual(LIMIT - 37);
  });

  it("holds when its objects are aborted in the middle of a reservation", async () => {
    const send = await caller();
    let sum = 0;
    for (const count of [7, 13, 31, MORE_THAN_LIMIT - 51]) {
      sum += admitted(await times(count, send));
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
    const sum = admitted(await under) + admitted(await times(MORE_THAN_LIMIT, send));
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

it("leaves a premium key 500 of its 1,000 requests when its object is aborted after 400", async () => {
  const { key } = await aKey({ tier: "premium" });
  const send = () => call("GET /nothing", { as: key });
  expect(admitted(await times(400, send))).toBe(400);
  await abortAllDurableObjects();
  const after = admitted(await times(620, send));
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
