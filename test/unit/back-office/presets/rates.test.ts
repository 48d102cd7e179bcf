import { expect, it } from "vitest";
import { euCountries, euRates, salesTaxes, states } from "../../../../src/back-office/presets/rates.ts";
import { Rate } from "../../../../src/domain/percent.ts";
import { countries, isInEuropeanUnion, regionCode } from "../../../../src/domain/place.ts";

it("has the 27 member states, with rates permitted by EU law", () => {
  expect(euCountries).toHaveLength(27);
  expect(euCountries.toSorted()).toEqual(countries.filter(isInEuropeanUnion).toSorted());
  for (const [country, [standard, reduced]] of Object.entries(euRates)) {
    expect(standard, country).toBeGreaterThanOrEqual(15);
    expect(reduced ?? 5, country).toBeGreaterThanOrEqual(5);
    expect(reduced ?? 0, country).toBeLessThan(standard);
  }
});

it("has the 50 states and the District of Columbia, five of them without a sales tax", () => {
  expect(states).toHaveLength(51);
  for (const state of states) expect(regionCode("US", state)).toBe(state);
  expect(states.filter((state) => salesTaxes[state] === null)).toEqual(["AK", "DE", "MT", "NH", "OR"]);
  for (const tax of Object.values(salesTaxes)) if (tax) expect(Rate.safeParse(tax[0]).success).toBe(true);
});
