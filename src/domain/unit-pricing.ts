import * as z from "zod";
import { coded, unlessMissing } from "./fields.ts";
import { Money, toDecimal } from "./money.ts";
import { scaled } from "./rounding.ts";

// Prices per unit of measure, which shops in the European Union show beside the price (directive 98/6/EC, article 3), in
// Germany for 1 kg, l, m³, m or m² (PAngV, sections 4 and 5). The units and their names are Google's:
// https://support.google.com/merchants/answer/6324455

const metricUnits = ["mg", "g", "kg", "ml", "cl", "l", "cbm", "cm", "m", "sqm"] as const;
const usUnits = ["oz", "lb", "floz", "pt", "qt", "gal", "in", "ft", "yd", "sqft"] as const;
const measureUnits = [...metricUnits, ...usUnits, "item"] as const;
type MeasureUnit = (typeof measureUnits)[number];

/** Sizes of units, in the smallest unit of those that convert to each other. */
const sizes: Record<MeasureUnit, [kind: string, size: number]> = {
  mg: ["mass", 1],
  g: ["mass", 1_000],
  kg: ["mass", 1_000_000],
  ml: ["volume", 1],
  cl: ["volume", 10],
  l: ["volume", 1_000],
  cbm: ["volume", 1_000_000],
  cm: ["length", 1],
  m: ["length", 100],
  sqm: ["area", 1],
  oz: ["US mass", 1],
  lb: ["US mass", 16],
  floz: ["US volume", 1],
  pt: ["US volume", 16],
  qt: ["US volume", 32],
  gal: ["US volume", 128],
  in: ["US length", 1],
  ft: ["US length", 12],
  yd: ["US length", 36],
  sqft: ["US area", 1],
  item: ["count", 1],
};

const areConvertible = (one: MeasureUnit, other: MeasureUnit): boolean => sizes[one][0] === sizes[other][0];

/** Pairs of units that convert to each other, each unit with itself too. */
export const convertibleUnits = measureUnits.flatMap((one) =>
  measureUnits.filter((other) => areConvertible(one, other)).map((other) => [one, other]),
);

const symbols: Partial<Record<MeasureUnit, string>> = { cbm: "m³", sqm: "m²", floz: "fl oz", sqft: "sq ft" };

/** Units with their usual symbols, such as m² for `sqm`. */
export const unitSymbols = measureUnits.map((unit) => [unit, symbols[unit] ?? unit] as const);

/** The stored content of a product, in thousandths of its unit, and the quantity that its unit price is for. */
export type UnitPricing = { measure: number; unit: MeasureUnit; reference: number; referenceUnit: MeasureUnit };

/** Contents and references in thousandths of the smallest unit of their kind. */
const contentOf = ({ measure, unit }: UnitPricing): number => measure * sizes[unit][1];
const referenceOf = ({ reference, referenceUnit }: UnitPricing): number => reference * sizes[referenceUnit][1] * 1_000;

const thousandths = (value: number): number => Math.round(value * 1_000);

const Unit = z.enum(measureUnits);
const measureWords = "Net content of a unit";
const referenceWords = "Quantity of the unit price, such as 1 kg";

const Content = z
  .number(unlessMissing("must be a number such as 0.75 or 1250"))
  .min(0.001, { abort: true })
  .max(1_000_000)
  .refine((value) => thousandths(value) / 1_000 === value, {
    error: "must have at most three decimals",
    ...coded("too_precise"),
  });

const Measures = z.strictObject({
  measure: z.strictObject({ value: Content, unit: Unit }).describe(measureWords),
  reference: z.strictObject({ value: z.int().min(1).max(1_000), unit: Unit }).describe(referenceWords),
});
export type Measures = z.output<typeof Measures>;

/** Maximum ratio between a content and its reference, in both directions, so that unit prices are safe integers. */
const MOST_RATIO = 1_000_000;

const hasSaneRatio = (pricing: UnitPricing): boolean => {
  const ratio = contentOf(pricing) / referenceOf(pricing);
  return ratio >= 1 / MOST_RATIO && ratio <= MOST_RATIO;
};

const toStored = ({ measure, reference }: Measures): UnitPricing => ({
  measure: thousandths(measure.value),
  unit: measure.unit,
  reference: reference.value,
  referenceUnit: reference.unit,
});

/** Content and reference quantity in requests, read as they are stored. */
export const UnitPricingInput = Measures.refine(
  ({ measure, reference }) => areConvertible(measure.unit, reference.unit),
  {
    path: ["reference", "unit"],
    error: "must measure the same as the unit of the content, as kg and g do, or l and ml",
    abort: true,
  },
)
  .transform(toStored)
  .refine(hasSaneRatio, {
    path: ["measure", "value"],
    error: "must be between a millionth of the reference and a million times the reference",
  });

/** Content and reference quantity as requests have them. */
export const toMeasures = ({ measure, unit, reference, referenceUnit }: UnitPricing): Measures => ({
  measure: { value: measure / 1_000, unit },
  reference: { value: reference, unit: referenceUnit },
});

/** Content and reference quantity as text, such as "0.75 l / 1 l". */
export const measuresText = ({ measure, reference }: Measures): string =>
  `${measure.value} ${measure.unit} / ${reference.value} ${reference.unit}`;

export const ShownUnitPricing = z
  .object({
    price: Money.describe("Price of the reference quantity, rounded half up"),
    measure: z.object({ value: z.number(), unit: Unit }).describe(measureWords),
    reference: z.object({ value: z.int(), unit: Unit }).describe(referenceWords),
  })
  .meta({ id: "UnitPricing" });

/** The unit price of a product at a price, in minor units. */
export const unitPriceOf = (price: number, pricing: UnitPricing): number =>
  scaled(price, referenceOf(pricing), contentOf(pricing));

/** The unit price of a product in JSON. Null if it has none. */
export const toUnitPricing = (price: number, pricing: UnitPricing | null | undefined, currency?: string) =>
  pricing ? { price: toDecimal(unitPriceOf(price, pricing), currency), ...toMeasures(pricing) } : null;
