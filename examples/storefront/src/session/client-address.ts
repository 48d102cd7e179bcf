import type { ShopContext } from "../env.ts";

/** Passes the shopper's address to the API, which would otherwise count all sign-ins against this server's address. */
export function clientAddress(c: ShopContext): { "X-Client-Address"?: string } {
  const address = c.req.header("CF-Connecting-IP");
  return address === undefined ? {} : { "X-Client-Address": address };
}

/** Passes the shopper's address and device to the API, which shows them in the shopper's list of sessions. */
export function clientHeaders(c: ShopContext): { "X-Client-Address"?: string; "X-Client-User-Agent"?: string } {
  const userAgent = c.req.header("User-Agent");
  return { ...clientAddress(c), ...(userAgent !== undefined && { "X-Client-User-Agent": userAgent }) };
}
