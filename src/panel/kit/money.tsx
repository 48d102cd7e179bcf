import { toDecimal } from "../../domain/money.ts";

/** An amount of minor units, as people write it: $1,234.50. */
export const Money = ({ minor, currency }: { minor: number; currency: string }) => (
  <span class="money">{formatMoney(minor, currency)}</span>
);

export const formatMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency, minimumFractionDigits: 2 }).format(toDecimal(minor));
