import type { Schema } from "storefront/client";
import { Money } from "../parts/money.tsx";

type Props = { of: Pick<Schema["Product"], "price" | "compare_at_price" | "currency">; isLarge?: boolean };

/** What a product costs, and what it cost before. */
export const Price = ({ of: { price, compare_at_price: before, currency }, isLarge = false }: Props) => (
  <p class={isLarge ? "price large" : "price"}>
    <Money amount={price} currency={currency} />
    {before !== null && before > price && (
      <s>
        <span class="unseen">before: </span>
        <Money amount={before} currency={currency} />
      </s>
    )}
  </p>
);
