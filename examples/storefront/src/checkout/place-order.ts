import type { Schema } from "storefront/client";
import { findCart, myCart } from "../cart/my-cart.ts";
import type { ShopContext } from "../env.ts";
import { rememberGuestOrder } from "../orders/guest-orders.ts";
import { clientAddress } from "../session/client-address.ts";
import { orderOf } from "./order-form.ts";

/** Places a shopper's order with their token, or a guest's with the shop's key. The API removes the ordered items from the cart. */
export async function placeOrder(c: ShopContext, values: Record<string, string>): Promise<Schema["Order"]> {
  const { api, header } = myCart(c);
  const buyer = c.var.shopper ? "shopper" : "guest";
  // The form has its own Idempotency-Key: however often it is submitted, it places one order.
  const headers = { ...header, ...clientAddress(c), "Idempotency-Key": values.attempt || crypto.randomUUID() };
  const body = orderOf(values, buyer);
  const { data: order } = await api.POST("/api/v1/user/orders", { params: { header: headers }, body });
  if (buyer === "guest") await rememberGuestOrder(c, order);
  await findCart(c);
  return order;
}
