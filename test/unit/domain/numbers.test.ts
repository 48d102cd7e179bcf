import { expect, it, vi } from "vitest";
import { currenciesIn, readNumber, usualSeparator } from "../../../src/domain/numbers.ts";

const exact: [text: string, value: number][] = [
  ["1,234.500", 1234.5],
  ["1.299,-", 1299],
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
  expect(readNumber(text)).toMatchObject({ value });
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
it.each(ambiguous)("reads %j in two ways", (text, point, comma) => {
  expect(readNumber(text)).toEqual({ readings: { ".": point, ",": comma } });
});

it("expects a point before three decimals of a price, if nothing else is known", () => {
  vi.stubEnv("CURRENCY", "KWD");
  expect(usualSeparator({ ".": 1.5, ",": 1500 })).toBe(".");
  expect(usualSeparator({ ".": 1500, ",": 1.5 })).toBeUndefined();
  vi.stubEnv("CURRENCY", "USD");
  expect(usualSeparator({ ".": 1.5, ",": 1500 })).toBeUndefined();
});

it.each([
  ["5", []],
  ["€ 5", ["€"]],
  ["-$5", ["$"]],
  ["EUR 5 €", ["EUR", "€"]],
  ["5 g", []],
])("finds the currencies in %j", (text, currencies) => {
  expect(currenciesIn(text)).toEqual(currencies);
});
