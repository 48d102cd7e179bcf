import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type AnsweredRequest,
  bucketOf,
  buckets,
  type Histogram,
  quantile,
  UnwrittenCounts,
} from "../../../../src/platform/metrics/counts.ts";

const request = (fields: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  caller: "api_key:1",
  route: "GET /a",
  status: 200,
  at: 0,
  ms: 1,
  ...fields,
});

it("counts each request once, whatever writes fail in between", () => {
  const requests = fc.record({
    caller: fc.constantFrom("api_key:1", "api_key:2", "user", "anonymous"),
    route: fc.constantFrom("GET /a", "POST /b"),
    status: fc.constantFrom(200, 304, 404, 429, 500),
    at: fc.nat(200_000),
    ms: fc.nat(6_000),
  });
  const failures = fc.constant("failure" as const);
  fc.assert(
    fc.property(fc.array(fc.oneof(requests, failures), { maxLength: 60 }), (steps) => {
      const unwritten = new UnwrittenCounts();
      const sent = steps.filter((step) => step !== "failure");
      for (const step of steps) {
        if (step === "failure") unwritten.putBack(unwritten.take());
        else unwritten.add(step);
      }
      const taken = unwritten.take();
      for (const { caller, route, minute, ...counts } of taken) {
        const own = sent.filter(
          (one) => one.caller === caller && one.route === route && Math.floor(one.at / 60_000) * 60_000 === minute,
        );
        const having = (test: (status: number) => boolean) => own.filter(({ status }) => test(status)).length;
        expect(counts).toMatchObject({
          requests: own.length,
          redirects: having((status) => status === 304),
          clientErrors: having((status) => status === 404),
          refused: having((status) => status === 429),
          serverErrors: having((status) => status === 500),
          duration: own.reduce((sum, { ms }) => sum + ms, 0),
          lastAt: Math.max(...own.map(({ at }) => at)),
        });
      }
      expect(taken.reduce((sum, { requests: count }) => sum + count, 0)).toBe(sent.length);
      expect(unwritten.isEmpty).toBe(true);
    }),
  );
});

it("combines requests beyond a thousand callers and routes", () => {
  const unwritten = new UnwrittenCounts();
  for (let n = 0; n < 5_000; n++) unwritten.add(request({ caller: `api_key:${n}` }));
  const taken = unwritten.take();
  expect(taken).toHaveLength(1_001);
  expect(taken.at(-1)).toMatchObject({ caller: "other", route: "other", requests: 4_000 });
});

const histogramOf = (durations: number[]): Histogram => {
  const histogram = Object.fromEntries(buckets.map(([name]) => [name, 0])) as Histogram;
  for (const ms of durations) histogram[bucketOf(ms)]++;
  return histogram;
};

const boundsOf = (ms: number): [lower: number, upper: number] => {
  const place = buckets.findIndex(([name]) => name === bucketOf(ms));
  return [buckets[place - 1]?.[1] ?? 0, Math.min(buckets[place]?.[1] ?? 0, 5_000)];
};

it("puts a quantile into the exact one's bucket", () => {
  const durations = fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.9, 0.95, 1), (values, q) => {
      const sorted = values.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil(q * values.length) - 1] ?? 0;
      const [lower, upper] = boundsOf(exact);
      const estimate = quantile(histogramOf(values), q) ?? -1;
      expect(estimate).toBeGreaterThanOrEqual(lower);
      expect(estimate).toBeLessThanOrEqual(upper);
    }),
  );
});

it("interpolates within a bucket", () => {
  expect(quantile({ ...histogramOf([]), to100: 10 }, 0.5)).toBe(75);
  expect(quantile({ ...histogramOf([]), over5000: 1 }, 0.5)).toBe(5_000);
  expect(quantile(histogramOf([]), 0.5)).toBeNull();
});
