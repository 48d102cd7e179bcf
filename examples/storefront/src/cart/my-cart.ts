import { type Schema, type Storefront, StorefrontError } from "@storefront-worker/api/client";
import { dropCookie, readCookie, writeCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";

type Cart = Schema["Cart"];

/** Lifetime of a cart's cookie. The API keeps an unchanged guest cart for as long. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

type Header = { "X-Cart-Token"?: string };

/**
 * The client and header for the cart. A shopper has one cart, and a guest's is identified by the token in their cookie.
 */
export function myCart(c: ShopContext): { api: Storefront; header: Header } {
  if (c.var.shopper) return { api: c.var.shopper, header: {} };
  const token = readCookie(c, "shop-cart");
  return { api: c.var.shop, header: token === undefined ? {} : { "X-Cart-Token": token } };
}

/** The current cart. Empty if the API no longer has it. */
export async function findCart(c: ShopContext): Promise<Cart> {
  const { api, header } = myCart(c);
  try {
    const { data } = await api.GET("/api/v1/user/cart", { params: { header } });
    rememberCart(c, data);
    return data;
  } catch (error) {
    if (!(error instanceof StorefrontError && error.status === 404)) throw error;
    forgetCart(c);
    return (await api.GET("/api/v1/user/cart")).data;
  }
}

/** Stores a guest cart's token, and the item count for the header, so that no page needs a call for the count. */
export function rememberCart(c: ShopContext, { token, item_count }: Cart): void {
  if (token !== null) writeCookie(c, "shop-cart", token, KEPT_SECONDS);
  writeCookie(c, "shop-cart-count", String(item_count), KEPT_SECONDS);
  c.set("cartCount", item_count);
}

export function forgetCart(c: ShopContext): void {
  dropCookie(c, "shop-cart");
  dropCookie(c, "shop-cart-count");
  c.set("cartCount", 0);
}

/** Cookies are untrusted: anything but a count is 0. */
export function lastCartCount(c: ShopContext): number {
  const count = Number(readCookie(c, "shop-cart-count"));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
