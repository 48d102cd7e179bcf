import type { Storefront } from "storefront/client";
import type { ShopContext } from "../env.ts";

/** Thrown where only a shopper can go on. */
export class SignInFirst extends Error {}

/** The API as the shopper may use it; a guest signs in first. */
export function me(c: ShopContext): Storefront {
  if (!c.var.shopper) throw new SignInFirst();
  return c.var.shopper;
}
