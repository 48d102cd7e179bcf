import type { Storefront } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";

/** Thrown if a page requires a signed-in shopper. */
export class SignInFirst extends Error {}

/** The shopper's API client. Throws SignInFirst for guests. */
export function me(c: ShopContext): Storefront {
  if (!c.var.shopper) throw new SignInFirst();
  return c.var.shopper;
}
