import { describe, expect, it, vi } from "vitest";
import { numberIn, priceIn, problemOf } from "../../../../../src/back-office/imports/reading/numbers.ts";

it.each([
  ["64,99", 64.99],
  ["€ 1.299,00", 1299],
  ["(5)", -5],
])("reads %j as %d", (text, value) => {
  expect(numberIn(text)).toBe(value);
});

it.each(["1,000", "1.990", "$1,299", "(1,000)"])("leaves %j, which is ambiguous, unchanged", (text) => {
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
});

describe("text that is not a number", () => {
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

  it("names both readings, and explains how to write a shortened number", () => {
    expect(problemOf("1,000")?.message).toBe("“1,000” can mean 1000 or 1: choose the decimal separator of the file");
    expect(problemOf("1E+3")).toMatchObject({ code: "invalid_format" });
    expect(problemOf("abc")).toBeNull();
  });
});
