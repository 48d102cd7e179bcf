import type { Schema } from "storefront/client";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Summary } from "../parts/summary.tsx";
import { Total } from "../parts/total.tsx";
import { DiscountCode } from "./discount-code.tsx";
import { Address, Contact } from "./fields.tsx";
import { type AddressKind, writeSeen } from "./order-form.ts";
import { Payment } from "./payment.tsx";
import type { PaymentOption } from "./payment-options.ts";
import type { Quoted } from "./quote.ts";
import { Shipping } from "./shipping.tsx";

type Props = {
  form: Form;
  cart: Schema["Cart"];
  quoted: Quoted;
  profile: Schema["Profile"] | null;
  /** The address that the form asks for, if any. */
  address: AddressKind | null;
  options: PaymentOption[];
};

/** Fields that show their own errors. */
const ofContact = ["customer.email", "customer.name"];
const ofAddress = ["name", "address", "city", "zip", "country", "region", "phone"];
const ofChoices = ["shipping_method", "payment_method", "discount_codes"];

/** Asks for the address first and then shows the total. */
export const CheckoutPage = ({ form, cart, quoted: { quote, isFinal }, profile, address, options }: Props) => {
  const shown = [
    ...(profile ? [] : ofContact),
    ...(address ? ofAddress.map((part) => `${address}.${part}`) : []),
    ...(isFinal ? ofChoices : []),
  ];
  return (
    <>
      <h1>Checkout</h1>
      <Refusal form={form} fields={shown} />
      <form method="post" action="/checkout" class="checkout">
        {/* The order's Idempotency-Key: submitted twice, the form places one order. */}
        <input type="hidden" name="attempt" value={crypto.randomUUID()} />
        <input type="hidden" name="seen" value={writeSeen(cart)} />
        <div>
          {!profile && <Contact form={form} withName={address === null} />}
          {address && <Address of={address} form={form} name={profile?.name} />}
          {isFinal && quote.shipping_options.length > 0 && <Shipping form={form} quote={quote} />}
          {quote.warnings.map(({ message }) => (
            <p class="hint">{message}. Please check it.</p>
          ))}
          {address && isFinal && (
            <button class="soft" type="submit" name="update" value="yes" formaction="/checkout#order">
              Update total
            </button>
          )}
          {isFinal && quote.total > 0 && <Payment form={form} options={options} />}
        </div>
        <YourOrder form={form} quote={quote} isFinal={isFinal} />
      </form>
    </>
  );
};

const YourOrder = ({ form, quote, isFinal }: { form: Form; quote: Schema["Quote"]; isFinal: boolean }) => {
  const { items, currency, total } = quote;
  const lines = items.map((item) => ({
    name: item.name ?? "Not for sale",
    quantity: item.quantity,
    amount: item.total,
  }));
  return (
    <section class="panel" id="order">
      <h2>Your order</h2>
      <Summary lines={lines} currency={currency} />
      {isFinal ? (
        <>
          <DiscountCode form={form} quote={quote} />
          <Total of={quote} />
          {/* The total that the buyer accepts. The API refuses the order if the total has changed. */}
          <input type="hidden" name="total" value={String(total)} />
          <button type="submit">
            {total > 0 ? (
              <>
                Order and pay <Money amount={total} currency={currency} />
              </>
            ) : (
              "Place order"
            )}
          </button>
        </>
      ) : (
        <>
          {form.values.discount_codes && (
            <input type="hidden" name="discount_codes" value={form.values.discount_codes} />
          )}
          <p class="quiet">Shipping and tax are calculated from your address.</p>
          <button type="submit" formaction="/checkout#shipping">
            Show total
          </button>
        </>
      )}
      <p>
        <a href="/cart">Edit cart</a>
      </p>
    </section>
  );
};
