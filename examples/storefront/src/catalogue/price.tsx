import type { Schema } from "@storefront-worker/api/client";
import { Money } from "../parts/money.tsx";

type Props = {
  of: Pick<Schema["Product"], "price" | "compare_at_price" | "price_range" | "currency">;
  isLarge?: boolean;
};

/** Price of a product and its previous price. The price of a product with variants is the lowest. */
export const Price = ({ of: { price, compare_at_price: before, price_range, currency }, isLarge = false }: Props) => (
  <p class={isLarge ? "price large" : "price"}>
    <span>
      {price_range.max > price && "From "}
      <Money amount={price} currency={currency} />
    </span>
    {before !== null && before > price && (
      <s>
        <span class="unseen"> before: </span>
        <Money amount={before} currency={currency} />
      </s>
    )}
  </p>
);
