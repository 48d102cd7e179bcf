import type { Schema } from "@storefront-worker/api/client";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import type { QuoteResult } from "./quote.ts";

type Option = Schema["ShippingOption"];

/** Codes of problems in shops with shipping methods. Other shops do not ask for shipping. */
const isAboutShipping = new Set(["shipping_unavailable", "no_shipping_method"]);

/** The shipping methods, with the quoted one selected. */
export const Shipping = ({ form, quoted: { quote, isFinal } }: { form: Form; quoted: QuoteResult }) => {
  const { shipping_options: options, problems } = quote;
  const isFree = options.length === 0 && problems.every(({ code }) => !isAboutShipping.has(code));
  if (isFree || (isFinal && options.length === 0)) return null;
  return (
    <fieldset class="panel fields step" id="shipping">
      <legend>Shipping</legend>
      {isFinal ? (
        options.map((option) => (
          <label class="option">
            <input
              type="radio"
              name="shipping_method"
              value={String(option.id)}
              checked={option.id === quote.shipping_method?.id}
              id={`shipping_method-${option.id}`}
              required
            />
            <span class="named">
              {option.name}
              <span class="quiet">{duration(option)}</span>
            </span>
            {option.price === 0 ? <span>Free</span> : <Money amount={option.price} currency={quote.currency} />}
          </label>
        ))
      ) : (
        <p class={form.errors["address.country"] ? "wrong" : "quiet"}>
          {form.errors["address.country"]?.join(", ") ??
            "The shipping methods appear once we know where the order goes."}
        </p>
      )}
      {isFinal && options.length > 1 && (
        <button class="soft update" type="submit" name="update" value="shipping">
          Update total
        </button>
      )}
      {form.errors.shipping_method && <span class="wrong">{form.errors.shipping_method.join(", ")}</span>}
    </fieldset>
  );
};

/** The time until an order arrives, in words. */
export function duration({
  kind,
  min_days: min,
  max_days: max,
}: Pick<Option, "kind" | "min_days" | "max_days">): string {
  if (kind === "pickup") return "Pick up at our store";
  const [first, last] = [min ?? max, max ?? min];
  if (last === null) return "";
  const days = first === last ? `${last}` : `${first} to ${last}`;
  return `${days} ${last === 1 ? "day" : "days"}`;
}
