import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { createStorefront } from "../../src/client/index.ts";
import type { StoredCounts } from "../../src/rate-limit/limiter.ts";
import { ORIGIN } from "../support/call.ts";
import { aKey } from "../support/shop.ts";

const LIMIT = 100;

/** A client in this Worker, and the statuses of all that it was answered. */
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

/** Uses up the key's limit, and then lets so many seconds pass in which nothing is asked for. */
async function atItsLimit(start: string, credential: string, secondsAgo: number): Promise<void> {
  const { shop } = aClient(credential);
  await Promise.all(Array.from({ length: LIMIT }, () => shop.GET("/api/v1/user/cart")));
  const limiter = env.API_KEY_LIMITER.getByName(start);
  await vi.waitFor(
    () =>
      runInDurableObject(limiter, async (_, { storage }) => {
        const counts = await storage.get<StoredCounts>("counts");
        const [name, lengthMs, buckets] = counts?.windows[0] ?? ["", 0, []];
        if (buckets.reduce((sum, [, , count]) => sum + count, 0) !== LIMIT) throw new Error("not stored yet");
        const ago = secondsAgo * 1000;
        const earlier = buckets.map(([first, last, count]) => [first - ago, last - ago, count]);
        await storage.put("counts", { ...counts, windows: [[name, lengthMs, earlier]] });
      }),
    { timeout: 10_000, interval: 50 },
  );
  await evictDurableObject(limiter);
}

it("waits a 429 out", async () => {
  const { key, start } = await aKey();
  await atItsLimit(start, key, 56);
  const { shop, statuses } = aClient(key);
  const { data } = await shop.GET("/api/v1/user/products");
  expect([data, statuses]).toEqual([[], [429, 200]]);
});

it("does not wait for longer than it is let, nor once it is told to stop", async () => {
  const { key, start } = await aKey();
  await atItsLimit(start, key, 1);
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
