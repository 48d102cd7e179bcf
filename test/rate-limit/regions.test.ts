import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { ApiKeyHome } from "../../src/platform/auth/api-keys/home.ts";
import { ApiKeyLimiter } from "../../src/platform/auth/api-keys/limiter.ts";
import { type Answer, call } from "../support/call.ts";
import { limiterOf } from "../support/limiters.ts";
import { LONG } from "../support/long.ts";
import { aKey, aUser } from "../support/shop.ts";

/** A request from each of three continents. */
const europe = { continent: "EU", country: "PT", colo: "LIS" };
const oceania = { continent: "OC", country: "AU", colo: "SYD" };
const america = { continent: "SA", country: "BR", colo: "GRU" };
const everywhere = [europe, oceania, america];

/** A request to an unknown address, which is counted like any other and is the cheapest to answer. */
const LINE = "GET /nothing";

const from = (cf: typeof europe, as: string, count = 1) =>
  Promise.all(Array.from({ length: count }, () => call(LINE, { as, cf })));

/** `count` simultaneous requests, a third of them from each continent. */
const fromEverywhere = (as: string, count: number, line = LINE) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(line, { as, cf: everywhere[index % 3] ?? europe })));

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const admitted = (answers: Answer[]) => answers.filter(({ status }) => status === 404).length;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each([
  ["standard", 100],
  ["premium", 1_000],
] as const)("admits exactly the limit of a %s key to three continents at once", LONG, async (tier, limit) => {
  const { key } = await aKey({ tier });
  expect(admitted(await fromEverywhere(key, 1.3 * limit))).toBe(limit);
  const late = await fromEverywhere(key, 3);
  expect(statuses(late)).toEqual([429, 429, 429]);
  for (const { headers } of late) {
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  }
});

it("calls home once for a region's first request, and not for its next hundred", async () => {
  const asks = vi.spyOn(ApiKeyHome.prototype, "ask");
  const { key } = await aKey({ tier: "premium" });
  await from(europe, key);
  expect(asks).toHaveBeenCalledTimes(1);
  const [first] = await from(europe, key);
  expect(first?.headers.get("X-RateLimit-Remaining")).toBe("998");
  await from(oceania, key);
  expect(asks).toHaveBeenCalledTimes(2);
  expect(admitted([...(await from(oceania, key, 100)), ...(await from(europe, key, 100))])).toBe(200);
  expect(asks).toHaveBeenCalledTimes(2);
});

it("lends a second region half of the unused share of the first", async () => {
  const { key } = await aKey();
  await from(europe, key, 20);
  const [far] = await from(oceania, key);
  expect(far?.headers.get("X-RateLimit-Remaining")).toBe("39");
  const [near] = await from(europe, key);
  expect(near?.headers.get("X-RateLimit-Remaining")).toBe("39");
});

it("moves a region's whole unused share to another before anybody is refused", async () => {
  const { key } = await aKey();
  await from(europe, key, 10);
  expect(admitted(await from(oceania, key, 120))).toBe(90);
  expect(statuses(await from(europe, key))).toEqual([429]);
});

it("refuses without calling home until quota may be free anywhere", async () => {
  const { key } = await aKey();
  await from(europe, key, 50);
  await from(oceania, key, 60);
  const asks = vi.spyOn(ApiKeyHome.prototype, "ask");
  expect(admitted(await fromEverywhere(key, 3))).toBe(0);
  asks.mockClear();
  expect(admitted([...(await from(europe, key, 30)), ...(await from(oceania, key, 30))])).toBe(0);
  expect(asks).not.toHaveBeenCalled();
});

it.each<[string, (id: number, as: string) => Promise<Answer>, number]>([
  ["revoked", (id, as) => call(`DELETE /admin/api-keys/${id}`, { as }), 401],
  ["rotated", (id, as) => call(`POST /admin/api-keys/${id}/rotate`, { as, body: { grace_seconds: 0 } }), 401],
  [
    "without the permission",
    (id, as) => call(`PUT /admin/api-keys/${id}`, { as, body: { permissions: ["orders:read"] } }),
    403,
  ],
  [
    "no longer allowed from any address",
    (id, as) => call(`PUT /admin/api-keys/${id}`, { as, body: { allowed_addresses: ["203.0.113.7"] } }),
    403,
  ],
  [
    "now for web pages alone",
    (id, as) => call(`PUT /admin/api-keys/${id}`, { as, body: { allowed_origins: ["https://shop.example"] } }),
    403,
  ],
])("sees in every region at once that a key is %s", async (_, change, status) => {
  const [{ id, key }, { token }] = [await aKey(), await aUser({ role: "admin" })];
  expect(statuses(await fromEverywhere(key, 3))).toEqual([404, 404, 404]);
  expect((await change(id, token)).status).toBeLessThan(300);
  expect(statuses(await fromEverywhere(key, 3, "GET /cart"))).toEqual([status, status, status]);
});

