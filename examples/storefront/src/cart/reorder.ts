import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";
import { myCart, rememberCart } from "./my-cart.ts";

/** Adds the items of an order to the cart, and returns the names of those that are no longer sold. */
export async function reorder(c: ShopContext, { items }: Pick<Schema["Order"], "items">): Promise<string[]> {
  const gone: string[] = [];
  let { api, header } = myCart(c);
  for (const { product_id, quantity, name } of items) {
    try {
      const { data } = await api.POST("/api/v1/user/cart", { params: { header }, body: { product_id, quantity } });
      rememberCart(c, data);
      // The first item may have made a guest's cart.
      if (data.token !== null) header = { "X-Cart-Token": data.token };
    } catch (error) {
      if (!(error instanceof StorefrontError && [400, 404].includes(error.status))) throw error;
      gone.push(name);
    }
  }
  return gone;
}
