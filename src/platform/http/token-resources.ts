import { type TokenResource, tokenResources } from "../../integrations/apps/tables.ts";

/** The resource that a path belongs to. */
export const tokenResourceOf = (path: string): TokenResource =>
  path.startsWith("/ucp/") ? "/mcp" : (tokenResources.find((resource) => path.startsWith(resource)) ?? "/api/v1");

/** Where the metadata of a resource is (RFC 9728, section 3.1). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** Adds to a challenge where a client learns how to get a token (RFC 9728, section 5.1). */
export function withResourceMetadata(headers: Record<string, string>, url: string): Record<string, string> {
  const { "WWW-Authenticate": challenge } = headers;
  if (challenge === undefined) return headers;
  const { origin, pathname } = new URL(url);
  const metadata = `${origin}${RESOURCE_METADATA}${tokenResourceOf(pathname)}`;
  return { ...headers, "WWW-Authenticate": `${challenge}, resource_metadata="${metadata}"` };
}
