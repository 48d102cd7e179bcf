import type { Schema } from "@storefront-worker/api/client";
import { describe } from "../catalogue/variants.ts";
import { Blank } from "../parts/blank.tsx";
import { Money } from "../parts/money.tsx";
import { UnitPrice } from "../parts/unit-price.tsx";

type Cart = Schema["Cart"];
type Item = Cart["items"][number];

const issues: Record<Item["issues"][number], string> = {
  not_for_sale: "No longer available: remove it",
  choose_variant: "Now comes in several variants: choose one, and remove this",
  out_of_stock: "Sold out: remove it",
  insufficient_stock: "Not enough left in stock: lower the quantity",
};

/** Maximum units of a product in a cart. */
const MOST = 1000;

type Props = { cart: Cart };

export const CartPage = ({ cart: { items, total, currency } }: Props) => (
  <>
    <h1>Cart</h1>
    {items.length === 0 ? (
      <section class="panel narrow">
        <h2>Your cart is empty</h2>
        <p>What you add is kept here for 30 days.</p>
        <a class="button wide" href="/">
          See all products
        </a>
      </section>
    ) : (
      <div class="cart">
        {/* Changes quantities in place. Without it, each button sends its form. */}
        <script src="/cart.js" type="module" />
        <ul class="lines">
          {items.map((item) => (
            <Line item={item} currency={currency} />
          ))}
        </ul>
        <section class="panel review" aria-label="Total">
          <div class="total">
            <span>Subtotal</span>
            <Money amount={total} currency={currency} />
          </div>
          <p class="quiet">Shipping, discounts and tax are calculated at checkout.</p>
          {items.every((item) => item.issues.length === 0) ? (
            <a class="button wide" href="/checkout">
              Check out
            </a>
          ) : (
            <p class="wrong">Change or remove the marked products to check out.</p>
          )}
          <p class="onward">
            <a href="/">Continue shopping</a>
          </p>
        </section>
      </div>
    )}
  </>
);

const Line = ({ item, currency }: { item: Item; currency: string }) => {
  const { id, product_id, name, option_values, image_url, quantity, unit_price, line_total, available_quantity } = item;
  const notes = [
    ...item.issues.map((issue) => issues[issue]),
    ...(item.price_changed ? ["The price has changed"] : []),
  ];
  const most = Math.max(1, Math.min(available_quantity ?? MOST, MOST));
  return (
    <li class="line">
      {image_url ? <img src={image_url} alt="" width="96" height="72" /> : <Blank name={name} />}
      <div class="what">
        <a href={`/products/${product_id}`} dir="auto">
          {name}
        </a>
        {option_values.length > 0 && <span class="quiet">{describe(option_values)}</span>}
        <span class="quiet">
          <Money amount={unit_price} currency={currency} /> each{" "}
          <UnitPrice of={item.unit_pricing} currency={currency} />
        </span>
        {notes.map((note) => (
          <span class="wrong">{note}</span>
        ))}
        {item.issues.includes("choose_variant") && <a href={`/products/${product_id}`}>Choose a variant</a>}
      </div>
      <form method="post" action={`/cart/items/${id}`} class="change">
        {/* The form's first button: Enter in the field presses it. Shown where no script sends what is typed. */}
        <button class="soft update" type="submit" aria-label={`Update the quantity of ${name}`}>
          Update
        </button>
        <div class="stepper">
          <button type="submit" name="step" value="-1" aria-label={`One less of ${name}`}>
            −
          </button>
          <input
            type="number"
            name="quantity"
            value={String(quantity)}
            min="1"
            max={most}
            inputmode="numeric"
            aria-label={`Quantity of ${name}`}
          />
          <button type="submit" name="step" value="1" aria-label={`One more of ${name}`}>
            +
          </button>
        </div>
        <button class="plain" type="submit" name="remove" value="yes" formnovalidate aria-label={`Remove ${name}`}>
          Remove
        </button>
      </form>
      <Money amount={line_total} currency={currency} />
    </li>
  );
};
