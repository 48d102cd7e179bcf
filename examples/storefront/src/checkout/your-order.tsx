import type { Schema } from "@storefront-worker/api/client";
import { describe } from "../catalogue/variants.ts";
import { inputOf, Tick } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import { Summary } from "../parts/summary.tsx";
import { Total } from "../parts/total.tsx";
import { DiscountCode } from "./discount-code.tsx";
import { writeSeen } from "./order-form.ts";
import type { PaymentOption } from "./payment-options.ts";
import type { QuoteResult } from "./quote.ts";

type Props = { form: Form; cart: Schema["Cart"]; quoted: QuoteResult; options: PaymentOption[] };

/** Items of the order and its total, with the button that places it. */
export const YourOrder = ({ form, cart, quoted, options }: Props) => (
  <section class="panel review" id="order" aria-labelledby="review">
    <h2 id="review">Review your order</h2>
    <div data-live="lines">
      <Lines cart={cart} quote={quoted.quote} />
      <input type="hidden" name="seen" value={writeSeen(cart)} />
    </div>
    <DiscountCode form={form} />
    <div data-live="total">
      {quoted.isFinal ? <Total of={quoted.quote} /> : <TotalSoFar quote={quoted.quote} />}
      {quoted.quote.asks_download_consent && (
        <Tick
          form={form}
          name="download_consent"
          label="Make my downloads available at once. I know that I lose my right of withdrawal from a download once I use it."
        />
      )}
      <Terms form={form} quote={quoted.quote} />
      <Pay quoted={quoted} options={options} />
    </div>
  </section>
);

const Lines = ({ cart, quote: { items, currency } }: { cart: Schema["Cart"]; quote: Schema["Quote"] }) => {
  const imageOf = (id: number) => cart.items.find(({ product_id }) => product_id === id)?.image_url ?? null;
  const lines = items.map((item) => ({
    name: item.name ?? "Not for sale",
    details: [describe(item.option_values)],
    quantity: item.quantity,
    amount: item.total,
    image: imageOf(item.product_id),
  }));
  return <Summary lines={lines} currency={currency} />;
};

/** Total of the items, shown until the address that determines shipping and tax is known. */
const TotalSoFar = ({ quote: { subtotal, items, prices_include_tax, currency } }: { quote: Schema["Quote"] }) => {
  const discount = items.reduce((sum, item) => sum + item.discount, 0);
  return (
    <>
      {discount > 0 && (
        <ul class="summary parts">
          <li>
            <span>Discounts</span>
            <Money amount={-discount} currency={currency} />
          </li>
        </ul>
      )}
      <div class="total">
        <span>{prices_include_tax ? "Total before shipping" : "Total before shipping and tax"}</span>
        <Money amount={subtotal - discount} currency={currency} />
      </div>
      <p class="quiet included">The full total appears once we know your country and region.</p>
    </>
  );
};

/** The box with which the buyer accepts the terms, in the version that this page links to. */
const Terms = ({ form, quote: { terms } }: { form: Form; quote: Schema["Quote"] }) =>
  terms && (
    <label class="tick">
      <input
        {...inputOf(form, "accepted_terms")}
        type="checkbox"
        value={String(terms.version)}
        checked={form.values.accepted_terms === String(terms.version)}
      />
      <span>
        I have read and accept:{" "}
        <a href={`/pages/terms?version=${terms.version}`} target="_blank" lang={terms.language} rel="noopener">
          {terms.title}
        </a>
      </span>
    </label>
  );

const Pay = ({ quoted: { quote, isFinal }, options }: Pick<Props, "quoted" | "options">) => {
  const { total, currency } = quote;
  if (!isFinal) {
    return (
      <button class="wide" type="submit" name="update" value="total">
        Show the total
      </button>
    );
  }
  const amount = <Money amount={total} currency={currency} />;
  return (
    <>
      {/* The total that the buyer accepts. The API refuses the order if the total has changed. */}
      <input type="hidden" name="total" value={String(total)} />
      <button class="wide pay" type="submit">
        {total === 0 && "Place order"}
        {total > 0 && options.some(({ isLater }) => !isLater) && <span class="now">Pay {amount}</span>}
        {total > 0 && options.some(({ isLater }) => isLater) && (
          <span class="afterwards">Order now, pay {amount} later</span>
        )}
      </button>
    </>
  );
};

/** On a phone: the total at the top of the window, which opens the items. */
export const Glance = ({ cart, quoted: { quote, isFinal } }: Pick<Props, "cart" | "quoted">) => (
  <details class="glance">
    <summary>
      <span>Your order</span>
      <span data-live="glance">
        {isFinal ? "Total " : "Subtotal "}
        <Money amount={isFinal ? quote.total : quote.subtotal} currency={quote.currency} />
      </span>
    </summary>
    <Lines cart={cart} quote={quote} />
    <p>
      <a href="/cart">Edit cart</a>
    </p>
  </details>
);
