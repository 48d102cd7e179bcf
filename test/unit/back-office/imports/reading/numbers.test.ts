import { describe, expect, it, vi } from "vitest";
import {
  numberIn,
  priceIn,
  problemOf,
  readNumber,
  usualSeparator,
} from "../../../../../src/back-office/imports/reading/numbers.ts";

const exact: [text: string, value: number][] = [
  ["64,99", 64.99],
  ["0.10", 0.1],
  [".5", 0.5],
  ["5.", 5],
  ["+5", 5],
  ["1.234,56", 1234.56],
  ["1,234.56", 1234.56],
  ["1.234.567", 1_234_567],
  ["1,23,456.78", 123_456.78],
  ["1234,567", 1234.567],
  ["0,500", 0.5],
  ["1 299,00", 1299],
  ["1\u00a0299,00", 1299],
  ["1\u202f299,00", 1299],
  ["1'299.00", 1299],
  ["1’299’000", 1_299_000],
  ["€ 1.299,00", 1299],
  ["1299 €", 1299],
  ["USD 12.50", 12.5],
  ["R$ 1.299,90", 1299.9],
  ["12,50 zł", 12.5],
  ["CHF 1'299.-", 1299],
  ["12,--", 12],
  ["(5)", -5],
  ["5-", -5],
  ["−5,50", -5.5],
  ["-€5.50", -5.5],
  ["１２．５０", 12.5],
  ["١٬٢٩٩٫٥٠", 1299.5],
  ["۱۲۳", 123],
  ["\u200e12.50\u200e", 12.5],
];
it.each(exact)("reads %j as %d", (text, value) => {
  expect(numberIn(text)).toBe(value);
});

const ambiguous: [text: string, point: number, comma: number][] = [
  ["1,000", 1000, 1],
  ["2,500", 2500, 2.5],
  ["1.990", 1.99, 1990],
  ["12.500", 12.5, 12_500],
  ["$1,299", 1299, 1.299],
  ["(1,000)", -1000, -1],
  ["１,０００", 1000, 1],
];
it.each(ambiguous)("reads %j in two ways, and leaves it as it is", (text, point, comma) => {
  expect(readNumber(text)).toEqual({ readings: { ".": point, ",": comma } });
  expect(numberIn(text)).toBe(text);
});

describe("a price", () => {
  it.each([
    ["JPY", "1,500", 1500],
    ["JPY", "¥1.500", 1500],
    ["JPY", "(1,500)", -1500],
    ["JPY", "12,5", 12.5],
    ["KWD", "1.500", "1.500"],
    ["USD", "1.500", "1.500"],
  ])("in %s is read by its decimals: %s", (currency, text, price) => {
    vi.stubEnv("CURRENCY", currency);
    expect(priceIn(text)).toBe(price);
  });

  it("of three decimals has a point before them, if nothing else is known", () => {
    vi.stubEnv("CURRENCY", "KWD");
    expect(usualSeparator({ ".": 1.5, ",": 1500 })).toBe(".");
    expect(usualSeparator({ ".": 1500, ",": 1.5 })).toBeUndefined();
    vi.stubEnv("CURRENCY", "USD");
    expect(usualSeparator({ ".": 1.5, ",": 1500 })).toBeUndefined();
  });
});

describe("what is no number", () => {
  const none = [
    "",
    "-",
    "--5",
    "abc",
    "20%",
    "1 2",
    "1,000,00",
    "1.23.456",
    "1..2",
    "1.2,3",
    "0x10",
    "NaN",
    "Infinity",
  ];
  it.each(none)("stays text: %j", (text) => {
    expect(numberIn(text)).toBe(text);
  });

  it("names both readings, and says of a shortened number what to do", () => {
    expect(problemOf("1,000")?.message).toBe("“1,000” can be 1000 or 1: choose the decimal separator of the file");
    expect(problemOf("1E+3")).toMatchObject({ code: "invalid_format" });
    expect(problemOf("abc")).toBeNull();
  });
});
