import type { Schema } from "@storefront-worker/api/client";
import type { Form } from "../parts/form.ts";
import { Contact } from "./contact.tsx";
import { Delivery, type SavedAddress } from "./delivery.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import type { AddressKind } from "./order-form.ts";
import { Payment } from "./payment.tsx";
import type { PaymentOption } from "./payment-options.ts";
import type { ProblemSentence } from "./problems.ts";
import type { QuoteResult } from "./quote.ts";
import { Shipping } from "./shipping.tsx";
import { Glance, YourOrder } from "./your-order.tsx";

type Props = {
  form: Form;
  told: ProblemSentence[];
  /** Idempotency-Key of the order: a form submitted twice places one order. */
  attempt: string;
  cart: Schema["Cart"];
  quoted: QuoteResult;
  profile: Schema["Profile"] | null;
  /** The kind of address that the form requires, if any, and the shopper's address book. */
  address: AddressKind | undefined;
  saved: SavedAddress[];
  options: PaymentOption[];
};

/** Contact, delivery, shipping and payment, with the order and its total beside them. */
export const CheckoutPage = ({ form, told, attempt, cart, quoted, profile, address, saved, options }: Props) => (
  <>
    <div class="heading">
      <h1>Checkout</h1>
      <a href="/cart">Edit cart</a>
    </div>
    <Glance cart={cart} quoted={quoted} />
    <ErrorSummary told={told} />
    {/* The error summary names what is missing, in words of this shop. */}
    <form method="post" action="/checkout" class="checkout" novalidate>
      <input type="hidden" name="attempt" value={attempt} />
      <div class="steps">
        <Contact form={form} profile={profile} withName={address === undefined} />
        {address && (
          <Delivery of={address} form={form} quote={quoted.quote} saved={saved} isShopper={profile !== null} />
        )}
        <div data-live="shipping">
          <Shipping form={form} quoted={quoted} />
        </div>
        <div data-live="payment">{quoted.quote.total > 0 && <Payment form={form} options={options} />}</div>
      </div>
      <YourOrder form={form} cart={cart} quoted={quoted} options={options} />
    </form>
    <p class="unseen" role="status" id="recalculated" />
    <script src="/checkout.js" defer />
  </>
);
