import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SearchLimiter } from "../../../../../src/catalogue/products/listing/search-limiter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A limiter, and searches that record their start and how many run at once. */
function searching() {
  const limiter = new SearchLimiter();
  const start = Date.now();
  const began: number[] = [];
  const seen = { now: 0, most: 0 };
  /** A search that takes `duration` in the database, and `underWay` in total. */
  const search = (duration: number, underWay = duration) =>
    limiter.run(async () => {
      began.push(Date.now() - start);
      seen.most = Math.max(seen.most, ++seen.now);
      await new Promise((resolve) => setTimeout(resolve, underWay));
      seen.now--;
      return { meta: { duration } };
    });
  const searches = (count: number, duration: number, underWay?: number) =>
    Promise.all(Array.from({ length: count }, () => search(duration, underWay)));
  return { limiter, began, seen, search, searches };
}

it("runs eight short searches at once, however long the network takes", async () => {
  const { seen, searches } = searching();
  void searches(1, 1, 100);
  await vi.advanceTimersByTimeAsync(100);
  const all = searches(24, 1, 100);
  await vi.advanceTimersByTimeAsync(300);
  await all;
  expect(seen.most).toBe(8);
});

it("sends one search alone until its duration is known", async () => {
  const { began, searches } = searching();
  const all = searches(3, 1, 100);
  await vi.advanceTimersByTimeAsync(200);
  await all;
  expect(began).toEqual([0, 100, 100]);
});

it("sends one at a time after a slow one, and leaves the database idle in between for as long as each took", async () => {
  const { began, seen, searches } = searching();
  const all = searches(4, 50, 60);
  await vi.advanceTimersByTimeAsync(500);
  await all;
  expect([began, seen.most]).toEqual([[0, 110, 220, 330], 1]);
});

it("treats searches as short again when none was slow for a hundred times as long", async () => {
  const { seen, searches } = searching();
  void searches(1, 50);
  await vi.advanceTimersByTimeAsync(4_900);
  const cautious = searches(2, 1, 10);
  await vi.advanceTimersByTimeAsync(100);
  await cautious;
  expect(seen.most).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  const all = searches(2, 1, 10);
  await vi.advanceTimersByTimeAsync(100);
  await all;
  expect(seen.most).toBe(2);
});

it("continues after a failed one, and leaves the database idle for as long as that took", async () => {
  const { limiter, began, search } = searching();
  const failing = limiter.run<never>(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    throw new Error("no database");
  });
  const both = Promise.all([expect(failing).rejects.toThrow("no database"), search(1)]);
  await vi.advanceTimersByTimeAsync(100);
  await both;
  expect(began).toEqual([60]);
});

it("treats searches as short again half a minute after one that hung and failed", async () => {
  const { limiter, seen, searches } = searching();
  const failing = limiter.run<never>(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    throw new Error("no database");
  });
  const failed = expect(failing).rejects.toThrow("no database");
  await vi.advanceTimersByTimeAsync(40_000);
  await failed;
  const all = searches(2, 1, 10);
  await vi.advanceTimersByTimeAsync(100);
  await all;
  expect(seen.most).toBe(2);
});

it("waits at most a second for one that never ends", async () => {
  const { limiter, began, search } = searching();
  void limiter.run<never>(() => new Promise(() => undefined));
  const second = search(1);
  await vi.advanceTimersByTimeAsync(1_100);
  await second;
  expect(began).toEqual([1_000]);
});

it("releases every promise after its turn, so that waiting searches are not kept in memory", async () => {
  const { searches } = searching();
  const races = vi.spyOn(Promise, "race");
  for (let pairs = 0; pairs < 5; pairs++) {
    const done = searches(2, 10);
    await vi.advanceTimersByTimeAsync(2_000);
    await done;
  }
  const waitedFor = races.mock.calls.flatMap(([promises]) => [...promises]);
  races.mockRestore();
  expect(waitedFor.length).toBeGreaterThan(0);
  expect(new Set(waitedFor).size).toBe(waitedFor.length);
});
