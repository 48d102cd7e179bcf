import { formatMoney } from "../../domain/money.ts";

/** An amount of minor units, as people write it: $1,234.50. */
export const Money = ({ minor, currency }: { minor: number; currency: string }) => (
  <span class="money">{formatMoney(minor, currency)}</span>
);
