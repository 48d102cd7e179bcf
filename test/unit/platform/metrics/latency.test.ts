import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketOf, buckets, type Histogram, quantile } from "../../../../src/platform/metrics/latency.ts";

const histogramOf = (durations: number[]): Histogram => {
  const histogram = Object.fromEntries(buckets.map(([name]) => [name, 0])) as Histogram;
  for (const ms of durations) histogram[bucketOf(ms)]++;
  return histogram;
};

const boundsOf = (ms: number): [lower: number, upper: number] => {
  const place = buckets.findIndex(([name]) => name === bucketOf(ms));
  return [buckets[place - 1]?.[1] ?? 0, Math.min(buckets[place]?.[1] ?? 0, 5_000)];
};

it("puts a quantile into the bucket of the exact one", () => {
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
