import { expect, it } from "vitest";
import { preferredLanguage } from "../../../src/domain/language.ts";

it.each([
  [null, null],
  ["*", null],
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["nl, en;q=0.3, FR-ca;q=0.7", "fr"],
  ["es;q=0, en;q=0.1", "en"],
  ["de;q=none", null],
  ["nl", null],
])("reads %j as the preferred language %j", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
