import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decimalsOf, formatAmount } from "../../../../src/domain/money.ts";
import { money, number, percent } from "../../../../src/panel/forms/kinds.ts";

describe("a percentage", () => {
  it.each([
    ["19", 19],
    ["8.875", 8.875],
    ["8,875", 8.875],
    [" 7 % ", 7],
    ["-10%", -10],
    ["%10", 10],
    ["-%10", -10],
    ["٪١٠", 10],
    ["１０％", 10],
    ["0", 0],
    ["", undefined],
    [" % ", undefined],
    ["1,234.5", 1234.5],
  ])("is read from %j", (typed, value) => {
    expect(percent([typed])).toBe(value);
  });

  it.each(["ten", "10%%", "%10%", "1%0", "$10", "10 € %"])("is not read from %j", (typed) => {
    expect(percent([typed])).toEqual(expect.any(String));
  });
});

describe("a whole number", () => {
  it.each([
    ["12", 12],
    ["-2", -2],
    ["+5", 5],
    ["−3", -3],
    ["1,299", 1299],
    ["1.299", 1299],
    ["1 299", 1299],
    ["1,299,000", 1_299_000],
    ["１２", 12],
    ["١٢", 12],
    ["1.5", 1.5],
    ["", undefined],
  ])("is read from %j", (typed, value) => {
    expect(number([typed])).toBe(value);
  });

  it.each(["$5", "5 EUR", "5%", "5 g", "1e3", "0x10"])("is not read from %j", (typed) => {
    expect(number([typed])).toBe(typed);
  });
});

/** An amount that is refused, with the reason. */
function refusalOf(typed: string): string {
  try {
    return `read as ${money("price")([typed])}`;
  } catch (error) {
    return (error as { errors: { price: string[] } }).errors.price.join();
  }
}

describe("an amount", () => {
  it.each([
    ["USD", "12,50", 12.5],
    ["USD", "12.5", 12.5],
    ["USD", "-3,5", -3.5],
    ["USD", "1,234.50", 1234.5],
    ["USD", "1.234,50", 1234.5],
    ["USD", "1 299,00", 1299],
    ["USD", "1\u202f299,00", 1299],
    ["USD", "1'299.00", 1299],
    ["USD", "1,234,567", 1_234_567],
    ["USD", "0,999", 0.999],
    ["USD", "1234", 1234],
    ["USD", "", undefined],
    ["USD", "$5", 5],
    ["USD", "US$ 5", 5],
    ["USD", "5 USD", 5],
    ["USD", "-$5.50", -5.5],
    ["CAD", "CA$5", 5],
    ["CAD", "C$ 5", 5],
    ["EUR", "€ 5", 5],
    ["EUR", "1.299,- €", 1299],
    ["EUR", "١٬٢٩٩٫٥٠", 1299.5],
    ["CHF", "Fr. 1’299.-", 1299],
    ["SEK", "12,50 kr", 12.5],
    ["JPY", "1,234", 1234],
    ["JPY", "1.234", 1234],
    ["JPY", "￥１，２３４", 1234],
    ["JPY", "1,234円", 1234],
    ["JPY", "12,5", 12.5],
    ["KWD", "1.500", 1.5],
    ["KWD", "KWD 1.500", 1.5],
    ["KWD", "1,234.500", 1234.5],
  ])("in %s is read from %j", (currency, typed, amount) => {
    vi.stubEnv("CURRENCY", currency);
    expect(money("price")([typed])).toBe(amount);
  });

  it.each([
    ["USD", "1,234", "can mean 1234.00 or 1.234. Enter it without a thousands separator"],
    ["USD", "$12.505", "can mean 12505.00 or 12.505. Enter it without a thousands separator"],
    ["USD", "-12,345", "can mean -12345.00 or -12.345. Enter it without a thousands separator"],
    ["KWD", "1,500", "can mean 1500.000 or 1.5. Enter it without a thousands separator"],
    ["USD", "€ 5", "must be an amount in USD, not in €"],
    ["USD", "CA$5", "must be an amount in USD, not in CA$"],
    ["EUR", "5 USD", "must be an amount in EUR, not in USD"],
    ["JPY", "5 元", "must be an amount in JPY, not in 元"],
  ])("in %s is refused: %j", (currency, typed, words) => {
    vi.stubEnv("CURRENCY", currency);
    expect(refusalOf(typed)).toBe(words);
  });

  it.each(["1,23,4", "1,234,50", "12,50,", ",", "1 2", "5%", "abc", "€"])("is not read from %j", (typed) => {
    vi.stubEnv("CURRENCY", "EUR");
    expect(money("price")([typed])).toBe(typed);
  });
});

/** Common thousands and decimal separators. */
const LOCALES = ["en-US", "de-DE", "fr-FR", "de-CH", "pt-BR", "pl-PL", "en-IN", "ar-EG", "ja-JP", "sv-SE"];

it("is read as people of any locale write it, unless it is ambiguous", () => {
  for (const currency of ["USD", "JPY", "KWD"]) {
    vi.stubEnv("CURRENCY", currency);
    const [decimals, scale] = [decimalsOf(currency), 10 ** decimalsOf(currency)];
    const format = (locale: string, amount: number) =>
      amount.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), fc.integer({ min: -99_999_999, max: 99_999_999 }), (locale, minor) => {
        const typed = format(locale, minor / scale);
        const read = refusalOf(typed);
        if (!read.startsWith("can mean")) expect(read).toBe(`read as ${minor / scale + 0}`);
        else expect(decimals).toBe(3);
      }),
    );
  }
});

it("accepts the panel's own format", () => {
  for (const currency of ["USD", "JPY", "KWD"]) {
    vi.stubEnv("CURRENCY", currency);
    fc.assert(
      fc.property(fc.nat(999_999_999), (minor) => {
        expect(money("price")([formatAmount(minor)])).toBe(minor / 10 ** decimalsOf(currency));
      }),
    );
  }
});

it("is read or refused, whatever is typed", () => {
  vi.stubEnv("CURRENCY", "USD");
  const typing = fc.string({ unit: fc.constantFrom(..."0159.,' -+%$€()UDSE٫٬१０"), maxLength: 80 });
  fc.assert(
    fc.property(typing, (typed) => {
      for (const read of [number, percent]) {
        const value = read([typed]);
        if (typeof value === "number") expect(value).not.toBeNaN();
        else if (value !== undefined) expect(typed).toContain(value);
      }
      expect(refusalOf(typed)).toEqual(expect.any(String));
    }),
  );
});
