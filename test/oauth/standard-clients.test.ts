import { exports } from "cloudflare:workers";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import { expect, it, vi } from "vitest";
import { anAddress, call, ORIGIN } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aRegisteredClient, consent, REDIRECT } from "./support.ts";

const address = anAddress();

/** Sends the requests of a client to the Worker. */
const toShop = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const request = new Request(input instanceof URL ? input.href : input, init);
  request.headers.set("CF-Connecting-IP", address);
  return exports.default.fetch(request);
};

type Sent = { method: string; headers: Record<string, string>; body?: BodyInit | null | undefined };

it("completes the whole flow with a certified client", async () => {
  const clientId = await aRegisteredClient({ secret: "a secret of the client & more" });
  const client: oauth.Client = { client_id: clientId };
  const authentication = oauth.ClientSecretBasic("a secret of the client & more");
  const http = {
    [oauth.customFetch]: (url: string, { method, headers, body = null }: Sent) =>
      toShop(url, { method, headers, body }),
  };
  const issuer = new URL(ORIGIN);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http }),
  );
  const resource = await oauth.processResourceDiscoveryResponse(
    new URL(`${ORIGIN}/api/v1`),
    await oauth.resourceDiscoveryRequest(new URL(`${ORIGIN}/api/v1`), http),
  );
  expect(resource.authorization_servers).toEqual([server.issuer]);

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: REDIRECT, response_type: "code", scope: "products:read", state },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    resource: resource.resource,
  }).toString();
  const admin = await anAdministrator();
  const asked = await admin.get(url.pathname + url.search);
  expect(asked.location).toBe(`/admin/apps/authorize${url.search}`);
  const code = await consent(admin, url.search);

  const returned = new URL(`${REDIRECT}?${new URLSearchParams({ code, state, iss: ORIGIN })}`);
  const parameters = oauth.validateAuthResponse(server, client, returned, state);
  const granted = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, REDIRECT, verifier, http),
  );
  const use = (token: string) =>
    oauth.protectedResourceRequest(token, "GET", new URL(`${ORIGIN}/api/v1/user/products`), undefined, undefined, http);
  expect((await use(granted.access_token)).status).toBe(200);

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, granted.refresh_token ?? "", http),
  );
  expect((await use(refreshed.access_token)).status).toBe(200);
  const revocation = await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token ?? "", http);
  expect(await oauth.processRevocationResponse(revocation)).toBeUndefined();
  await expect(use(refreshed.access_token)).rejects.toThrow(/challenge/i);
});

it("connects a client of the Model Context Protocol that knows nothing but the address", async () => {
  const admin = await anAdministrator();
  const clientMetadataUrl = "https://assistant.example/oauth/client.json";
  const document = { client_id: clientMetadataUrl, client_name: "Assistant", redirect_uris: [REDIRECT] };
  const real = globalThis.fetch;
  using _ = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url === clientMetadataUrl) return Response.json(document);
    if (url.includes("dns-query")) return Response.json({ Status: 0, Answer: [{ type: 1, data: "93.184.215.14" }] });
    return real(input, init);
  });
  const kept: { tokens?: Parameters<NonNullable<OAuthClientProvider["saveTokens"]>>[0]; verifier?: string; url?: URL } =
    {};
  let client: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadataUrl,
    clientMetadata: { client_name: "Assistant", redirect_uris: [REDIRECT] },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.url = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  const open = () => new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp/admin`), { authProvider, fetch: toShop });
  const first = open();
  await expect(new Client({ name: "assistant", version: "1" }).connect(first)).rejects.toThrow(UnauthorizedError);

  const code = await consent(admin, kept.url?.search ?? "", { permissions: ["read"] });
  await first.finishAuth(new URLSearchParams({ code, iss: ORIGIN }));
  const assistant = new Client({ name: "assistant", version: "1" });
  await assistant.connect(open());
  const { tools } = await assistant.listTools();
  expect(tools.map(({ name }) => name)).toContain("adminListOrders");
  expect(tools.map(({ name }) => name)).not.toContain("createRefund");
  const shop = await assistant.callTool({ name: "getShop", arguments: {} });
  expect(JSON.stringify(shop.content)).toContain("Storefront");
});

it("tells a client without a token where to get one, and which scopes to ask for", async () => {
  const challenge = async (line: string) => (await call(line)).headers.get("WWW-Authenticate");
  const metadata = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource`;
  expect(await challenge(`POST ${ORIGIN}/mcp/admin`)).toContain(`${metadata}/mcp/admin"`);
  expect(await challenge(`POST ${ORIGIN}/mcp/admin`)).toContain('scope="read write"');
  expect(await challenge("GET /admin/orders")).toContain('scope="shipments:read"');
  expect(await challenge("GET /admin/orders")).toContain(`${metadata}/api/v1"`);
  expect(await challenge("GET /account/profile")).toContain(`${metadata}/api/v1"`);
});
