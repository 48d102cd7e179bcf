import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { administration } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { failing, fault } from "../../support/faults.ts";
import { limiterOf, storedUsage } from "../../support/limiters.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aKey, aUser } from "../../support/shop.ts";

const MINUTE = 60_000;

const { admin } = administration();

afterEach(() => {
  vi.useRealTimers();
});

type Minute = { at: string; admitted: number; refused: number };

/** Signs an administrator in for each request, because a token expires within the period under test. */
async function usageOf(id: number) {
  const { token } = await aUser({ role: "admin" });
  return (await call(`GET /admin/api-keys/${id}/usage`, { as: token })).body.data;
}

/** The minutes that had requests, without their timestamps. */
const busy = ({ minutes }: { minutes: Minute[] }) =>
  minutes.filter(({ admitted, refused }) => admitted + refused > 0).map(({ admitted, refused }) => [admitted, refused]);

const requests = (count: number, as: string) =>
  Promise.all(Array.from({ length: count }, () => call("GET /cart", { as })));

it("has sixty whole minutes, oldest first, and the last is the current one", async () => {
  const { id } = await aKey({ tier: "premium" });
  const usage = await usageOf(id);
  expect(usage).toMatchObject({ limit: 1000, admitted: 0, refused: 0 });
  expect(usage.minutes).toHaveLength(60);
  const moments = usage.minutes.map(({ at }: Minute) => Date.parse(at));
  for (const [index, at] of moments.entries()) {
    expect(at % MINUTE).toBe(0);
    if (index > 0) expect(at - moments[index - 1]).toBe(MINUTE);
  }
  expect(Date.now() - moments[59]).toBeLessThan(2 * MINUTE);
});

it("counts admitted and refused requests in their minutes, whatever the response", async () => {
  const { id, key } = await aKey({ permissions: ["carts:read"] });
  const start = Math.ceil(Date.now() / MINUTE) * MINUTE;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  await requests(110, key);
  vi.setSystemTime(start + 2 * MINUTE);
  await call("GET /products", { as: key });
  await requests(4, key);
  const usage = await usageOf(id);
  expect(usage).toMatchObject({ limit: 100, admitted: 105, refused: 10 });
  expect(busy(usage)).toEqual([
    [100, 10],
    [5, 0],
  ]);
  expect(usage.minutes.at(-3)).toEqual({ at: new Date(start).toISOString(), admitted: 100, refused: 10 });
  vi.setSystemTime(start + 60 * MINUTE);
  expect(busy(await usageOf(id))).toEqual([[5, 0]]);
  vi.setSystemTime(start + 62 * MINUTE);
  expect(busy(await usageOf(id))).toEqual([]);
});

it("survives the eviction of its object, including refusals", async () => {
  const { id, key, start } = await aKey();
  await requests(105, key);
  await storedUsage(start, 105);
  await evictDurableObject(limiterOf(start));
  expect(await usageOf(id)).toMatchObject({ admitted: 100, refused: 5 });
  await requests(3, key);
  await storedUsage(start, 108);
  await evictDurableObject(limiterOf(start));
  expect(await usageOf(id)).toMatchObject({ admitted: 100, refused: 8 });
});

it("is stored for an hour, long after the window is empty, and no longer", async () => {
  const { id, key, start } = await aKey();
  const now = Date.now();
  await requests(3, key);
  await storedUsage(start, 3);
  vi.useFakeTimers({ toFake: ["Date"], now: now + 50 * MINUTE });
  expect(await runDurableObjectAlarm(limiterOf(start))).toBe(true);
  await evictDurableObject(limiterOf(start));
  expect(await usageOf(id)).toMatchObject({ admitted: 3 });
  vi.setSystemTime(now + 120 * MINUTE);
  expect(await runDurableObjectAlarm(limiterOf(start))).toBe(true);
  expect(await runInDurableObject(limiterOf(start), async (_, state) => (await state.storage.list()).size)).toBe(0);
});

it("is written once for all requests until the next alarm, even if all are refused", async () => {
  const { key, start } = await aKey();
  await requests(100, key);
  await storedUsage(start, 100);
  const puts = await runInDurableObject(limiterOf(start), (_, state) => {
    const put = vi.spyOn(state.storage, "put");
    return put.mock.calls;
  });
  await requests(200, key);
  await storedUsage(start, 300);
  expect(puts).toHaveLength(1);
});

it("costs nothing to read: an unused key leaves nothing stored", async () => {
  const { id, start } = await aKey();
  await usageOf(id);
  expect(await runInDurableObject(limiterOf(start), async (_, state) => (await state.storage.list()).size)).toBe(0);
  expect(await runInDurableObject(limiterOf(start), (_, state) => state.storage.getAlarm())).toBeNull();
});

it("is available for a revoked key too", async () => {
  const { id, key } = await aKey();
  await requests(2, key);
  await call(`DELETE /admin/api-keys/${id}`, { as: admin.token });
  await requests(2, key);
  expect(await usageOf(id)).toMatchObject({ admitted: 2, refused: 0 });
});

it.each([
  ["fails", fault()],
  ["fails and says that it will pass", fault({ retryable: true })],
  ["is overloaded", fault({ overloaded: true })],
])("is 503 when the object that counts %s", async (_, thrown) => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { id } = await aKey();
  const bindings = { API_KEY_HOME: failing(env.API_KEY_HOME, [thrown]).namespace };
  const answer = await callWith(bindings, `GET /admin/api-keys/${id}/usage`, { as: admin.token });
  expectRefusal(answer, 503);
  expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  errors.mockRestore();
});
