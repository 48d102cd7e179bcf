import type { Schema } from "storefront/client";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Summary } from "../parts/summary.tsx";
import { Address, Contact, fieldNames } from "./fields.tsx";
import { writeSeen } from "./order-form.ts";
import { Payment } from "./payment.tsx";
import type { PaymentOption } from "./payment-options.ts";

type Props = { form: Form; cart: Schema["Cart"]; profile: Schema["Profile"] | null; options: PaymentOption[] };

export const CheckoutPage = ({ form, cart, profile, options }: Props) => {
  const { currency, total, items } = cart;
  const lines = items.map(({ name, quantity, line_total }) => ({ name, quantity, amount: line_total }));
  const isShipped = items.some(({ requires_shipping }) => requires_shipping);
  return (
    <>
      <h1>Checkout</h1>
      <Refusal form={form} fields={fieldNames} />
      <form method="post" action="/checkout" class="checkout">
        {/* The order's Idempotency-Key: pressed twice, the button places one order. */}
        <input type="hidden" name="attempt" value={crypto.randomUUID()} />
        <input type="hidden" name="seen" value={writeSeen(cart)} />
        <div>
          {!profile && <Contact form={form} withName={!isShipped} />}
          {isShipped && <Address form={form} name={profile?.name} />}
          {total > 0 && <Payment form={form} options={options} />}
        </div>
        <section class="panel">
          <h2>Your order</h2>
          <Summary lines={lines} total={total} currency={currency} />
          <button type="submit">
            Place the order for <Money amount={total} currency={currency} />
          </button>
          <p>
            <a href="/cart">Change the cart</a>
          </p>
        </section>
      </form>
    </>
  );
};
