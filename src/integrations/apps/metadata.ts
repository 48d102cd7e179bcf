import { permissions } from "../../platform/auth/roles.ts";
import { isUcpScope, shopperScopes } from "../../platform/auth/scopes.ts";
import type { TokenResource } from "../../platform/db/schema.ts";

export const AUTHORIZE_PATH = "/oauth/authorize";

const shoppers = Object.keys(shopperScopes);

/** The scopes of each resource. */
export const scopesOf: Record<TokenResource, readonly string[]> = {
  "/api/v1": [...permissions, ...shoppers.filter((name) => !isUcpScope(name))],
  "/mcp/admin": permissions,
  "/mcp": shoppers.filter(isUcpScope),
};

/** Metadata of the authorization server: https://www.rfc-editor.org/rfc/rfc8414 */
export const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: origin + AUTHORIZE_PATH,
  token_endpoint: `${origin}/oauth/token`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  jwks_uri: `${origin}/.well-known/jwks.json`,
  scopes_supported: [...permissions, ...shoppers],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** Metadata of what tokens are for: https://www.rfc-editor.org/rfc/rfc9728 */
export const resourceMetadata = (origin: string, [address, resource]: [address: string, resource: TokenResource]) => ({
  resource: origin + address,
  authorization_servers: [origin],
  scopes_supported: scopesOf[resource],
  bearer_methods_supported: ["header"],
  resource_documentation: `${origin}/docs/`,
});
