import { Hono } from "hono";
import { type Schema, StorefrontError } from "storefront/client";
import { findCart } from "../cart/my-cart.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { payAddress } from "../orders/pay-address.ts";
import { page } from "../page.tsx";
import { fieldsOf } from "../parts/form.ts";
import { tell } from "../told.ts";
import { AccountNeeded } from "./account-needed.tsx";
import type { AddressKind } from "./order-form.ts";
import { CheckoutPage } from "./page.tsx";
import { paymentOptions } from "./payment-options.ts";
import { placeOrder } from "./place-order.ts";
import { errorsOf, problemsOf } from "./problems.ts";
import { quoteCart } from "./quote.ts";
import { suggestedAddress } from "./suggested-address.ts";

export const checkout = new Hono<AppEnv>()
  .get("/checkout", (c) => checkoutPage(c))
  .post("/checkout", async (c) => {
    const values = await fieldsOf(c);
    // Only a page that showed the total can place the order.
    if (values.total === undefined || values.update !== undefined) return checkoutPage(c, values);
    try {
      const order = await placeOrder(c, values);
      if (payAddress(order)) return c.redirect(`/orders/${order.id}/pay`, 303);
      return tell(c, "Thank you! Your order is placed.", `/orders/${order.id}`);
    } catch (error) {
      if (!(error instanceof StorefrontError)) throw error;
      // The buyer went back and changed the form of an order that was already placed.
      if (error.status === 409) return tell(c, "This order has already been placed.", "/orders");
      if (error.status !== 400) throw error;
      return checkoutPage(c, values, error);
    }
  });

type Values = Record<string, string>;

async function checkoutPage(c: ShopContext, sent?: Values, refused?: StorefrontError): Promise<Response> {
  const { PAYMENT_METHODS, PAYMENT_INSTRUCTIONS } = c.env;
  const [cart, profile] = await Promise.all([findCart(c), findProfile(c)]);
  if (cart.items.length === 0) return c.redirect("/cart", 303);
  const forAccounts = cart.items.filter(({ requires_account }) => requires_account);
  if (!profile && forAccounts.length > 0) return page(c, "Checkout", <AccountNeeded items={forAccounts} />);
  const isShipped = cart.items.some(({ requires_shipping }) => requires_shipping);
  const kind: AddressKind = isShipped ? "shipping_address" : "billing_address";
  const values = sent ?? (await suggestedAddress(c, kind));
  const quoted = await quoteCart(c, values);
  // If nothing is shipped, the address only matters for tax.
  const isBilled = values["billing_address.name"] !== undefined || quoted.quote.tax_lines.length > 0;
  const address = kind === "shipping_address" || isBilled ? kind : null;
  const problems = refused ? problemsOf(refused) : quoted.problems;
  const message = refused?.message ?? (problems.length > 0 ? "Please check the marked fields" : undefined);
  const form = { values, errors: errorsOf(problems, values), ...(message !== undefined && { message }) };
  if (refused) c.status(400);
  const payer = { total: quoted.quote.total, wallet: profile?.wallet_balance };
  const options = paymentOptions(PAYMENT_METHODS, PAYMENT_INSTRUCTIONS, payer);
  const props = { form, cart, quoted, profile, address, options };
  return page(c, "Checkout", <CheckoutPage {...props} />);
}

async function findProfile({ var: { shopper } }: ShopContext): Promise<Schema["Profile"] | null> {
  return shopper && (await shopper.GET("/api/v1/user/account/profile")).data;
}
