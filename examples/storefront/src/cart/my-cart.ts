import { type Schema, type Storefront, StorefrontError } from "storefront/client";
import { dropCookie, readCookie, writeCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";

/** As long as the API keeps a guest's cart that nobody touches. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

type Header = { "X-Cart-Token"?: string };

/** Who asks for the cart, and by which name: a shopper has one cart, a guest's is named by the token in their cookie. */
export function myCart(c: ShopContext): { api: Storefront; header: Header } {
  if (c.var.shopper) return { api: c.var.shopper, header: {} };
  const token = readCookie(c, "shop-cart");
  return { api: c.var.shop, header: token === undefined ? {} : { "X-Cart-Token": token } };
}

/** The cart as it stands; one that the API has forgotten is an empty one. */
export async function findCart(c: ShopContext): Promise<Schema["Cart"]> {
  const { api, header } = myCart(c);
  try {
    return (await api.GET("/api/v1/user/cart", { params: { header } })).data;
  } catch (error) {
    if (!(error instanceof StorefrontError && error.status === 404)) throw error;
    dropCookie(c, "shop-cart");
    return (await api.GET("/api/v1/user/cart")).data;
  }
}

export function rememberCart(c: ShopContext, { token }: Schema["Cart"]): void {
  if (token !== null) writeCookie(c, "shop-cart", token, KEPT_SECONDS);
}
