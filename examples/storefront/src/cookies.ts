import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from "hono/cookie";
import type { ShopContext } from "./env.ts";

/**
 * The shop's cookies: a guest's cart and orders, a shopper's tokens, a sign-in that waits for its code, a second factor
 * being set up, a started checkout, a refused form, and the message for the next page.
 */
export type CookieName =
  | "shop-cart"
  | "shop-cart-count"
  | "shop-orders"
  | "shop-order-links"
  | "shop-token"
  | "shop-refresh"
  | "shop-code"
  | "shop-factor"
  | "shop-checkout"
  | "shop-address"
  | "shop-billing"
  | "shop-form"
  | "shop-told";

/** Some browsers reject Secure cookies from a local server over plain HTTP. */
const isLocal = (c: ShopContext): boolean => /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(c.req.url);

const common = { httpOnly: true, sameSite: "Lax", path: "/" } as const;

const optionsFor = (c: ShopContext) => (isLocal(c) ? common : ({ ...common, secure: true, prefix: "host" } as const));

export const writeCookie = (c: ShopContext, name: CookieName, value: string, maxAge: number): void =>
  setCookie(c, name, value, { ...optionsFor(c), maxAge });

export const readCookie = (c: ShopContext, name: CookieName): string | undefined =>
  isLocal(c) ? getCookie(c, name) : getCookie(c, name, "host");

export const dropCookie = (c: ShopContext, name: CookieName): void => {
  deleteCookie(c, name, optionsFor(c));
};

/** Writes a cookie that only this Worker can create. A modified one is ignored. */
export const writeSignedCookie = (c: ShopContext, name: CookieName, value: string, maxAge: number): Promise<void> =>
  setSignedCookie(c, name, value, c.env.COOKIE_SECRET, { ...optionsFor(c), maxAge });

export async function readSignedCookie(c: ShopContext, name: CookieName): Promise<string | undefined> {
  const prefix = isLocal(c) ? undefined : "host";
  return (await getSignedCookie(c, c.env.COOKIE_SECRET, name, prefix)) || undefined;
}
