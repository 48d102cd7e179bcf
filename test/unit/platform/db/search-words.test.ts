import fc from "fast-check";
import { expect, it } from "vitest";
import { matchExpression } from "../../../../src/platform/db/search-words.ts";
import { anyText } from "../../../support/any-text.ts";

it.each([
  ["torch", '"torch"*'],
  ["crème brûlée", '"crème" "brûlée"*'],
  ["SKU-12", '"SKU" "12"*'],
  ['say "cheese"', '"say" "cheese"*'],
  ["name:torch OR *", '"name" "torch" "OR"*'],
  ["  a  ", '"a"'],
  ["e\u0301", '"e\u0301"'],
  ["an", '"an"*'],
  ["本", '"本"*'],
  ["red Blue RED", '"red" "Blue"'],
  ["red red", '"red"'],
  ["1 2 3 4 5 6 7 8 9", '"1" "2" "3" "4" "5" "6" "7" "8"'],
  ["one two three four five six seven eighth", '"one" "two" "three" "four" "five" "six" "seven" "eighth"*'],
  [`${"a ".repeat(98)}ab`, '"a" "ab"*'],
  ["🖋 pen 🖋", '"pen"*'],
  ["it's", '"it" "s"'],
  ["e\u0301tude", '"e\u0301tude"*'],
])("reads %j as %s", (search, expression) => {
  expect(matchExpression(search)).toBe(expression);
});

it.each(["", "   ", "-", '""', "🖋", "\u0301"])("finds no word in %j", (search) => {
  expect(matchExpression(search)).toBeNull();
});

it("lets nothing but quoted words, spaces and the last star through", () => {
  const words = /^"[\p{L}\p{N}\p{M}\p{Co}]+"( "[\p{L}\p{N}\p{M}\p{Co}]+")*\*?$/u;
  fc.assert(
    fc.property(anyText, (search) => {
      expect(words.test(matchExpression(search) ?? '"a"*')).toBe(true);
    }),
  );
});
