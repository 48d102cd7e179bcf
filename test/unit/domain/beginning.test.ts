import * as fc from "fast-check";
import { expect, it } from "vitest";
import { beginningOf } from "../../../src/domain/beginning.ts";

it("leaves out a character that would be cut in half", () => {
  expect(beginningOf("tea 🍵 pot", 5)).toBe("tea ");
  expect(beginningOf("tea 🍵 pot", 6)).toBe("tea 🍵");
  expect(beginningOf("tea", 10)).toBe("tea");
});

it("is text that can be stored, whatever it is the beginning of", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), fc.nat(12), (text, more, most) => {
      const beginning = beginningOf(`${text}\udc00${more}\ud800`, most);
      expect(beginning.isWellFormed()).toBe(true);
      expect(beginning.length).toBeLessThanOrEqual(most);
    }),
  );
});
