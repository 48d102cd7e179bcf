import type { ShopContext } from "../env.ts";

/** Passes the shopper's address to the API, which would otherwise count all sign-ins against this server's address. */
export function clientAddress(c: ShopContext): { "X-Client-Address"?: string } {
  const address = c.req.header("CF-Connecting-IP");
  return address === undefined ? {} : { "X-Client-Address": address };
}
