import { expect, it } from "vitest";
import { Country } from "../../../src/domain/place.ts";
import { countryCalled } from "../../../src/panel/kit/countries.ts";

it.each([
  ["de", "DE"],
  ["Germany", "DE"],
  [" united kingdom ", "GB"],
  ["UK", "GB"],
  ["U.K.", "GB"],
  ["USA", "US"],
  ["the Netherlands", "NL"],
  ["Bosnia and Herzegovina", "BA"],
  ["Cote d'Ivoire", "CI"],
  ["Turkey", "TR"],
  ["Czech Republic", "CZ"],
])("recognizes the country called %s", (text, code) => {
  expect(countryCalled(text)).toBe(code);
});

it("recognizes no other names, and the error says which", () => {
  expect(countryCalled("Atlantis")).toBeUndefined();
  expect(Country.safeParse("Atlantis").error?.issues[0]?.message).toBe("“ATLANTIS” is not a country code, such as DE");
});
