import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distribute, scaled, sum } from "../../../src/domain/rounding.ts";

describe("rounding", () => {
  it.each([
    [1, 1, 2, 1],
    [3, 1, 2, 2],
    [10, 190_000, 1_000_000, 2],
    [13, 190_000, 1_000_000, 2],
    [50, 70_000, 1_000_000, 4],
    [0, 7, 9, 0],
    [9_999_999_990_000, 999_999, 1_000_000, 9_999_989_990_000],
  ])("of %i × %i ÷ %i is %i: halves go away from zero", (amount, numerator, denominator, rounded) => {
    expect(scaled(amount, numerator, denominator)).toBe(rounded);
  });
});

describe("distributing", () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [5, [10, 30, 20], [1, 2, 2]],
    [2, [1, 2, 3], [0, 1, 1]],
    [7, [0, 0], [7, 0]],
    [7, [0, 5], [0, 7]],
  ])("gives the remainder of %i by %j to the largest fractions", (amount, weights, parts) => {
    expect(distribute(amount, weights)).toEqual(parts);
  });

  it("distributes everything, and gives nobody more than one unit above their share", () => {
    const weight = fc.integer({ min: 0, max: 10_000_000_000_000 });
    fc.assert(
      fc.property(weight, fc.array(weight, { minLength: 1, maxLength: 8 }), (amount, weights) => {
        const parts = distribute(amount, weights);
        expect(sum(parts)).toBe(amount);
        const all = weights.reduce((total, one) => total + BigInt(one), 0n);
        for (const [index, part] of parts.entries()) {
          const off = BigInt(part) * all - BigInt(amount) * BigInt(weights[index] ?? 0);
          expect(all === 0n || (off < all && off > -all)).toBe(true);
        }
      }),
    );
  });
});
