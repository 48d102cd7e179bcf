import type { Schema } from "@storefront-worker/api/client";
import { FormCard } from "../parts/form-card.tsx";

/** Files belong to the account that bought them. A guest's cart is merged when they sign in or sign up. */
export const AccountNeeded = ({ items }: { items: Schema["Cart"]["items"] }) => (
  <FormCard title="Checkout" sign="person">
    <p>These products include downloads, which are kept in your account:</p>
    <ul>
      {items.map(({ name }) => (
        <li>{name}</li>
      ))}
    </ul>
    <p>Your cart is kept.</p>
    <p class="choices">
      <a class="button" href="/sign-up?next=/checkout">
        Create an account
      </a>
      <a class="button soft" href="/sign-in?next=/checkout">
        Sign in
      </a>
    </p>
    <p class="quiet">
      Or <a href="/cart">remove them from your cart</a> and order the rest as a guest.
    </p>
  </FormCard>
);
