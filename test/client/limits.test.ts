import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { createStorefront } from "../../src/client/index.ts";
import type { StoredRegion } from "../../src/platform/rate-limit/shares/region-limiter.ts";
import { ORIGIN } from "../support/call.ts";
import { limiterOf, storedRequests } from "../support/limiters.ts";
import { aKey } from "../support/shop.ts";

const LIMIT = 100;

afterEach(() => {
  vi.useRealTimers();
});

/** A client for this Worker, and the status of every response. */
function aClient(credential: string, retry = {}) {
  const statuses: number[] = [];
  const shop = createStorefront({
    baseUrl: ORIGIN,
    credential,
    retry,
    fetch: async (request) => {
      const response = await exports.default.fetch(request);
      statuses.push(response.status);
      return response;
    },
  });
  return { shop, statuses };
}

/** Uses up the key's limit this many seconds before it resets. */
async function atItsLimit(start: string, credential: string, secondsLeft: number): Promise<void> {
  const { shop } = aClient(credential);
  await Promise.all(Array.from({ length: LIMIT }, () => shop.GET("/api/v1/user/cart")));
  await storedRequests(start, LIMIT);
  vi.useRealTimers();
  await runInDurableObject(limiterOf(start), async (_, { storage }) => {
    const stored = await storage.get<StoredRegion>("region");
    if (!stored) throw new Error("nothing is stored");
    const at = Date.now() - (60 - secondsLeft) * 1000;
    const window = { ...stored.share.window, buckets: [[at, at, LIMIT]] };
    await storage.put("region", { ...stored, share: { ...stored.share, window } });
  });
  await evictDurableObject(limiterOf(start));
}

it("waits until a 429 has passed", async () => {
  const { key, start } = await aKey();
  await atItsLimit(start, key, 3);
  const { shop, statuses } = aClient(key);
  const { data } = await shop.GET("/api/v1/user/products");
  expect([data, statuses]).toEqual([[], [429, 200]]);
});

it("does not wait longer than allowed, nor after it is aborted", async () => {
  const { key, start } = await aKey();
  await atItsLimit(start, key, 58);
  const hurried = aClient(key, { maxWaitSeconds: 2 });
  await expect(hurried.shop.GET("/api/v1/user/products")).rejects.toMatchObject({ status: 429 });
  expect(hurried.statuses).toEqual([429]);

  const stop = new AbortController();
  const { shop, statuses } = aClient(key);
  const stopped = shop.GET("/api/v1/user/products", { signal: stop.signal });
  await vi.waitFor(() => expect(statuses).toEqual([429]));
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
});
