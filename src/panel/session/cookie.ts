import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

// Cookies of the panel: no script reads them, no other site's request carries them, no other host can plant them.

/**
 * Browsers differ in whether they keep a Secure cookie of a server on the same machine that speaks plain HTTP. Everywhere
 * else one that is not Secure would be a mistake.
 */
const isLocal = (c: Context): boolean => /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(c.req.url);

export function writeCookie(c: Context, name: string, value: string, maxAge: number): void {
  const options = { httpOnly: true, sameSite: "Strict", path: "/", maxAge } as const;
  setCookie(c, name, value, isLocal(c) ? options : { ...options, secure: true, prefix: "host" });
}

export const readCookie = (c: Context, name: string): string | undefined =>
  isLocal(c) ? getCookie(c, name) : getCookie(c, name, "host");

export const dropCookie = (c: Context, name: string): void => writeCookie(c, name, "", 0);
