import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as z from "zod";
import {
  Amount,
  decimalsOf,
  formatAmount,
  formatMoney,
  Movement,
  minorUnits,
  Price,
  PriceText,
  toDecimal,
  toDecimalOrNull,
  toMinor,
} from "../../../src/domain/money.ts";

const minor = fc.integer({ min: 0, max: 999_999_999 });

const codesOf = (schema: z.ZodType, sent: unknown) =>
  schema.safeParse(sent).error?.issues.map((issue) => (issue.code === "custom" ? issue.params?.code : issue.code));

describe.each([
  ["USD", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
])("in %s, which has %i decimals", (currency, decimals) => {
  beforeEach(() => {
    vi.stubEnv("CURRENCY", currency);
  });

  it("every amount survives a round trip, as a number and as text", () => {
    fc.assert(
      fc.property(minor, (units) => {
        expect(Price.parse(JSON.parse(JSON.stringify(toDecimal(units))))).toBe(units);
        expect(PriceText.parse(String(toDecimal(units)))).toBe(units);
        expect(PriceText.parse(formatAmount(units))).toBe(units);
        expect(toMinor(toDecimal(-units))).toBe(-units);
      }),
      { numRuns: 500, examples: [[0], [1], [10], [29], [57], [1999], [999_999_999]] },
    );
  });

  it("sums of minor units equal the sums of decimals", () => {
    fc.assert(
      fc.property(fc.array(minor, { maxLength: 50 }), (amounts) => {
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        const decimalSum = amounts.reduce((total, amount) => total + toDecimal(amount), 0);
        expect(toMinor(decimalSum)).toBe(sum);
      }),
    );
  });

  it("no more than its decimals are written", () => {
    fc.assert(
      fc.property(minor, (units) => {
        const [, written = ""] = JSON.stringify(toDecimal(units)).split(".");
        expect(written.length).toBeLessThanOrEqual(decimals);
        expect(formatAmount(units).split(".")[1]?.length ?? 0).toBe(decimals);
      }),
    );
  });

  it("one decimal more is refused, however small", () => {
    const tenths = fc.integer({ min: 1, max: 9_999_999_989 }).filter((n) => n % 10 !== 0);
    fc.assert(
      fc.property(tenths, (n) => {
        const amount = n / 10 ** (decimals + 1);
        expect(codesOf(Price, amount)).toEqual(["too_precise"]);
        expect(codesOf(Amount, amount)).toEqual(["too_precise"]);
        expect(codesOf(Movement, -amount)).toEqual(["too_precise"]);
        expect(codesOf(PriceText, amount.toFixed(decimals + 1))).toEqual(["too_precise"]);
      }),
    );
  });

  it("empty text, and more than the maximum, are refused", () => {
    expect(codesOf(Price, 0)).toBeUndefined();
    expect(codesOf(Price, -1)).toEqual(["too_small"]);
    expect(codesOf(Amount, 0)).toEqual(["too_small"]);
    expect(codesOf(Movement, 0)).toEqual([undefined]);
    expect(codesOf(Price, toDecimal(1_000_000_000))).toEqual(["too_big"]);
    expect(codesOf(Movement, toDecimal(-1_000_000_000))).toEqual(["too_small"]);
  });
});

it("writes debits too, and null as null", () => {
  expect([toDecimal(-1999), toDecimalOrNull(-1), toDecimalOrNull(0), toDecimalOrNull(null)]).toEqual([
    -19.99,
    -0.01,
    0,
    null,
  ]);
});

it.each([
  [123456, "USD", "$1,234.56"],
  [1250, "JPY", "¥1,250"],
  [1250, "KWD", "KWD\u00a01.250"],
  [-50, "EUR", "-€0.50"],
  [-0, "USD", "$0.00"],
])("writes %i minor units of %s as %s", (units, currency, written) => {
  expect(formatMoney(units, currency)).toBe(written);
});

it("knows how many decimals other currencies have", () => {
  expect(Object.keys(minorUnits).filter((currency) => decimalsOf(currency) === 2)).toEqual([]);
  expect(["EUR", "HUF", "ISK", "BHD", "UYW"].map(decimalsOf)).toEqual([2, 2, 0, 3, 4]);
});

it.each([-0.01, -1, 10_000_000, 1e21, Number.NaN, Number.POSITIVE_INFINITY, "10", null, true, 0.1 + 0.2, 1e-7, 1e308])(
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
