import type { TokenResource } from "../../integrations/apps/tables.ts";

/**
 * The resources by the addresses that clients know. The bindings of the Universal Commerce Protocol are one resource, which
 * platforms also look for at the shop's own address.
 */
export const resourceAddresses: Readonly<Record<string, TokenResource>> = {
  "/api/v1": "/api/v1",
  "/mcp/admin": "/mcp/admin",
  "/mcp": "/mcp",
  "/ucp/v1": "/mcp",
  "": "/mcp",
};

const addressOf = (path: string): string =>
  Object.keys(resourceAddresses).find((address) => address !== "" && path.startsWith(address)) ?? "/api/v1";

/** The resource that a path belongs to. */
export const tokenResourceOf = (path: string): TokenResource => resourceAddresses[addressOf(path)] ?? "/api/v1";

/** Where the metadata of a resource is (RFC 9728, section 3.1). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/**
 * Adds to a challenge where a client learns how to get a token (RFC 9728, section 5.1). Platforms of the Universal Commerce
 * Protocol find the issuer in its realm.
 */
export function withResourceMetadata(headers: Record<string, string>, url: string): Record<string, string> {
  const { "WWW-Authenticate": challenge } = headers;
  if (challenge === undefined) return headers;
  const { origin, pathname } = new URL(url);
  const metadata = `${origin}${RESOURCE_METADATA}${addressOf(pathname)}`;
  const named = tokenResourceOf(pathname) === "/mcp" ? challenge.replace("storefront", origin) : challenge;
  return { ...headers, "WWW-Authenticate": `${named}, resource_metadata="${metadata}"` };
}
