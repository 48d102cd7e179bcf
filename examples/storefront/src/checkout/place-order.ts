import type { Schema } from "storefront/client";
import { findCart, myCart } from "../cart/my-cart.ts";
import type { ShopContext } from "../env.ts";
import { rememberGuestOrder } from "../orders/guest-orders.ts";
import { clientAddress } from "../session/client-address.ts";
import { orderOf } from "./order-form.ts";

/** Places the order of a shopper with their token, a guest's with the shop's key, which takes it out of the guest's cart. */
export async function placeOrder(c: ShopContext, values: Record<string, string>): Promise<Schema["Order"]> {
  const { api, header } = myCart(c);
  const buyer = c.var.shopper ? "shopper" : "guest";
  // The form came with its own Idempotency-Key: however often it is sent, it places one order.
  const headers = { ...header, ...clientAddress(c), "Idempotency-Key": values.attempt || crypto.randomUUID() };
  const body = orderOf(values, buyer);
  const { data: order } = await api.POST("/api/v1/user/orders", { params: { header: headers }, body });
  if (buyer === "guest") await rememberGuestOrder(c, order);
  await findCart(c);
  return order;
}
