import { Hono } from "hono";
import { type Schema, StorefrontError } from "storefront/client";
import { findCart } from "../cart/my-cart.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { payAddress } from "../orders/pay-address.ts";
import { page } from "../page.tsx";
import { type Form, fieldsOf } from "../parts/form.ts";
import { tell } from "../told.ts";
import { AccountNeeded } from "./account-needed.tsx";
import { CheckoutPage } from "./page.tsx";
import { paymentOptions } from "./payment-options.ts";
import { placeOrder } from "./place-order.ts";

export const checkout = new Hono<AppEnv>()
  .get("/checkout", (c) => checkoutPage(c, { values: {}, errors: {} }))
  .post("/checkout", async (c) => {
    const values = await fieldsOf(c);
    try {
      const order = await placeOrder(c, values);
      if (payAddress(order)) return c.redirect(`/orders/${order.id}/pay`, 303);
      return tell(c, "Thank you! Your order is placed.", `/orders/${order.id}`);
    } catch (error) {
      if (!(error instanceof StorefrontError)) throw error;
      // Somebody went back and changed the form of an order that was placed.
      if (error.status === 409) return tell(c, "This order was placed already.", "/orders");
      if (error.status !== 400) throw error;
      c.status(400);
      return checkoutPage(c, { values, errors: error.errors, message: error.message });
    }
  });

async function checkoutPage(c: ShopContext, form: Form): Promise<Response> {
  const { PAYMENT_METHODS, PAYMENT_INSTRUCTIONS } = c.env;
  const [cart, profile] = await Promise.all([findCart(c), findProfile(c)]);
  if (cart.items.length === 0) return c.redirect("/cart", 303);
  const forAccounts = cart.items.filter(({ requires_account }) => requires_account);
  if (!profile && forAccounts.length > 0) return page(c, "Checkout", <AccountNeeded items={forAccounts} />);
  const payer = { total: cart.total, wallet: profile?.wallet_balance };
  const options = paymentOptions(PAYMENT_METHODS, PAYMENT_INSTRUCTIONS, payer);
  return page(c, "Checkout", <CheckoutPage form={form} cart={cart} profile={profile} options={options} />);
}

async function findProfile({ var: { shopper } }: ShopContext): Promise<Schema["Profile"] | null> {
  return shopper && (await shopper.GET("/api/v1/user/account/profile")).data;
}
