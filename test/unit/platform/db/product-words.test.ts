import fc from "fast-check";
import { expect, it } from "vitest";
import { productExpression, similarExpression } from "../../../../src/platform/db/product-words.ts";
import { anyText } from "../../../support/any-text.ts";

it.each([
  ["an", '"an"*'],
  ["本", '"本"*'],
  ["12345", '"12345"*'],
  ["2 12 2", '(("2" AND "12") OR "212")'],
])("reads %j as %s", (search, expression) => {
  expect(productExpression(search)).toBe(expression);
});

it.each(["", "   ", "-", '""', "🖋"])("finds no word in %j", (search) => {
  expect([productExpression(search), similarExpression(search)]).toEqual([null, null]);
});

it("writes quoted words only, so that no typed text is an operator", () => {
  fc.assert(
    fc.property(anyText, (search) => {
      for (const expression of [productExpression(search), similarExpression(search)]) {
        const operators = (expression ?? "")
          .replaceAll(/"[\p{L}\p{N}\p{M}\p{Co} ]+"\*?/gu, "")
          .replaceAll(/ (AND|OR) |[()]/g, "");
        expect(operators).toBe("");
      }
    }),
  );
});

it("stays short for any text", () => {
  const longest = Array.from(
    { length: 30 },
    (_, n) => "abcdefghijklmnopqrst".slice(0, 19) + String.fromCharCode(97 + (n % 26)),
  );
  expect(productExpression(longest.join(" "))?.length).toBeLessThan(30_000);
  expect(similarExpression("abcdefghijkl bcdefghijklm cdefghijklmn")?.length).toBeLessThan(50_000);
  expect(similarExpression("four words are too many")).toBeNull();
});
