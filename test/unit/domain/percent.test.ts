import fc from "fast-check";
import { expect, it } from "vitest";
import { formatPercent, Percentage, Rate, Reduction, toPercent, toPercentOrNull } from "../../../src/domain/percent.ts";

const millionths = fc.integer({ min: 0, max: 1_000_000 });

it("preserves every percentage in a round trip", () => {
  fc.assert(
    fc.property(millionths, (rate) => {
      const sent = Percentage.parse(JSON.parse(JSON.stringify(toPercent(rate))));
      expect(Rate.parse(sent)).toBe(rate);
    }),
    { numRuns: 500, examples: [[0], [1], [29], [57_500], [88_750], [190_000], [1_000_000]] },
  );
});

it("writes at most four decimals, without trailing zeros", () => {
  fc.assert(fc.property(millionths, (rate) => void expect(formatPercent(rate)).toMatch(/^\d+(\.\d{0,3}[1-9])? %$/)));
  expect([190_000, 88_750, 1].map((rate) => formatPercent(rate))).toEqual(["19 %", "8.875 %", "0.0001 %"]);
  expect([55_000, 190_000].map((rate) => formatPercent(rate, "fr"))).toEqual(["5,5 %", "19 %"]);
  expect([toPercentOrNull(88_750), toPercentOrNull(null)]).toEqual([8.875, null]);
});

it("refuses a fifth decimal, however small it is", () => {
  const fifths = fc.integer({ min: 1, max: 9_999_999 }).filter((n) => n % 10 !== 0);
  fc.assert(fc.property(fifths, (n) => void expect(Rate.safeParse(n / 100_000).success).toBe(false)));
});

it.each([-0.0001, -1, 100.0001, 1e21, Number.NaN, Number.POSITIVE_INFINITY, "10", null, true, 0.1 + 0.2])(
  "refuses %s as a rate",
  (rate) => {
    expect(Rate.safeParse(rate).success).toBe(false);
  },
);

it("accepts a tax rate of zero, but not a discount of zero", () => {
  expect([Rate.safeParse(0).success, Reduction.safeParse(0).success]).toEqual([true, false]);
  expect([Reduction.parse(0.0001), Reduction.parse(100)]).toEqual([1, 1_000_000]);
});
