import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../../src/domain/fold.ts";
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

  it("is folded once and for all", () => isFoldedAs(fold));
  it("is folded alike in upper case", () => isFoldedAs((text) => text.toUpperCase()));
  it("is folded alike in lower case", () => isFoldedAs((text) => text.toLowerCase()));
  it("is folded alike with its marks as characters of their own", () => isFoldedAs((text) => text.normalize("NFD")));
  it("is folded alike with its marks in its letters", () => isFoldedAs((text) => text.normalize("NFC")));
});
