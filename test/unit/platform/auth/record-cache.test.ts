import { afterEach, expect, it, vi } from "vitest";
import { RecordCache } from "../../../../src/platform/auth/record-cache.ts";

/** Reads, by number, that the test completes. */
function reads() {
  const pending: PromiseWithResolvers<string>[] = [];
  return {
    count: () => pending.length,
    read: () => {
      const next = Promise.withResolvers<string>();
      pending.push(next);
      return next.promise;
    },
    answer: (number: number, row: string) => pending[number]?.resolve(row),
    fail: (number: number) => pending[number]?.reject(new Error("D1 is away")),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

it("reads once for all who wait, and not again for later ones", async () => {
  const { read, count, answer } = reads();
  const record = new RecordCache<string>();
  const waiting = [record.get(read), record.get(read), record.get(read)];
  answer(0, "row");
  expect(await Promise.all(waiting)).toEqual(["row", "row", "row"]);
  expect(await record.get(read)).toBe("row");
  expect(count()).toBe(1);
});

it("also caches a missing row", async () => {
  const record = new RecordCache<string | undefined>();
  const read = vi.fn(async () => undefined);
  for (const _ of [1, 2, 3]) expect(await record.get(read)).toBeUndefined();
  expect(read).toHaveBeenCalledOnce();
});

it("reports a failed read to all who wait, and reads again for the next", async () => {
  const { read, count, answer, fail } = reads();
  const record = new RecordCache<string>();
  const waiting = [record.get(read), record.get(read)];
  fail(0);
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe("rejected");
  const next = record.get(read);
  answer(1, "row");
  expect(await next).toBe("row");
  expect(count()).toBe(2);
});

it("reads again at once after it was invalidated", async () => {
  const { read, answer } = reads();
  const record = new RecordCache<string>();
  const before = record.get(read);
  answer(0, "before");
  expect(await before).toBe("before");
  record.forget();
  const after = record.get(read);
  answer(1, "after");
  expect(await after).toBe("after");
});

it.each<[string, number[]]>([
  ["first", [0, 1]],
  ["last", [1, 0]],
])("does not cache a read that was in progress when it was invalidated, answered %s", async (_, order) => {
  const { read, count, answer } = reads();
  const record = new RecordCache<string>();
  const before = record.get(read);
  record.forget();
  const after = record.get(read);
  for (const number of order) answer(number, number === 0 ? "before" : "after");
  expect([await before, await after]).toEqual(["before", "after"]);
  expect(await record.get(read)).toBe("after");
  expect(count()).toBe(2);
});

it("does not drop a newer read if an invalidated older one fails", async () => {
  const { read, count, answer, fail } = reads();
  const record = new RecordCache<string>();
  const before = record.get(read);
  record.forget();
  const after = record.get(read);
  fail(0);
  await expect(before).rejects.toThrow();
  const shared = record.get(read);
  answer(1, "after");
  expect([await after, await shared]).toEqual(["after", "after"]);
  expect(count()).toBe(2);
});

it("reads again a minute after its read started, even without an invalidation", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const { read, count, answer } = reads();
  const record = new RecordCache<string>();
  const first = record.get(read);
  vi.setSystemTime(5_000);
  answer(0, "old");
  await first;
  vi.setSystemTime(59_999);
  expect(await record.get(read)).toBe("old");
  vi.setSystemTime(60_000);
  const second = record.get(read);
  answer(1, "new");
  expect(await second).toBe("new");
  expect(count()).toBe(2);
});
