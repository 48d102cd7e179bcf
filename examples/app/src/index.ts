import * as oauth from "oauth4webapi";
import { createStorefront, verifyWebhook } from "../../../src/client/index.ts";

// An app that many shops install. It keeps a list of what sold out: the shop's webhooks tell it, and the API adds the names.

type Env = {
  /** Shops by their address, authorizations under way, and what sold out. */
  STORE: KVNamespace;
};

type Shop = { refreshToken: string; webhookSecret: string };

/** Shops identify the app by the address of its description, so that nothing has to be registered. */
const clientOf = (origin: string): oauth.Client => ({ client_id: `${origin}/client.json` });

const PUBLIC = oauth.None();
const SCOPES = "products:read_all webhooks:read webhooks:write";

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    switch (`${request.method} ${url.pathname}`) {
      case "GET /client.json":
        return describe(url.origin);
      case "GET /install":
        return install(env, url);
      case "GET /callback":
        return installed(env, url, request.headers.get("Cookie") ?? "");
      case "POST /webhooks":
        return receive(env, url, request);
      case "GET /":
        return Response.json(await env.STORE.get(`sold-out ${url.searchParams.get("shop")}`, "json"));
      default:
        return new Response("Not found", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;

const describe = (origin: string): Response =>
  Response.json({
    client_id: clientOf(origin).client_id,
    client_name: "Sold Out",
    redirect_uris: [`${origin}/callback`],
    token_endpoint_auth_method: "none",
  });

/** Only a shop on this computer, which `npm start` runs, has no HTTPS. */
const protocolOf = (shop: string) => ({ [oauth.allowInsecureRequests]: new URL(shop).hostname === "localhost" });

/** Reads where a shop's authorization server is, from the metadata of its API. */
async function discover(shop: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(shop);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...protocolOf(shop) });
  return oauth.processDiscoveryResponse(issuer, answer);
}

/** `/install?shop=https://shop.example` sends the administrator to the shop's page that asks for consent. */
async function install(env: Env, { origin, searchParams }: URL): Promise<Response> {
  const shop = new URL(searchParams.get("shop") ?? "").origin;
  const server = await discover(shop);
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  await env.STORE.put(`state ${state}`, JSON.stringify({ shop, verifier }), { expirationTtl: 600 });
  const page = new URL(server.authorization_endpoint ?? "");
  page.search = new URLSearchParams({
    response_type: "code",
    client_id: clientOf(origin).client_id,
    redirect_uri: `${origin}/callback`,
    scope: SCOPES,
    state,
    resource: `${shop}/api/v1`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  // The cookie binds the state to this browser: nobody else can make it finish their own installation.
  return new Response(null, {
    status: 303,
    headers: { Location: page.href, "Set-Cookie": `state=${state}; HttpOnly; Secure; SameSite=Lax; Max-Age=600` },
  });
}

/** The administrator returns with a code, which becomes tokens. Then the app subscribes to events. */
async function installed(env: Env, url: URL, cookies: string): Promise<Response> {
  const state = url.searchParams.get("state") ?? "";
  const isSameBrowser = cookies.split("; ").includes(`state=${state}`);
  const pending = isSameBrowser && (await env.STORE.get<{ shop: string; verifier: string }>(`state ${state}`, "json"));
  if (!pending) return new Response("Start again", { status: 400 });
  await env.STORE.delete(`state ${state}`);
  const { shop, verifier } = pending;
  const [server, client] = [await discover(shop), clientOf(url.origin)];
  const parameters = oauth.validateAuthResponse(server, client, url, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    ...([server, client, PUBLIC, parameters, `${url.origin}/callback`, verifier, protocolOf(shop)] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
  const api = createStorefront({ baseUrl: shop, credential: tokens.access_token });
  const { data } = await api.POST("/api/v1/admin/webhooks", {
    body: { url: `${url.origin}/webhooks?shop=${encodeURIComponent(shop)}`, types: ["product.sold_out"] },
  });
  await keep(env, shop, { refreshToken: tokens.refresh_token ?? "", webhookSecret: data.secret });
  return new Response(`Installed in ${shop}`);
}

const keep = (env: Env, shop: string, tokens: Shop): Promise<void> =>
  env.STORE.put(`shop ${shop}`, JSON.stringify(tokens));

/** Verifies an event, and asks the API for what it does not contain. */
async function receive(env: Env, url: URL, request: Request): Promise<Response> {
  const shop = url.searchParams.get("shop") ?? "";
  const known = await env.STORE.get<Shop>(`shop ${shop}`, "json");
  if (!known) return new Response("Unknown shop", { status: 410 });
  const event = await verifyWebhook(await request.text(), request.headers, known.webhookSecret).catch(() => null);
  if (!event) return new Response("Wrong signature", { status: 400 });
  if (event.type === "app.uninstalled") {
    await Promise.all([env.STORE.delete(`shop ${shop}`), env.STORE.delete(`sold-out ${shop}`)]);
  }
  if (event.type === "product.sold_out") {
    const api = await apiOf(env, url.origin, shop, known);
    const { data } = await api.GET("/api/v1/admin/products/{id}", {
      params: { path: { id: event.data.product_id } },
    });
    const names = (await env.STORE.get<string[]>(`sold-out ${shop}`, "json")) ?? [];
    await env.STORE.put(`sold-out ${shop}`, JSON.stringify([...new Set([...names, data.name])]));
  }
  return new Response(null, { status: 204 });
}

/** A client of the shop's API. Each refresh token works once: the next one replaces it. */
async function apiOf(env: Env, origin: string, shop: string, known: Shop) {
  const [server, client] = [await discover(shop), clientOf(origin)];
  const answer = await oauth.refreshTokenGrantRequest(server, client, PUBLIC, known.refreshToken, protocolOf(shop));
  const tokens = await oauth.processRefreshTokenResponse(server, client, answer);
  await keep(env, shop, { ...known, refreshToken: tokens.refresh_token ?? known.refreshToken });
  return createStorefront({ baseUrl: shop, credential: tokens.access_token });
}
