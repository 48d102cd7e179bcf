import type { ShopContext } from "../env.ts";

type ClientAddress = { "X-Client-Address"?: string; "Accept-Language"?: string };

/**
 * Passes the shopper's address to the API, which would otherwise count all sign-ins against this server's address, and the
 * language of e-mails.
 */
export function clientAddress(c: ShopContext): ClientAddress {
  const [address, language] = [c.req.header("CF-Connecting-IP"), c.req.header("Accept-Language")];
  return {
    ...(address !== undefined && { "X-Client-Address": address }),
    ...(language !== undefined && { "Accept-Language": language }),
  };
}

/** Passes the shopper's address and device to the API, which shows them in the shopper's list of sessions. */
export function clientHeaders(c: ShopContext): ClientAddress & { "X-Client-User-Agent"?: string } {
  const userAgent = c.req.header("User-Agent");
  return { ...clientAddress(c), ...(userAgent !== undefined && { "X-Client-User-Agent": userAgent }) };
}
