import { expect, it } from "vitest";
import { changedPrices } from "../../../../src/back-office/bulk-actions/price.ts";

const change = (millionths: number, step = 1) => ({ millionths, compareAt: "keep" as const, step });

it.each([
  [1000, -100_000, 1, 900],
  [1005, -500_000, 1, 503],
  [1, -500_000, 1, 1],
  [1, -500_001, 1, 0],
  [1999, 88_750, 1, 2176],
  [1999, -1_000_000, 1, 0],
  [99_900, 50_000, 100, 104_900],
  [105_000, -100_000, 100, 94_500],
  [101_100, -500_000, 100, 50_600],
  [999_999_999, -1, 1, 999_998_999],
])("%d changed by %d millionths, in steps of %d, is %d", (price, millionths, step, expected) => {
  expect(changedPrices({ price, compareAtPrice: 2_000_000_000 }, change(millionths, step))).toEqual({
    price: expected,
    compareAtPrice: 2_000_000_000,
  });
});

it("shows the price before, or none", () => {
  const before = { price: 1000, compareAtPrice: 1100 };
  expect(changedPrices(before, { ...change(-100_000), compareAt: "previous" })?.compareAtPrice).toBe(1000);
  expect(changedPrices(before, { ...change(-100_000), compareAt: "none" })?.compareAtPrice).toBeNull();
});

it.each([
  ["keep", 99_000, 1100],
  ["keep", 100_000, null],
  ["keep", 200_000, null],
  ["previous", 0, null],
  ["previous", 100_000, null],
] as const)(
  "with %s shows, after %d millionths more, %d as what it cost before: only what is higher",
  (compareAt, millionths, shown) => {
    const before = { price: 1000, compareAtPrice: 1100 };
    expect(changedPrices(before, { ...change(millionths), compareAt })?.compareAtPrice).toBe(shown);
  },
);

it("costs no more than a price may be", () => {
  expect(changedPrices({ price: 999_999_999, compareAtPrice: null }, change(1))).toBeNull();
  expect(changedPrices({ price: 90_909_091, compareAtPrice: null }, change(10_000_000))).toBeNull();
  expect(changedPrices({ price: 90_909_090, compareAtPrice: null }, change(10_000_000))?.price).toBe(999_999_990);
});
