import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { forBuyers } from "../apps/follow-events.ts";
import { newApp } from "../apps/new-app.ts";
import { paymentOptions, readConnectedProviders, readPaymentSettings } from "../checkout/payments/settings.ts";
import { notFound } from "../domain/errors.ts";
import { type AgentRules, requireOpen } from "../integrations/agents/agents.ts";
import { type AppEnv, countAgentAddress } from "../platform/auth/gates.ts";
import { bodyText } from "../platform/http/body-parsing.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { withResourceMetadata } from "../platform/http/token-resources.ts";
import { validate } from "../platform/http/validate.ts";
import { requiredScopes } from "./identity.ts";
import { IDENTITY_LINKING, type VersionMapping } from "./mapping.ts";
import { isCreation, type Operation, operations, perform } from "./operations.ts";
import { paymentHandlers } from "./payment.ts";
import { hasPermalinks, openPermalink, PERMALINK_PATH } from "./permalink.ts";
import { mappings, toUcpRefusal, UCP_MCP_PATH, UCP_PATH, type UcpContext, ucpContextOf } from "./protocol.ts";

// The REST binding of the Universal Commerce Protocol, and the shop's profile.

export const ucpApp = newApp(
  (c, error) =>
    c.json(
      toUcpRefusal(error, Reflect.get(c.var, "ucp")),
      error.status as ContentfulStatusCode,
      withResourceMetadata(error.headers, c.req.url),
    ),
  { preflight, setHeaders: setSecurityHeaders },
);

ucpApp.use(countAgentAddress, ...forBuyers);

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
  const { access } = await requireOpen(db);
  const ucp = await profileOf({ db, settings, origin: new URL(c.req.url).origin, mapping, access });
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

for (const operation of operations) {
  const [method = "", path = ""] = operation.route.split(" ");
  const parsers: MiddlewareHandler[] = Object.values(operation.takes ?? {}).map((schema) => validate("json", schema));
  ucpApp.on(method, [UCP_PATH + path], agents, ...parsers, (c: Context<UcpEnv>) => answer(c, operation));
}

/** A key belongs to the whole body of its request, including members that the shop ignores. */
async function answer(c: Context<UcpEnv>, operation: Operation) {
  const request = {
    key: c.req.header("Idempotency-Key"),
    operation: `${c.req.method} ${c.req.path}`,
    input: await bodyText(c.req, "invalid_json"),
  };
  const read = () => ({ id: c.req.param("id") ?? "", input: c.req.valid("json" as never) });
  const { answer, isReplayed } = await perform(c.var.ucp, operation, read, request);
  const isNew = isCreation(operation) && "id" in answer;
  return c.json(answer, isNew ? 201 : 200, isReplayed ? { "Idempotent-Replayed": "true" } : {});
}

ucpApp.get(PERMALINK_PATH, openPermalink).get(`${PERMALINK_PATH}/:items`, openPermalink);

type ProfileContext = Pick<UcpContext, "db" | "settings" | "origin" | "mapping"> & Pick<AgentRules, "access">;

async function profileOf(ctx: ProfileContext) {
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
function permalinks({ mapping: { version }, origin, access }: ProfileContext) {
  if (!hasPermalinks(access) || version !== newest.version || !origin.startsWith("https:")) return {};
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
