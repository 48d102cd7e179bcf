import type { Schema } from "@storefront-worker/api/client";
import { forgetDraft } from "../checkout/draft.ts";
import { dropCookie, readCookie, writeCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";

/** Lifetime of the API's refresh tokens. */
const REFRESH_SECONDS = 30 * 24 * 60 * 60;

/** Stores the shopper's tokens in cookies that scripts cannot read. */
export function rememberShopper(c: ShopContext, session: Schema["Session"]): void {
  const { token, refresh_token, expires_at } = session;
  writeCookie(c, "shop-token", token, Math.floor((Date.parse(expires_at) - Date.now()) / 1000));
  writeCookie(c, "shop-refresh", refresh_token, REFRESH_SECONDS);
  c.set("shopper", c.var.shop.as(token));
}

/** Ends a shopper's visit, with their started checkout and second factor. A guest's checkout is kept. */
export function forgetShopper(c: ShopContext): void {
  if (readCookie(c, "shop-refresh") !== undefined) forgetDraft(c);
  for (const name of ["shop-token", "shop-refresh", "shop-factor"] as const) dropCookie(c, name);
  c.set("shopper", null);
}
