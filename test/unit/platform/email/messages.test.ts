import { expect, it } from "vitest";
import german from "../../../../src/platform/email/languages/de.json";
import spanish from "../../../../src/platform/email/languages/es.json";
import french from "../../../../src/platform/email/languages/fr.json";
import { filled, variablesIn, writerIn } from "../../../../src/platform/email/messages.ts";

it.each([
  ["German", german],
  ["French", french],
  ["Spanish", spanish],
])("has every text in %s, with the variables of the English one", (_name, texts) => {
  expect(Object.keys(texts)).toEqual(Object.keys(german));
  for (const [english, text] of Object.entries(texts)) {
    expect([english, variablesIn(text).toSorted()]).toEqual([english, variablesIn(english).toSorted()]);
  }
});

it("replaces variables once, so that a value with braces stays as it is", () => {
  expect(filled("{shop}: {order}, {unknown}", { shop: "{order}", order: "#1" })).toBe("{order}: #1, {unknown}");
});

it("writes amounts and times as the language does", () => {
  const { money, moment } = writerIn("de");
  expect(money(123_450, "EUR")).toBe("1.234,50\u00a0€");
  expect(moment(Date.UTC(2030, 0, 31, 12))).toBe("31. Januar 2030 um 12:00 UTC");
});