it("sees in every region at once that a key has expired", async () => {
  const [{ id, key }, { token }] = [await aKey(), await aUser({ role: "admin" })];
  await fromEverywhere(key, 3);
  const soon = Date.now() + 30_000;
  const body = { expires_at: new Date(soon).toISOString() };
  expect((await call(`PUT /admin/api-keys/${id}`, { as: token, body })).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: soon });
  expect(statuses(await fromEverywhere(key, 3))).toEqual([401, 401, 401]);
});

it("holds all regions to the limit of a key that was premium", async () => {
  const [{ id, key }, { token }] = [await aKey({ tier: "premium" }), await aUser({ role: "admin" })];
  expect(admitted(await fromEverywhere(key, 30))).toBe(30);
  await call(`PUT /admin/api-keys/${id}`, { as: token, body: { tier: "standard" } });
  const answers = await fromEverywhere(key, 160);
  expect(admitted(answers)).toBeLessThanOrEqual(100);
  expect(admitted(answers)).toBeGreaterThanOrEqual(70);
});

it("gives all regions the limit of a key that became premium", async () => {
  const [{ id, key }, { token }] = [await aKey(), await aUser({ role: "admin" })];
  expect(admitted(await fromEverywhere(key, 130))).toBe(100);
  await call(`PUT /admin/api-keys/${id}`, { as: token, body: { tier: "premium" } });
  expect(admitted(await fromEverywhere(key, 130))).toBe(130);
});

it("sees a revocation within a minute in a region that is cut off, and does not wait for it", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const [{ id, key }, { token }] = [await aKey(), await aUser({ role: "admin" })];
  await fromEverywhere(key, 3);
  vi.spyOn(ApiKeyLimiter.prototype, "forget").mockRejectedValue(new Error("cut off"));
  expect((await call(`DELETE /admin/api-keys/${id}`, { as: token })).status).toBe(204);
  expect(errors).toHaveBeenCalled();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  expect(statuses(await fromEverywhere(key, 3))).toEqual([401, 401, 401]);
});

it("continues with its share when home cannot be reached, and refuses beyond it", async () => {
  const { key } = await aKey();
  await from(europe, key, 40);
  await from(oceania, key, 10);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(ApiKeyHome.prototype, "ask").mockRejectedValue(new Error("cut off"));
  const [near, far, new_] = [await from(europe, key, 60), await from(oceania, key, 60), await from(america, key, 5)];
  expect(admitted(near) + admitted(far)).toBeLessThanOrEqual(50);
  expect(admitted(near)).toBeGreaterThan(0);
  expect(admitted(far)).toBeGreaterThan(0);
  expect(admitted(new_)).toBe(0);
  for (const { status, headers } of [...near, ...far, ...new_]) {
    if (status !== 404) expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  }
  expect(errors).toHaveBeenCalled();
});

it("never admits too many while a region is cut off from its home", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { key } = await aKey();
  await from(europe, key, 20);
  await from(oceania, key, 5);
  vi.spyOn(ApiKeyLimiter.prototype, "recall").mockRejectedValue(new Error("cut off"));
  const answers = [...(await from(oceania, key, 100)), ...(await from(europe, key, 100))];
  expect(admitted(answers)).toBe(75);
  expect(admitted(await fromEverywhere(key, 3))).toBe(0);
});

it("reports the usage of all regions together and of each", async () => {
  const [{ id, key }, { token }] = [await aKey(), await aUser({ role: "admin" })];
  await from(europe, key, 4);
  await from(oceania, key, 3);
  const { data } = (await call(`GET /admin/api-keys/${id}/usage`, { as: token })).body;
  expect(data).toMatchObject({ admitted: 7, refused: 0 });
  expect(data.regions).toEqual([
    { region: "weur", admitted: 4, refused: 0 },
    { region: "oc", admitted: 3, refused: 0 },
  ]);
});

it("returns the share of an idle region, and remembers its usage for an hour", async () => {
  const { key, start } = await aKey();
  await from(oceania, key, 10);
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: now + 10 * 60_000 });
  await runInDurableObject(limiterOf(start, "oc"), (limiter) => limiter.alarm());
  const asks = vi.spyOn(ApiKeyLimiter.prototype, "recall");
  const [first] = await from(europe, key);
  expect(first?.headers.get("X-RateLimit-Remaining")).toBe("99");
  expect(asks).not.toHaveBeenCalled();
  const usage = await env.API_KEY_HOME.getByName(start).lastHour();
  expect(usage.map(({ region }) => region)).toEqual(["oc", "weur"]);
});
