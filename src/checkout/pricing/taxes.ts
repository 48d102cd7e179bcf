import { isInEuropeanUnion } from "../../domain/countries.ts";
import type { TaxClass, TaxLine } from "../../platform/db/schema.ts";
import { homeOf } from "./places.ts";
import { distribute, scaled, sum } from "./rounding.ts";
import type { Place, Rate, RatesAt, Rules } from "./types.ts";

const WHOLE = 1_000_000;

/**
 * The rates of the shop's table. Within the European Union what it has no rate for in a country is taxed at home, as below
 * the Union's threshold.
 */
export function ratesInTable(rules: Rules): RatesAt {
  const { rates } = rules;
  const home = homeOf(rules);
  return (place, taxClass) => {
    const there = ratesOf(rates, place, taxClass);
    return there.length === 0 && isUnionSale(home, place) ? ratesOf(rates, home, taxClass) : there;
  };
}

const isUnionSale = (from: Place | null, to: Place | null): boolean =>
  from !== null && to !== null && isInEuropeanUnion(from.country) && isInEuropeanUnion(to.country);

/**
 * The rates of a place for a class of products: those of its region, else of its country. A class that has none there is
 * taxed as standard, which never takes too little, but for `zero` and `exempt`.
 */
function ratesOf(rates: readonly Rate[], place: Place | null, taxClass: TaxClass): Rate[] {
  if (place === null || taxClass === "exempt") return [];
  const here = rates.filter(({ country, taxClass: of }) => country === place.country && of === taxClass);
  const regional = here.filter(({ region }) => region !== null && region === place.region);
  if (regional.length > 0) return regional;
  const national = here.filter(({ region }) => region === null);
  if (national.length > 0 || taxClass === "standard" || taxClass === "zero") return national;
  return ratesOf(rates, place, "standard");
}

export const rateSum = (rates: readonly Rate[]): number => sum(rates.map(({ rate }) => rate));

/** The tax on an amount, which it is part of or is added to, rounded once and then divided among the rates. */
export function taxOn(amount: number, rates: readonly Rate[], included: boolean): TaxLine[] {
  const all = rateSum(rates);
  const tax = scaled(amount, all, included ? WHOLE + all : WHOLE);
  const parts = distribute(
    tax,
    rates.map(({ rate }) => rate),
  );
  return rates.map(({ name, rate }, index) => ({ name, rate, amount: parts[index] ?? 0 }));
}

/**
 * What an amount that includes the tax of the shop's home has to lose where no tax is due: an export, or a customer who is
 * exempt. Where any tax is due the price stays what it is, at whatever rate.
 */
export const taxNotDue = (amount: number, atHome: readonly Rate[], due: readonly Rate[]): number =>
  rateSum(due) > 0 ? 0 : scaled(amount, rateSum(atHome), WHOLE + rateSum(atHome));

/** Taxes of the same name and rate as one line, in the order in which they come. */
export function addedUp(lines: readonly TaxLine[]): TaxLine[] {
  const found = new Map<string, TaxLine>();
  for (const { name, rate, amount } of lines) {
    const key = `${rate} ${name}`;
    found.set(key, { name, rate, amount: amount + (found.get(key)?.amount ?? 0) });
  }
  return [...found.values()];
}

export const taxOf = (lines: readonly TaxLine[]): number => sum(lines.map(({ amount }) => amount));

/** The rates of a place that tax shipping too. */
export const shippingRates = (rates: readonly Rate[]): Rate[] => rates.filter(({ taxesShipping }) => taxesShipping);
