import { formatPercent } from "./percent.ts";

/** An order or a quote, in minor units. */
type Priced = {
  discounts: readonly { code: string | null; name: string; amount: number }[];
  shippingMethod: { name: string } | null;
  shippingTotal: number;
  pricesIncludeTax: boolean;
  taxLines: readonly { name: string; rate: number; amount: number }[];
};

export type TotalLine = { text: string; minor: number };

/** Lines between the subtotal and the total, for people. Excludes tax included in prices. */
export const totalLines = (
  { discounts, shippingMethod, shippingTotal, ...taxed }: Priced,
  shippingLine = (method: string) => `Shipping: ${method}`,
): TotalLine[] => [
  ...discounts.map(({ name, code, amount }) => ({ text: code === null ? name : `${name} (${code})`, minor: -amount })),
  ...(shippingMethod ? [{ text: shippingLine(shippingMethod.name), minor: shippingTotal }] : []),
  ...(taxed.pricesIncludeTax ? [] : taxed.taxLines.map(toLine)),
];

/** Tax that the total includes. */
export const includedTax = ({ pricesIncludeTax, taxLines }: Priced): TotalLine[] =>
  pricesIncludeTax ? taxLines.map(toLine) : [];

const toLine = ({ name, rate, amount }: Priced["taxLines"][number]): TotalLine => ({
  text: `${name} ${formatPercent(rate)}`,
  minor: amount,
});
