import { isShopperScope, isUcpScope } from "../../platform/auth/scopes.ts";
import type { TokenResource } from "../../platform/db/schema.ts";
import { resourceAddresses } from "../../platform/http/token-resources.ts";
import { type Client, findClient } from "./clients.ts";
import { OAuthError, type OAuthErrorCode, type ReturnAddress } from "./errors.ts";
import { scopesOf } from "./metadata.ts";
import { isRegistered } from "./redirect-uris.ts";

/** A client's request for a person's consent. */
export type AuthorizationRequest = ReturnAddress & {
  client: Client;
  resource: TokenResource;
  /** The person to ask: staff for permissions of API keys, a shopper for their own account. */
  asks: "staff" | "shopper";
  scopes: string[];
  codeChallenge: string;
  /** The parameters as they were sent, for the form that repeats them. */
  sent: Record<string, string>;
};

/** Parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). Others are ignored. */
const parameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;

export type SentParameters = Record<string, readonly string[] | undefined>;

/** Verifies who asks, and where the answer may go. Without both no answer goes anywhere. */
async function readReturnAddress(c: ClientRequest, sent: SentParameters): Promise<ReturnAddress & { client: Client }> {
  const [[clientId, ...ids], [redirectUri, ...uris]] = [sent.client_id ?? [], sent.redirect_uri ?? []];
  if (!clientId || ids.length > 0) throw new OAuthError("invalid_request", "The request must name one client_id");
  const client = await findClient(c, clientId);
  if (!redirectUri || uris.length > 0)
    throw new OAuthError("invalid_request", "The request must name one redirect_uri");
  if (!isRegistered(client.redirectUris, redirectUri))
    throw new OAuthError("invalid_request", `${client.name} did not register the redirect_uri of this request`);
  return { client, redirectUri, state: sent.state?.length === 1 ? sent.state[0] : undefined };
}

type ClientRequest = Parameters<typeof findClient>[0];

/** Reads an authorization request. An error with a return address is for the client, any other for the person only. */
export async function readAuthorization(c: ClientRequest, sent: SentParameters): Promise<AuthorizationRequest> {
  const { client, ...to } = await readReturnAddress(c, sent);
  const refuse = (code: OAuthErrorCode, message: string): never => {
    throw new OAuthError(code, message, { ...to, isTrusted: client.host === null });
  };
  const twice = parameters.find((name) => (sent[name]?.length ?? 0) > 1);
  if (twice !== undefined) refuse("invalid_request", `${twice} is sent more than once`);
  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const one = (name: (typeof parameters)[number]): string | undefined => sent[name]?.[0] || undefined;
  if (one("response_type") === undefined) refuse("invalid_request", "response_type is missing");
  if (one("response_type") !== "code") refuse("unsupported_response_type", "response_type must be code");
  const codeChallenge = one("code_challenge") ?? "";
  if (one("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge))
    refuse("invalid_request", "code_challenge with code_challenge_method S256 is required");
  const named = one("scope")?.split(" ").filter(Boolean) ?? [];
  // Platforms of the Universal Commerce Protocol name no resource.
  const isForUcp = one("resource") === undefined && named.some(isUcpScope);
  const resource = isForUcp ? "/mcp" : readResource(c.req.url, one("resource"));
  if (resource === null) return refuse("invalid_target", "resource must be the API, /mcp or /mcp/admin of this shop");
  const asked = readScopes(named, resource);
  if (asked === null) return refuse("invalid_scope", "scope has a name that is unknown for this resource");
  const known = parameters.flatMap((name) => sent[name]?.map((value) => [name, value] as const) ?? []);
  return { client, ...to, resource, ...asked, codeChallenge, sent: Object.fromEntries(known) };
}

/** The resource of an indicator, by default the API. Null for anything that is not this shop's. */
export function readResource(url: string, indicator: string | undefined): TokenResource | null {
  if (indicator === undefined) return "/api/v1";
  const { origin } = new URL(url);
  const given = indicator.replace(/\/$/, "");
  return Object.entries(resourceAddresses).find(([address]) => origin + address === given)?.[1] ?? null;
}

/** Scopes that are asked for if a client names none. */
const defaultScopes: Record<TokenResource, readonly string[]> = {
  "/api/v1": [],
  "/mcp/admin": ["read", "write"],
  "/mcp": scopesOf["/mcp"],
};

/** Permissions of staff, or scopes of shoppers, never both: one person gives consent. Null if a name is unknown. */
function readScopes(
  named: readonly string[],
  resource: TokenResource,
): Pick<AuthorizationRequest, "asks" | "scopes"> | null {
  const scopes = [...new Set(named.length > 0 ? named : defaultScopes[resource])];
  if (scopes.length === 0 || !scopes.every((name) => scopesOf[resource].includes(name))) return null;
  if (scopes.every(isShopperScope)) return { asks: "shopper", scopes };
  return scopes.some(isShopperScope) ? null : { asks: "staff", scopes };
}

/** The address that an answer goes to: the code, or an error, with the issuer (RFC 9207). */
export function returnUrl(
  { redirectUri, state }: ReturnAddress,
  issuer: string,
  answer: { code: string } | { error: OAuthErrorCode; error_description: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss: issuer }))
    url.searchParams.set(name, value);
  return url.href;
}
