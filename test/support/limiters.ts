import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { SETTLE_MS } from "../../src/platform/rate-limit/reserved-window.ts";
import type { StoredRegion } from "../../src/platform/rate-limit/shares/region-limiter.ts";

/** The limiter that a key meets in requests without `cf`. */
export const limiterOf = (start: string, region = "any") => env.API_KEY_LIMITER.getByName(`${start}@${region}`);

const storedIn = (start: string, region?: string) =>
  runInDurableObject(limiterOf(start, region), (_, { storage }) => storage.get<StoredRegion>("region"));

const isSettled = ({ share }: StoredRegion) => share.window.reserved === 0;
const admittedIn = ({ share }: StoredRegion) => share.window.buckets.reduce((sum, [, , count]) => sum + count, 0);
const countedIn = ({ usage }: StoredRegion) =>
  usage.reduce((sum, [, admitted, refused]) => sum + admitted + refused, 0);

/** Advances the clock to the alarm in which a limiter stores the actual usage, and runs it. */
export async function settle(object: DurableObjectStub): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SETTLE_MS });
  await runDurableObjectAlarm(object);
}

/** Waits until a limiter has stored the actual usage, after which it may be evicted without losing capacity. */
const settled = async (start: string, count: number, of: (stored: StoredRegion) => number) => {
  await settle(limiterOf(start));
  const stored = await storedIn(start);
  expect(stored && [isSettled(stored), of(stored)]).toEqual([true, count]);
};

/** Waits until `count` admitted requests are stored and no reservation remains. */
export const storedRequests = (start: string, count: number) => settled(start, count, admittedIn);

/** Waits until the usage contains `count` requests, admitted or refused. */
export const storedUsage = (start: string, count: number) => settled(start, count, countedIn);
