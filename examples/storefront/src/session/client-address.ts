import type { ShopContext } from "../env.ts";

/** Names the shopper's address to the API, which otherwise counts everybody's sign-ins as those of this one server. */
export function clientAddress(c: ShopContext): { "X-Client-Address"?: string } {
  const address = c.req.header("CF-Connecting-IP");
  return address === undefined ? {} : { "X-Client-Address": address };
}
