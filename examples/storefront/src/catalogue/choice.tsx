import type { Schema } from "@storefront-worker/api/client";
import { fieldOf, variantOf } from "./variants.ts";

type Props = { product: Schema["ProductDetail"]; values: string[] };

/** The values of each option. A value is marked if it is not available together with the other chosen values. */
export const Choice = ({ product, values: chosen }: Props) => (
  <>
    {product.options.map(({ name, values }, place) => (
      <fieldset class="choice">
        <legend>
          {name}: <span class="quiet">{chosen[place]}</span>
        </legend>
        {values
          .filter((value) => product.variants.some(({ option_values }) => option_values[place]?.value === value))
          .map((value, index) => {
            const variant = variantOf(product, chosen.with(place, value));
            return (
              <label class={variant?.in_stock ? undefined : "gone"}>
                <input
                  type="radio"
                  id={`${fieldOf(place)}-${index}`}
                  name={fieldOf(place)}
                  value={value}
                  checked={value === chosen[place]}
                />
                <bdi>{value}</bdi>
                {!variant?.in_stock && <span class="unseen"> ({variant ? "sold out" : "not available"})</span>}
              </label>
            );
          })}
      </fieldset>
    ))}
  </>
);
