import fc from "fast-check";
import { expect, it } from "vitest";
import { foldedWords, matchExpression } from "../../../../src/platform/db/search-words.ts";
import { anyText } from "../../../support/any-text.ts";

it.each([
  ["torch", '"torch"*'],
  ["crème brûlée", '"creme" "brulee"*'],
  ["SKU-12", '"sku" "12"*'],
  ['say "cheese"', '"say" "cheese"*'],
  ["name:torch OR *", '"name" "torch" "or"*'],
  ["  a  ", '"a"'],
  ["e\u0301", '"e"'],
  ["an", '"an"*'],
  ["本", '"本"*'],
  ["red Blue RED", '"red" "blue"'],
  ["red red", '"red"'],
  ["1 2 3 4 5 6 7 8 9", '"1" "2" "3" "4" "5" "6" "7" "8"'],
  ["one two three four five six seven eighth", '"one" "two" "three" "four" "five" "six" "seven" "eighth"*'],
  [`${"a ".repeat(98)}ab`, '"a" "ab"*'],
  ["🖋 pen 🖋", '"pen"*'],
  ["it's", '"it" "s"'],
  ["e\u0301tude", '"etude"*'],
  ["2½ straße", '"2" "1" "strasse"*'],
])("reads %j as %s", (search, expression) => {
  expect(matchExpression(search)).toBe(expression);
});

it.each(["", "   ", "-", '""', "🖋", "\u0301"])("finds no word in %j", (search) => {
  expect(matchExpression(search)).toBeNull();
});

it("outputs only quoted words, spaces and the last star", () => {
  const words = /^"[\p{L}\p{N}\p{M}\p{Co}]+"( "[\p{L}\p{N}\p{M}\p{Co}]+")*\*?$/u;
  fc.assert(
    fc.property(anyText, (search) => {
      expect(words.test(matchExpression(search) ?? '"a"*')).toBe(true);
    }),
  );
});

it.each([
  ["Plain text, of ASCII", null],
  ["Crème brûlée, ČESKÁ and Việt", ""],
  ["Чехлы ДЛЯ кухни 日本語", ""],
  ["Straße, Łódź and Łódź", "strasse lodz"],
  ["Ёлка ＡＢＣ 2½ ㈱", "елка abc 2 1 株"],
  ["ﷺ", "صلى الله عليه وسلم"],
])("adds to the words of %j", (text, words) => {
  expect(foldedWords([text])).toBe(words);
});
