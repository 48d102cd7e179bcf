import { formatPercent } from "./percent.ts";

/** An order or a quote, in minor units. */
type PricedTotals = {
  discounts: readonly { code: string | null; name: string; amount: number }[];
  shippingMethod: { name: string } | null;
  shippingTotal: number;
  pricesIncludeTax: boolean;
  taxLines: readonly { name: string; rate: number; amount: number }[];
};

export type TotalLine = { text: string; minor: number };

/** Texts of lines in the reader's language. */
type Words = { shipping: (method: string) => string; tax: (name: string, rate: number) => string };

const english: Words = {
  shipping: (method) => `Shipping: ${method}`,
  tax: (name, rate) => `${name} ${formatPercent(rate)}`,
};

/** Lines between the subtotal and the total, for people. Excludes tax included in prices. */
export const totalLines = (
  { discounts, shippingMethod, shippingTotal, ...taxed }: PricedTotals,
  words = english,
): TotalLine[] => [
  ...discounts.map(({ name, code, amount }) => ({ text: code === null ? name : `${name} (${code})`, minor: -amount })),
  ...(shippingMethod ? [{ text: words.shipping(shippingMethod.name), minor: shippingTotal }] : []),
  ...(taxed.pricesIncludeTax ? [] : taxesIn(taxed, words)),
];

/** Tax that the total includes. */
export const includedTax = (taxed: PricedTotals, words = english): TotalLine[] =>
  taxed.pricesIncludeTax ? taxesIn(taxed, words) : [];

const taxesIn = ({ taxLines }: Pick<PricedTotals, "taxLines">, words: Words): TotalLine[] =>
  taxLines.map(({ name, rate, amount }) => ({ text: words.tax(name, rate), minor: amount }));
