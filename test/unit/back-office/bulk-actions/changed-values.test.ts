import { expect, it } from "vitest";
import { changedPrices } from "../../../../src/back-office/bulk-actions/changed-values.ts";

const change = (millionths: number) => ({ millionths, compareAt: "keep" as const });

it.each([
  [1000, -100_000, 900],
  [1005, -500_000, 503],
  [1, -500_000, 1],
  [1, -500_001, 0],
  [1999, 88_750, 2176],
  [1999, -1_000_000, 0],
  [999_999_999, -1, 999_998_999],
])("%d changed by %d millionths is %d", (price, millionths, expected) => {
  expect(changedPrices({ price, compareAtPrice: 2_000_000_000 }, change(millionths))).toEqual({
    price: expected,
    compareAtPrice: 2_000_000_000,
  });
});

it("shows the previous price, or none", () => {
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

it("does not exceed the maximum price", () => {
  expect(changedPrices({ price: 999_999_999, compareAtPrice: null }, change(1))).toBeNull();
  expect(changedPrices({ price: 90_909_091, compareAtPrice: null }, change(10_000_000))).toBeNull();
  expect(changedPrices({ price: 90_909_090, compareAtPrice: null }, change(10_000_000))?.price).toBe(999_999_990);
});
