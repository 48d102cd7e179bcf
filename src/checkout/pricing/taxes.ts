import { WHOLE } from "../../domain/percent.ts";
import { isInEuropeanUnion } from "../../domain/place.ts";
import { distribute, scaled, sum } from "../../domain/rounding.ts";
import type { StoredTaxLine, TaxClass, TaxExemption } from "../../platform/db/schema.ts";
import { homeOf } from "./matching-places.ts";
import type { ApplicableRate, Place, RatesAt, Rules } from "./types.ts";
import { isInVatArea } from "./vat-area.ts";

/**
 * Reads rates from the shop's table. A sale within the European Union to a country without a rate is taxed at home, as below
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
  from !== null && to !== null && isInVatArea(from) && isInVatArea(to);

/**
 * Rates of a place for a tax class: those of its region, or else of its country. A class without a rate there is taxed as
 * standard, which never takes too little, except for `zero` and `exempt`.
 */
function ratesOf(rates: readonly ApplicableRate[], place: Place | null, taxClass: TaxClass): ApplicableRate[] {
  if (place === null || taxClass === "exempt") return [];
  const here = rates.filter(({ country, taxClass: of }) => country === place.country && of === taxClass);
  const regional = here.filter(({ region }) => region !== null && region === place.region);
  if (regional.length > 0) return regional;
  // A country's rates are not those of its parts outside the VAT area.
  const isApart = isInEuropeanUnion(place.country) && !isInVatArea(place);
  const national = isApart ? [] : here.filter(({ region }) => region === null);
  if (national.length > 0 || taxClass === "standard" || taxClass === "zero") return national;
  return ratesOf(rates, place, "standard");
}

/** Sum of the rates of several taxes, in millionths. */
export const rateSum = (rates: readonly { rate: number }[]): number => sum(rates.map(({ rate }) => rate));

/** Calculates tax included in or added to an amount, rounded once and then divided among the rates. */
export function taxOn(amount: number, rates: readonly ApplicableRate[], included: boolean): StoredTaxLine[] {
  const all = rateSum(rates);
  const tax = scaled(amount, all, included ? WHOLE + all : WHOLE);
  const parts = distribute(
    tax,
    rates.map(({ rate }) => rate),
  );
  return rates.map(({ name, rate, exemption }, index) => ({
    name,
    rate,
    amount: parts[index] ?? 0,
    ...(exemption && { exemption }),
  }));
}

type TaxedSale = { place: Place | null; isShipped: boolean; vatCountry: string | undefined };

/**
 * The exemption of a sale at a place. Goods and services for a business in the member state of its VAT ID are taxed there
 * (articles 138 and 196 of Directive 2006/112/EC), and goods that leave the Union are not (article 146).
 */
export function taxExemption(rules: Rules, { place, isShipped, vatCountry }: TaxedSale): TaxExemption | undefined {
  const { vatId, smallBusiness, homeCountry } = rules;
  if (smallBusiness) return "small_business";
  if (vatId === null || homeCountry === null || !isInEuropeanUnion(homeCountry)) return undefined;
  if (place === null) return undefined;
  if (!isInVatArea(place)) return isShipped ? "export" : undefined;
  if (place.country === homeCountry) return undefined;
  if (vatCountry !== place.country) return undefined;
  return isShipped ? "intra_community_supply" : "reverse_charge";
}

/** A rate of 0 in place of the usual ones, by whose name it is shown. */
export const exemptRate = (exemption: TaxExemption, [usual]: readonly ApplicableRate[]): ApplicableRate => ({
  id: 0,
  name: usual?.name ?? "VAT",
  country: "",
  region: null,
  taxClass: "zero",
  rate: 0,
  taxesShipping: true,
  exemption,
});

/**
 * Returns the home tax to take out of an amount that includes it if no tax is due, as for an export or an exempt customer. If
 * any tax is due, the price stays, whatever the rate.
 */
export const taxNotDue = (amount: number, atHome: readonly ApplicableRate[], due: readonly ApplicableRate[]): number =>
  rateSum(due) > 0 ? 0 : scaled(amount, rateSum(atHome), WHOLE + rateSum(atHome));

/** Merges taxes of equal name, rate and exemption into one line, in their original order. */
export function addedUp(lines: readonly StoredTaxLine[]): StoredTaxLine[] {
  const found = new Map<string, StoredTaxLine>();
  for (const line of lines) {
    const key = `${line.rate} ${line.exemption} ${line.name}`;
    found.set(key, { ...line, amount: line.amount + (found.get(key)?.amount ?? 0) });
  }
  return [...found.values()];
}

export const taxOf = (lines: readonly StoredTaxLine[]): number => sum(lines.map(({ amount }) => amount));

export const shippingRates = (rates: readonly ApplicableRate[]): ApplicableRate[] =>
  rates.filter(({ taxesShipping }) => taxesShipping);
