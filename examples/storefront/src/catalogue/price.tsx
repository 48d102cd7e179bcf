import type { Schema } from "@storefront-worker/api/client";
import { Money } from "../parts/money.tsx";
import { UnitPrice } from "../parts/unit-price.tsx";

type Props = {
  of: Pick<
    Schema["Product"],
    "price" | "compare_at_price" | "prior_price" | "unit_pricing" | "price_range" | "currency"
  >;
  isLarge?: boolean;
};

/** Price of a product, its previous price, its unit price and the lowest before the reduction. The price of a product with variants is the lowest. */
export const Price = ({ of, isLarge = false }: Props) => {
  const { price, compare_at_price: before, prior_price: lowest, unit_pricing, price_range, currency } = of;
  return (
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
      <UnitPrice of={unit_pricing} currency={currency} />
      {before !== null && before > price && lowest !== null && (
        <small>
          Lowest price in the 30 days before the reduction: <Money amount={lowest} currency={currency} />
        </small>
      )}
    </p>
  );
};
