import { expect, it } from "vitest";
import { Gtin } from "../../../src/domain/gtin.ts";

const VALID = ["96385074", "036000291452", "4006381333931", "9783161484100", "00012345600012"];

it.each(VALID)("accepts %s", (code) => {
  expect(Gtin.parse(code)).toBe(code);
});

it("reads a code as it is printed", () => {
  expect(Gtin.parse(" 978-3-16-148410-0 ")).toBe("9783161484100");
  expect(Gtin.parse("4 006381 333931")).toBe("4006381333931");
  expect(Gtin.parse("'4006381333931")).toBe("4006381333931");
});

it("refuses every wrong digit, swapped neighbours unless they differ by 5, and other lengths", () => {
  const code = "4006381333931";
  for (const [at, digit] of [...code].entries()) {
    const wrong = code.slice(0, at) + ((Number(digit) + 1) % 10) + code.slice(at + 1);
    expect(Gtin.safeParse(wrong).success).toBe(false);
  }
  expect(Gtin.safeParse("4003681333931").success).toBe(false);
  for (const other of ["", "0", "123456789", "3161484100", "97831614841000000", "abcdefgh", "9638507A"]) {
    expect(Gtin.safeParse(other).success, other).toBe(false);
  }
});
