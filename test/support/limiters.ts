import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { StoredRegion } from "../../src/rate-limit/shares/region-limiter.ts";

/** The limiter of a key where a request without `cf` meets it. */
export const limiterOf = (start: string, region = "any") => env.API_KEY_LIMITER.getByName(`${start}@${region}`);

const storedIn = (start: string, region?: string) =>
  runInDurableObject(limiterOf(start, region), (_, { storage }) => storage.get<StoredRegion>("region"));

const isSettled = ({ share }: StoredRegion) => share.window.reserved === 0;
const admittedIn = ({ share }: StoredRegion) => share.window.buckets.reduce((sum, [, , count]) => sum + count, 0);
const countedIn = ({ usage }: StoredRegion) =>
  usage.reduce((sum, [, admitted, refused]) => sum + admitted + refused, 0);

/** Waits until a limiter has stored what was really used: only then it may be discarded without a loss of capacity. */
const settled = (start: string, count: number, of: (stored: StoredRegion) => number) =>
  vi.waitFor(
    async () => {
      const stored = await storedIn(start);
      expect(stored && [isSettled(stored), of(stored)]).toEqual([true, count]);
    },
    { timeout: 20_000, interval: 50 },
  );

/** Waits until `count` admitted requests are stored, and no reservation any more. */
export const storedRequests = (start: string, count: number) => settled(start, count, admittedIn);

/** Waits until the usage tells of `count` requests, admitted or refused. */
export const storedUsage = (start: string, count: number) => settled(start, count, countedIn);
