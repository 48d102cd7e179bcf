import type { Schema } from "storefront/client";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";

type Option = Schema["ShippingOption"];

/** The shipping methods, with the quoted one selected. */
export const Shipping = ({ form, quote }: { form: Form; quote: Schema["Quote"] }) => (
  <fieldset class="panel fields" id="shipping">
    <legend>Shipping</legend>
    {quote.shipping_options.map((option) => (
      <label class="option">
        <input
          type="radio"
          name="shipping_method"
          value={String(option.id)}
          checked={option.id === quote.shipping_method?.id}
          required
        />
        <span>
          {option.name} · {option.price === 0 ? "free" : <Money amount={option.price} currency={quote.currency} />}
          <span class="quiet">{duration(option)}</span>
        </span>
      </label>
    ))}
    {form.errors.shipping_method && <span class="wrong">{form.errors.shipping_method.join(", ")}</span>}
  </fieldset>
);

function duration({ kind, min_days: min, max_days: max }: Option): string {
  if (kind === "pickup") return "Pick up at our store";
  const [first, last] = [min ?? max, max ?? min];
  if (last === null) return "";
  const days = first === last ? `${last}` : `${first} to ${last}`;
  return `${days} ${last === 1 ? "day" : "days"}`;
}
