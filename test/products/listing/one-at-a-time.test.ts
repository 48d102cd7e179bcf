import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { oneAtATime } from "../../../src/products/listing/one-at-a-time.ts";
import { callWith } from "../../support/call.ts";
import { aKey, aProduct } from "../../support/shop.ts";
import { watched } from "../../support/watched.ts";

afterEach(() => {
  vi.useRealTimers();
});

// Ahead of the others: the time that they make up runs ahead of the clock, and the next search would wait for it.
it("lets the database do one search at a time, however many are sent at once", async () => {
  await aProduct({ name: "Amber Lamp" });
  const { key } = await aKey({ tier: "premium" });
  const reading = { now: 0, most: 0, times: 0 };
  const bindings = watched<Env>(env, async (storage, call) => {
    if (storage !== "d1") return call();
    reading.now++;
    reading.times++;
    reading.most = Math.max(reading.most, reading.now);
    return Promise.resolve(call()).finally(() => reading.now--);
  });
  const searches = Array.from({ length: 20 }, (_, n) => `GET /products?search=amber&sort=name&max_price=${100 + n}`);
  const answers = await Promise.all(searches.map((line) => callWith(bindings, line, { as: key })));
  expect(answers.map(({ status }) => status)).toEqual(searches.map(() => 200));
  expect([reading.times, reading.most]).toEqual([20, 1]);
});

it("does one thing after the other, in the order they came, also after one that failed", async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const work = (name: string) =>
    oneAtATime(async () => {
      done.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve));
      done.push(`${name} ends`);
    });
  const failing = oneAtATime(() => Promise.reject(new Error("no database")));
  const all = Promise.all([work("first"), work("second"), expect(failing).rejects.toThrow("no database")]);
  await vi.advanceTimersByTimeAsync(10);
  await all;
  expect(done).toEqual(["first begins", "first ends", "second begins", "second ends"]);
});

it("waits a second at most for one that never ends", async () => {
  vi.useFakeTimers();
  void oneAtATime(() => new Promise(() => undefined));
  const second = oneAtATime(async () => "done");
  // One for the rest that a search before this left the database, one for the work that does not end.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await second).toBe("done");
});

it("waits for no promise that outlives the turn it stands for, which would hold on to all who waited", async () => {
  vi.useFakeTimers();
  const races = vi.spyOn(Promise, "race");
  const work = () => oneAtATime(() => new Promise((resolve) => setTimeout(resolve, 10)));
  for (let pairs = 0; pairs < 5; pairs++) {
    const done = [work(), work()];
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(done);
  }
  const waitedFor = races.mock.calls.flatMap(([promises]) => [...promises]);
  races.mockRestore();
  expect(waitedFor.length).toBeGreaterThan(0);
  expect(new Set(waitedFor).size).toBe(waitedFor.length);
});
