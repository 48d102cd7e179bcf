import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import { findCart, myCart } from "../cart/my-cart.ts";
import type { ShopContext } from "../env.ts";
import { rememberGuestOrder } from "../orders/guest-orders.ts";
import type { Values } from "../parts/form.ts";
import { clientAddress } from "../session/client-address.ts";
import { askedIn, orderOf, savedAddress, wholeAddress } from "./order-form.ts";

/** Places a shopper's order with their token, or a guest's with the shop's key. The API removes the ordered items from the cart. */
export async function placeOrder(c: ShopContext, values: Values): Promise<Schema["Order"]> {
  const { api, header } = myCart(c);
  const attempt = attemptOf(values);
  // The form has its own Idempotency-Key: it places one order, however often it is submitted.
  const headers = { ...header, ...clientAddress(c), "Idempotency-Key": attempt };
  const body = orderOf(values, !c.var.shopper);
  const { data: order } = await api.POST("/api/v1/user/orders", { params: { header: headers }, body });
  if (c.var.shopper) await saveAddress(c.var.shopper, values, attempt);
  else await rememberGuestOrder(c, order);
  await findCart(c);
  return order;
}

export const attemptOf = ({ attempt = "" }: Values): string =>
  /^[\w-]{1,36}$/.test(attempt) ? attempt : crypto.randomUUID();

/**
 * Adds the address to the address book if the shopper asked for it. The order is valid even if the address book is
 * full.
 */
async function saveAddress(shopper: NonNullable<ShopContext["var"]["shopper"]>, values: Values, attempt: string) {
  if (values.save_address !== "yes" || !askedIn(values) || savedAddress(values) !== undefined) return;
  const params = { header: { "Idempotency-Key": `${attempt}-address` } };
  try {
    await shopper.POST("/api/v1/user/account/addresses", { params, body: wholeAddress(values, "address") });
  } catch (error) {
    if (!(error instanceof StorefrontError)) throw error;
  }
}
