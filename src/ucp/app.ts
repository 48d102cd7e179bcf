import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { followWrites } from "../apps/follow-events.ts";
import { newApp } from "../apps/new-app.ts";
import { readShop } from "../back-office/shop/shop.ts";
import { paymentOptions, readConnectedProviders, readPaymentSettings } from "../checkout/payments/settings.ts";
import { notFound } from "../domain/errors.ts";
import type { AgentAccess } from "../integrations/agents/tables.ts";
import { authenticate, authenticateLateBody } from "../platform/auth/authenticate.ts";
import { type AppEnv, countAgentAddress } from "../platform/auth/gates.ts";
import { database } from "../platform/db/client.ts";
import { bodyText, jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { withResourceMetadata } from "../platform/http/token-resources.ts";
import { validate } from "../platform/http/validate.ts";
import { cancelCart, createCart, getCart, updateCart } from "./cart.ts";
import { getProduct, lookupCatalog, searchCatalog } from "./catalog.ts";
import { cancelCheckout, completeCheckout, createCheckout, getCheckout, updateCheckout } from "./checkout.ts";
import { forShopper, requiredScopes } from "./identity.ts";
import { IDENTITY_LINKING, type VersionMapping } from "./mapping.ts";
import { getOrder } from "./order.ts";
import { paymentHandlers } from "./payment.ts";
import { hasPermalinks, openPermalink, PERMALINK_PATH } from "./permalink.ts";
import {
  incompatible,
  mappings,
  offers,
  type RootCapability,
  toUcpRefusal,
  UCP_MCP_PATH,
  UCP_PATH,
  type UcpContext,
  ucpContextOf,
} from "./protocol.ts";
import { remembered } from "./remembered.ts";
import {
  CompleteCheckout,
  CreateCheckout,
  GetProduct,
  LookupCatalog,
  SearchCatalog,
  UpdateCart,
  UpdateCheckout,
} from "./requests.ts";

// The REST binding of the Universal Commerce Protocol. Its operations are functions of a context and an input, which other
// bindings call as well.

export const ucpApp = newApp(
  (c, error) =>
    c.json(
      toUcpRefusal(error, Reflect.get(c.var, "ucp")),
      error.status as ContentfulStatusCode,
      withResourceMetadata(error.headers, c.req.url),
    ),
  { preflight, setHeaders: setSecurityHeaders },
);

ucpApp.use(
  countAgentAddress,
  authenticate,
  plainBodies,
  jsonLimit,
  jsonBodies,
  authenticateLateBody,
  database,
  followWrites,
);

type UcpEnv = AppEnv & { Variables: { ucp: UcpContext } };

const [newest, ...older] = mappings;

const PROFILE = "/.well-known/ucp";

ucpApp.get(PROFILE, (c) => {
  const profiles = older.map(({ version }) => [version, new URL(`${PROFILE}/${version}`, c.req.url).href]);
  return profile(c, newest, { supported_versions: Object.fromEntries(profiles) });
});

ucpApp.get(`${PROFILE}/:version`, (c) => {
  const mapping = older.find(({ version }) => version === c.req.param("version"));
  if (!mapping) throw notFound("This address");
  return profile(c, mapping, {});
});

/** The document in which an agent finds the shop's capabilities at a version. */
async function profile(c: Context<AppEnv>, mapping: VersionMapping, more: object) {
  const { db, settings } = c.var;
  const { agentAccess } = await readShop(db, settings.email);
  if (agentAccess === "off") throw notFound("This address");
  const ucp = await profileOf({ db, settings, origin: new URL(c.req.url).origin, mapping, agentAccess });
  // Each version has another name for the keys.
  const { published: keys } = settings.signingKeys;
  const document = { ucp: { ...ucp, ...more }, keys, signing_keys: keys };
  return c.json(document, 200, { "Cache-Control": "public, max-age=300" });
}

/** Admits the request's agent before its input is validated. */
const agents = createMiddleware<UcpEnv>(async (c, next) => {
  c.set("ucp", await ucpContextOf(c));
  await next();
});

/** Runs an operation of a capability that the agent and the shop share. */
async function answer(c: Context<UcpEnv>, root: RootCapability, run: (ctx: UcpContext) => Promise<object>) {
  const ctx = await forShopper(c.var.ucp, root);
  return c.json(offers(ctx.capabilities, root) ? await run(ctx) : incompatible(ctx, root), 200);
}

/**
 * Runs an operation that writes, once per Idempotency-Key. A key belongs to its whole body, including members that the shop
 * ignores. A response with an id is for a new resource.
 */
async function write(c: Context<UcpEnv>, root: RootCapability, run: (ctx: UcpContext) => Promise<object>) {
  const ctx = await forShopper(c.var.ucp, root);
  if (!offers(ctx.capabilities, root)) return c.json(incompatible(ctx, root), 200);
  const request = {
    key: c.req.header("Idempotency-Key"),
    operation: `${c.req.method} ${c.req.path}`,
    input: await bodyText(c.req, "invalid_json"),
  };
  const { answer, isReplayed } = await remembered(ctx, request, run);
  const isNew = c.req.method === "POST" && CREATING.has(c.req.path) && "id" in answer;
  return c.json(answer, isNew ? 201 : 200, isReplayed ? { "Idempotent-Replayed": "true" } : {});
}

const CATALOG = `${UCP_PATH}/catalog`;
const CARTS = `${UCP_PATH}/carts`;
const SESSIONS = `${UCP_PATH}/checkout-sessions`;
const CREATING: ReadonlySet<string> = new Set([CARTS, SESSIONS]);

ucpApp
  .post(`${CATALOG}/search`, agents, validate("json", SearchCatalog), (c) =>
    answer(c, "catalog.search", (ctx) => searchCatalog(ctx, c.req.valid("json"))),
  )
  .post(`${CATALOG}/lookup`, agents, validate("json", LookupCatalog), (c) =>
    answer(c, "catalog.lookup", (ctx) => lookupCatalog(ctx, c.req.valid("json"))),
  )
  .post(`${CATALOG}/product`, agents, validate("json", GetProduct), (c) =>
    answer(c, "catalog.lookup", (ctx) => getProduct(ctx, c.req.valid("json"))),
  );

ucpApp
  .post(CARTS, agents, validate("json", UpdateCart), (c) =>
    write(c, "cart", (ctx) => createCart(ctx, c.req.valid("json"))),
  )
  .get(`${CARTS}/:id`, agents, (c) => answer(c, "cart", (ctx) => getCart(ctx, c.req.param("id"))))
  .put(`${CARTS}/:id`, agents, validate("json", UpdateCart), (c) =>
    write(c, "cart", (ctx) => updateCart(ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .post(`${CARTS}/:id/cancel`, agents, (c) => write(c, "cart", (ctx) => cancelCart(ctx, c.req.param("id"))));

ucpApp
  .post(SESSIONS, agents, validate("json", CreateCheckout), (c) =>
    write(c, "checkout", (ctx) => createCheckout(ctx, c.req.valid("json"))),
  )
  .get(`${SESSIONS}/:id`, agents, (c) => answer(c, "checkout", (ctx) => getCheckout(ctx, c.req.param("id"))))
  .put(`${SESSIONS}/:id`, agents, validate("json", UpdateCheckout), (c) =>
    write(c, "checkout", (ctx) => updateCheckout(ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .post(`${SESSIONS}/:id/complete`, agents, validate("json", CompleteCheckout), (c) =>
    write(c, "checkout", (ctx) => completeCheckout(ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .post(`${SESSIONS}/:id/cancel`, agents, (c) => write(c, "checkout", (ctx) => cancelCheckout(ctx, c.req.param("id"))));

ucpApp.get(`${UCP_PATH}/orders/:id`, agents, (c) => answer(c, "order", (ctx) => getOrder(ctx, c.req.param("id"))));

ucpApp.get(PERMALINK_PATH, openPermalink).get(`${PERMALINK_PATH}/:items`, openPermalink);

type Profiled = Pick<UcpContext, "db" | "settings" | "origin" | "mapping"> & { agentAccess: AgentAccess };

async function profileOf(ctx: Profiled) {
  const [{ methods }, connected] = await Promise.all([readPaymentSettings(ctx.db), readConnectedProviders(ctx)]);
  const { version, capabilities } = ctx.mapping;
  const root = `https://ucp.dev/${version}`;
  const spec = `${root}/specification/overview`;
  const service = (transport: string, schema: string, path: string) => ({
    version,
    spec,
    transport,
    schema: `${root}/services/shopping/${schema}`,
    endpoint: ctx.origin + path,
  });
  return {
    version,
    services: {
      "dev.ucp.shopping": [
        service("rest", "rest.openapi.json", UCP_PATH),
        service("mcp", "mcp.openrpc.json", UCP_MCP_PATH),
      ],
    },
    capabilities: {
      ...Object.fromEntries(Object.entries(capabilities).map((entry) => declared(ctx.mapping, entry))),
      ...permalinks(ctx),
    },
    payment_handlers: paymentHandlers({ ...ctx, userId: null }, paymentOptions(methods, connected)),
  };
}

/** Older versions have no permalinks, which need https. */
function permalinks({
  mapping: { version },
  origin,
  agentAccess,
}: Pick<Profiled, "mapping" | "origin" | "agentAccess">) {
  if (!hasPermalinks(agentAccess) || version !== newest.version || !origin.startsWith("https:")) return {};
  const root = `https://ucp.dev/${version}`;
  const [spec, schema] = [`${root}/specification/permalink`, `${root}/schemas/shopping/permalink.json`];
  return { "dev.ucp.shopping.permalink": [{ version, spec, schema, config: { endpoint: origin + PERMALINK_PATH } }] };
}

function declared({ version, pages }: VersionMapping, [name, parents]: [string, readonly string[]]) {
  const [, area = "", path = ""] = /^dev\.ucp\.(\w+)\.(.*)$/.exec(name) ?? [];
  const [parent, ...others] = parents;
  const root = `https://ucp.dev/${version}`;
  const entry = {
    version,
    spec: `${root}/specification/${parent === undefined ? pages(area) : ""}${path.replaceAll(/[._]/g, (mark) => (mark === "." ? "/" : "-"))}`,
    schema: `${root}/schemas/${area}/${path.replaceAll(".", "_")}.json`,
    ...(parent !== undefined && { extends: others.length > 0 ? parents : parent }),
    ...(name === IDENTITY_LINKING && { config: { scopes: requiredScopes } }),
  };
  return [name, [entry]];
}
