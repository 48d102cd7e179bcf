import { expect, it, vi } from "vitest";
import { exported, type NextRows } from "../../../../src/back-office/exports/stream.ts";

/** Pages of the requested number of rows, each with a text of this length. */
function rowsOf(pages: number, length = 10) {
  const limits: number[] = [];
  const next: NextRows = async (limit) => {
    if (limits.push(limit) > pages) return null;
    return Array.from({ length: limit }, () => ({ text: "x".repeat(length) }));
  };
  return { limits, next };
}

const open = async (next: NextRows, onBroken = vi.fn()) => {
  const { body } = await exported("things", "ndjson", { columns: ["text"], next }, onBroken);
  if (!body) throw new Error("No body");
  return body.getReader();
};

/** Waits until all pending microtasks have run. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

it("reads a page only when the previous one was consumed", async () => {
  const { limits, next } = rowsOf(5);
  const reader = await open(next);
  await settled();
  expect(limits).toHaveLength(1);
  await reader.read();
  await settled();
  expect(limits).toHaveLength(1);
  await reader.read();
  await settled();
  expect(limits).toHaveLength(2);
});

it("reads nothing more once its reader has gone, even if a filter matches nothing", async () => {
  let reads = 0;
  const reader = await open(async () => {
    await settled();
    return reads++ === 0 ? [{ text: "first" }] : [];
  });
  await reader.read();
  reader.read().catch(() => {});
  await settled();
  await reader.cancel();
  await settled();
  const readUntilThen = reads;
  await settled();
  await settled();
  expect(reads - readUntilThen).toBeLessThanOrEqual(1);
});

it("breaks off when a page cannot be read, and says so", async () => {
  const onBroken = vi.fn();
  const { next } = rowsOf(5);
  let pages = 0;
  const reader = await open((limit) => (pages++ < 2 ? next(limit) : Promise.reject(new Error("gone"))), onBroken);
  await reader.read();
  await reader.read();
  await expect(reader.read()).rejects.toThrow("gone");
  expect(onBroken).toHaveBeenCalledOnce();
});

it("answers with an error if the first page fails", async () => {
  await expect(open(() => Promise.reject(new Error("at once")))).rejects.toThrow("at once");
});

it("requests more rows the shorter they are, so that a page is at most some megabytes", async () => {
  const limitsOf = async (length: number) => {
    const { limits, next } = rowsOf(6, length);
    const reader = await open(next);
    while (!(await reader.read()).done);
    return limits;
  };
  expect(await limitsOf(10)).toEqual([250, 1000, 1500, 1500, 1500, 1500, 1500]);
  const [first, ...others] = await limitsOf(100_000);
  expect(first).toBe(250);
  expect(others.every((limit) => limit === 29)).toBe(true);
  expect(Math.max(...(await limitsOf(2_000)))).toBe(1_491);
});

it("writes the header of a CSV without rows", async () => {
  const answer = await exported("things", "csv", { columns: ["a", "b"], next: async () => null }, vi.fn());
  expect(await answer.text()).toBe("a,b\r\n");
});
