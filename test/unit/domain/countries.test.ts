import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/fuzz/any-character.ts";
import { beginningInWords, beginningOf } from "../../../src/domain/countries.ts";

it("leaves out a character that would be cut in half", () => {
  expect(beginningOf("tea 🍵 pot", 5)).toBe("tea ");
  expect(beginningOf("tea 🍵 pot", 6)).toBe("tea 🍵");
  expect(beginningOf("tea", 10)).toBe("tea");
});

it("is text that can be stored, whatever it is the beginning of", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), fc.nat(12), (text, more, most) => {
      const beginning = beginningOf(`${text}\udc00${more}\ud800`, most);
      expect(beginning.isWellFormed()).toBe(true);
      expect(beginning.length).toBeLessThanOrEqual(most);
    }),
  );
});

it.each([
  ["a mug of tea and milk", 12, "a mug of tea"],
  ["a mug of tea and milk", 11, "a mug of"],
  ["a mug of tea", 12, "a mug of tea"],
  ["x".repeat(30), 10, "x".repeat(10)],
  ["👩‍👩‍👧".repeat(3), 10, "👩‍👩‍👧"],
  ["e\u0301".repeat(9), 5, "e\u0301e\u0301"],
  ["🇩🇪🇫🇷🇯🇵", 7, "🇩🇪"],
  ["กาแฟไทยอร่อย", 6, "กาแฟ"],
])("ends with a word or a whole character: the beginning of %j within %d is %j", (text, most, expected) => {
  expect(beginningInWords(text, most)).toBe(expected);
});

it("is text that can be stored and is not too long, of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const beginning = beginningInWords(text, most);
      expect(beginning.isWellFormed()).toBe(true);
      expect(beginning.length).toBeLessThanOrEqual(most);
      expect(text.toWellFormed().startsWith(beginning)).toBe(true);
    }),
  );
});
