import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

/** What the browser keeps for us: a guest's cart, a shopper's tokens, and words for the next page. */
export type CookieName = "shop-cart" | "shop-token" | "shop-refresh" | "shop-told";

/** Not every browser keeps a Secure cookie of a server on the same machine that speaks plain HTTP. */
const isLocal = (c: Context): boolean => /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(c.req.url);

const common = { httpOnly: true, sameSite: "Lax", path: "/" } as const;

export function writeCookie(c: Context, name: CookieName, value: string, maxAge: number): void {
  setCookie(c, name, value, isLocal(c) ? { ...common, maxAge } : { ...common, maxAge, secure: true, prefix: "host" });
}

export const readCookie = (c: Context, name: CookieName): string | undefined =>
  isLocal(c) ? getCookie(c, name) : getCookie(c, name, "host");

export function dropCookie(c: Context, name: CookieName): void {
  deleteCookie(c, name, isLocal(c) ? common : { ...common, secure: true, prefix: "host" });
}
