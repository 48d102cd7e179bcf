import { Hono } from "hono";
import { StorefrontError } from "storefront/client";
import { findCart } from "../cart/my-cart.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { type Form, fieldsOf } from "../parts/form.ts";
import { me } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { orderOf } from "./order-form.ts";
import { CheckoutPage } from "./page.tsx";

export const checkout = new Hono<AppEnv>()
  .get("/checkout", (c) => checkoutPage(c, { values: {}, errors: {} }))
  .post("/checkout", async (c) => {
    const values = await fieldsOf(c);
    const header = { "Idempotency-Key": values.attempt || crypto.randomUUID() };
    try {
      const { data } = await me(c).POST("/api/v1/user/orders", { params: { header }, body: orderOf(values) });
      return tell(c, "Thank you! Your order is placed and paid.", `/orders/${data.id}`);
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
  const [cart, profile] = await Promise.all([findCart(c), me(c).GET("/api/v1/user/account/profile")]);
  if (cart.items.length === 0) return c.redirect("/cart", 303);
  const content = <CheckoutPage form={form} cart={cart} wallet={profile.data.wallet_balance} />;
  return page(c, "Checkout", content);
}
