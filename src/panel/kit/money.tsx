import { formatMoney } from "../../domain/money.ts";

/** An amount of minor units with its currency: $1,234.50. */
export const Money = ({ minor, currency }: { minor: number; currency: string }) => (
  <span class="money">{formatMoney(minor, currency)}</span>
);
