import type { Schema } from "storefront/client";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Summary } from "../parts/summary.tsx";
import { address, writeSeen } from "./order-form.ts";

type Props = { form: Form; cart: Schema["Cart"]; wallet: number };

export const CheckoutPage = ({ form, cart, wallet }: Props) => {
  const { currency, total, items } = cart;
  const lines = items.map(({ name, quantity, line_total }) => ({ name, quantity, amount: line_total }));
  return (
    <>
      <h1>Checkout</h1>
      <Refusal form={form} fields={address.map((name) => `shipping_address.${name}`)} />
      <form method="post" action="/checkout" class="checkout">
        {/* The order's name: pressed twice, the button places one order. */}
        <input type="hidden" name="attempt" value={crypto.randomUUID()} />
        <input type="hidden" name="seen" value={writeSeen(cart)} />
        {items.some(({ type }) => type === "physical") && <Address form={form} />}
        <section class="panel">
          <h2>Your order</h2>
          <Summary lines={lines} total={total} currency={currency} />
          <p>
            Your wallet holds <Money amount={wallet} currency={currency} />.
          </p>
          {wallet < total ? (
            <p class="wrong">That is too little: take something out of your cart, or have your wallet filled.</p>
          ) : (
            <button type="submit">
              Pay <Money amount={total} currency={currency} />
            </button>
          )}
          <p>
            <a href="/cart">Change the cart</a>
          </p>
        </section>
      </form>
    </>
  );
};

const Address = ({ form }: { form: Form }) => (
  <fieldset class="panel fields">
    <legend>Where to</legend>
    <Field form={form} name="shipping_address.name" label="Name" autocomplete="name" />
    <Field form={form} name="shipping_address.address" label="Street and number" autocomplete="street-address" />
    <Field form={form} name="shipping_address.city" label="City" autocomplete="address-level2" />
    <Field form={form} name="shipping_address.zip" label="Postcode" autocomplete="postal-code" />
  </fieldset>
);
