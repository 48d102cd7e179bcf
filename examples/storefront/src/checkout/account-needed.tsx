import type { Schema } from "storefront/client";

/** Files are kept for the account that bought them. The cart goes along when a guest signs in or up. */
export const AccountNeeded = ({ items }: { items: Schema["Cart"]["items"] }) => (
  <section class="panel narrow">
    <h1>Checkout</h1>
    <p>These come with files, which you download from your account:</p>
    <ul>
      {items.map(({ name }) => (
        <li>{name}</li>
      ))}
    </ul>
    <p>Your cart stays as it is.</p>
    <p class="choices">
      <a class="button" href="/sign-up?next=/checkout">
        Create an account
      </a>
      <a class="button soft" href="/sign-in?next=/checkout">
        Sign in
      </a>
    </p>
    <p class="quiet">
      Or <a href="/cart">take them out of your cart</a> and order the rest as a guest.
    </p>
  </section>
);
