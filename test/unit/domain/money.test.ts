import fc from "fast-check";
import { expect, it } from "vitest";
import { formatAmount, Price, PriceText, toDecimal, toDecimalOrNull } from "../../../src/domain/money.ts";

const minor = fc.integer({ min: 0, max: 999_999_999 });

it("brings every amount back as it went out, as a number and as text", () => {
  fc.assert(
    fc.property(minor, (cents) => {
      expect(Price.parse(JSON.parse(JSON.stringify(toDecimal(cents))))).toBe(cents);
      expect(PriceText.parse(String(toDecimal(cents)))).toBe(cents);
      expect(PriceText.parse(formatAmount(cents))).toBe(cents);
    }),
    { numRuns: 500, examples: [[0], [1], [10], [29], [57], [1999], [999_999_999]] },
  );
});

it("writes at most two decimals", () => {
  fc.assert(
    fc.property(minor, (cents) => {
      expect(JSON.stringify(toDecimal(cents))).toMatch(/^\d+(\.\d{1,2})?$/);
      expect(formatAmount(cents)).toMatch(/^\d+\.\d\d$/);
    }),
  );
});

it("writes debits too, and null as null", () => {
  expect([toDecimal(-1999), toDecimalOrNull(-1), toDecimalOrNull(0), toDecimalOrNull(null)]).toEqual([
    -19.99,
    -0.01,
    0,
    null,
  ]);
});

it("refuses three decimals, however small the third", () => {
  const thousandths = fc.integer({ min: 1, max: 9_999_999_989 }).filter((n) => n % 10 !== 0);
  fc.assert(
    fc.property(thousandths, (n) => {
      expect(Price.safeParse(n / 1000).success).toBe(false);
      expect(PriceText.safeParse((n / 1000).toFixed(3)).success).toBe(false);
    }),
  );
});

it.each([-0.01, -1, 10_000_000, 1e21, Number.NaN, Number.POSITIVE_INFINITY, "10", null, true, 0.1 + 0.2, 1e-7])(
  "refuses %s as a price",
  (price) => {
    expect(Price.safeParse(price).success).toBe(false);
  },
);

it.each(["", " 1", "1 ", "1.", ".5", "1,50", "-1", "+1", "1e3", "0x10", "10000000", "1.234", "١", "1\n"])(
  "refuses %j as the text of a price",
  (price) => {
    expect(PriceText.safeParse(price).success).toBe(false);
  },
);
