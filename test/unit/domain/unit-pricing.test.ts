import { describe, expect, it } from "vitest";
import { type Measures, toMeasures, UnitPricingInput, unitPriceOf } from "../../../src/domain/unit-pricing.ts";

const measures = (measure: string, reference: string) => {
  const [[value, unit], [amount, other]] = [measure.split(" "), reference.split(" ")];
  return { measure: { value: Number(value), unit }, reference: { value: Number(amount), unit: other } } as Measures;
};

const stored = (measure: string, reference: string) => UnitPricingInput.parse(measures(measure, reference));

describe("a unit price", () => {
  it.each([
    [995, "250 g", "100 g", 398],
    [995, "250 g", "1 kg", 3_980],
    [199, "0.75 l", "1 l", 265],
    [199, "75 cl", "1 l", 265],
    [1, "3 m", "1 m", 0],
    [1, "2 m", "1 m", 1],
    [1_250, "2.5 sqm", "1 sqm", 500],
    [500, "0.001 cbm", "1 l", 500],
    [599, "12 oz", "1 lb", 799],
    [700, "1 gal", "1 qt", 175],
    [999, "12 item", "1 item", 83],
    [0, "1 kg", "1 kg", 0],
    [999_999_999, "0.001 g", "1 kg", 999_999_999_000_000],
  ])("of %i for %s per %s is %i", (price, measure, reference, expected) => {
    expect(unitPriceOf(price, stored(measure, reference))).toBe(expected);
  });

  it("keeps its quantities, which are stored as integers", () => {
    for (const value of ["0.001 kg", "0.29 kg", "1.005 kg", "999999.999 kg"]) {
      const pricing = stored(value, "1 kg");
      expect(Number.isInteger(pricing.measure)).toBe(true);
      expect(toMeasures(pricing)).toEqual(measures(value, "1 kg"));
    }
  });

  it.each([
    ["0 g", "1 kg", "measure.value"],
    ["-5 g", "1 kg", "measure.value"],
    ["0.0001 g", "1 kg", "measure.value"],
    ["1.0005 g", "1 kg", "measure.value"],
    ["1000001 g", "1 kg", "measure.value"],
    ["1 mg", "2 kg", "measure.value"],
    ["2000 kg", "1 g", "measure.value"],
    ["500 g", "0 kg", "reference.value"],
    ["500 g", "0.5 kg", "reference.value"],
    ["500 g", "1001 g", "reference.value"],
    ["500 g", "1 l", "reference.unit"],
    ["500 g", "1 lb", "reference.unit"],
    ["500 stone", "1 kg", "measure.unit"],
  ])("of %s per %s is refused by its %s", (measure, reference, field) => {
    const { error } = UnitPricingInput.safeParse(measures(measure, reference));
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
  });
});
