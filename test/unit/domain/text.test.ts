import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/fuzz/any-character.ts";
import { beginningInWords, beginningOf, fold } from "../../../src/domain/text.ts";
import { anyText } from "../../support/any-text.ts";

it.each([
  ["ＡＢＣ", "abc"],
  ["ﬁn", "FIN"],
  ["ｶﾞﾗｽ", "ガラス"],
  ["Łódź", "lodz"],
  ["Đà Nẵng", "da nang"],
  ["Straße", "STRASSE"],
  ["ẞ", "ss"],
  ["ёлка", "ЕЛКА"],
  ["ΟΔΟΣ", "οδός"],
  ["ὁδός", "οδοσ"],
  ["Ærø", "aero"],
  ["Œuvre", "oeuvre"],
  ["Þórður", "THORDUR"],
  ["İstanbul", "istanbul"],
  ["ISPARTA", "ısparta"],
  ["Čšž", "csz"],
  ["كِتَاب", "كتاب"],
  ["עִבְרִית", "עברית"],
  ["m²", "m2"],
  ["2½", "2 1/2"],
  ["㈱", "(株)"],
  ["ﷺ", "صلى الله عليه وسلم"],
  ["Donau\u00adschiff", "donauschiff"],
])("%s is %s", (one, other) => {
  expect(fold(one).trim().replaceAll(/ +/g, " ")).toBe(fold(other));
});

it.each([
  ["й", "и"],
  ["ї", "і"],
  ["が", "か"],
  ["ば", "ぱ"],
  ["한", "하"],
  ["हि", "ह"],
  ["ñandú", "ñandúes"],
])("%s is not %s", (one, other) => {
  expect(fold(one)).not.toBe(fold(other));
});

describe("any text", () => {
  const isFoldedAs = (spell: (text: string) => string) =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(spell(text))).toBe(fold(text));
      }),
      { numRuns: 500 },
    );

  it("is unchanged when folded again", () => isFoldedAs(fold));
  it("is folded alike in upper case", () => isFoldedAs((text) => text.toUpperCase()));
  it("is folded alike in lower case", () => isFoldedAs((text) => text.toLowerCase()));
  it("is folded alike with its marks as characters of their own", () => isFoldedAs((text) => text.normalize("NFD")));
  it("is folded alike with its marks in its letters", () => isFoldedAs((text) => text.normalize("NFC")));
});

it("drops a character that would be cut in half", () => {
  expect(beginningOf("tea 🍵 pot", 5)).toBe("tea ");
  expect(beginningOf("tea 🍵 pot", 6)).toBe("tea 🍵");
  expect(beginningOf("tea", 10)).toBe("tea");
});

it("can be stored when it is shortened", () => {
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

it("can be stored and is not too long, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const beginning = beginningInWords(text, most);
      expect(beginning.isWellFormed()).toBe(true);
      expect(beginning.length).toBeLessThanOrEqual(most);
      expect(text.toWellFormed().startsWith(beginning)).toBe(true);
    }),
  );
});
