import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { RESERVED_MS } from "../../src/platform/rate-limit/reserved-window.ts";
import type { StoredRegion } from "../../src/platform/rate-limit/shares/region-limiter.ts";

/** The limiter that a key meets in requests without `cf`. */
export const limiterOf = (start: string, region = "any") => env.API_KEY_LIMITER.getByName(`${start}@${region}`);

const storedIn = (start: string, region?: string) =>
  runInDurableObject(limiterOf(start, region), (_, { storage }) => storage.get<StoredRegion>("region"));

const isSettled = ({ share }: StoredRegion) => share.window.reserved === 0;
const admittedIn = ({ share }: StoredRegion) => share.window.buckets.reduce((sum, [, , count]) => sum + count, 0);
const countedIn = ({ usage }: StoredRegion) =>
  usage.reduce((sum, [, admitted, refused]) => sum + admitted + refused, 0);

const POLL_MS = 20;

/** Makes objects wait by the fake clock in this file, so that no test has to wait for them. */
export function waitByTheClock(): void {
  const { wait } = scheduler;
  beforeAll(() => {
    scheduler.wait = async (ms, options) => {
      for (const end = Date.now() + ms; Date.now() < end; ) await wait.call(scheduler, POLL_MS, options);
    };
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => {
    scheduler.wait = wait;
  });
}

/**
 * Advances the clock until a limiter has stored the actual usage, after which it may be evicted without losing
 * capacity.
 */
const settled = async (start: string, count: number, of: (stored: StoredRegion) => number) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + RESERVED_MS + 1 });
  await vi.waitFor(
    async () => {
      const stored = await storedIn(start);
      expect(stored && [isSettled(stored), of(stored)]).toEqual([true, count]);
    },
    { timeout: 20_000, interval: POLL_MS },
  );
};

/** Waits until `count` admitted requests are stored and no reservation remains. */
export const storedRequests = (start: string, count: number) => settled(start, count, admittedIn);

/** Waits until the usage contains `count` requests, admitted or refused. */
export const storedUsage = (start: string, count: number) => settled(start, count, countedIn);
