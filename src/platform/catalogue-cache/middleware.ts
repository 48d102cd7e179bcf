import type { Context, Next } from "hono";
import { createMiddleware } from "hono/factory";
import { type Caller, seesDrafts } from "../auth/caller.ts";
import { type AppEnv, allowAnyone } from "../auth/gates.ts";
import { BOOKMARK_HEADER, database, openDatabase } from "../db/client.ts";
import { inBackground, runToCompletion } from "../http/background.ts";
import { describeRoute } from "../http/route-description.ts";
import { isNotModified } from "../http/version.ts";
import { type BuiltResponse, copyOf, headersOf, PRIVATE_CACHE } from "./memory-cache.ts";
import { cacheResponse, findCachedResponse, purgeResponses, shareResponse } from "./responses.ts";

/** The route's gate has set the caller. */
type CatalogueEnv = AppEnv & { Variables: { caller: Caller } };

/** Longer keys, which no storefront needs, bypass the cache, since keys of refused requests are remembered too. */
const MAX_KEY_LENGTH = 1_000;

/**
 * Serves a catalogue read from a response cached within 30 s, or builds it from any replica and caches it. Requests with a
 * bookmark bypass the cache, so that callers read their own writes. Runs before the line's validators: only accepted
 * responses are cached, so a cached URL need not be validated again.
 */
export const catalogueCache = describeRoute(
  createMiddleware<CatalogueEnv>(async (c, next) => {
    if (c.req.header(BOOKMARK_HEADER)) return database(c, async () => void (await build(c, next)));
    const key = keyOf(c);
    const now = Date.now();
    const isCacheable = key.length <= MAX_KEY_LENGTH;
    const known = isCacheable && (await findCachedResponse(key, now));
    c.set("cache", known ? "hit" : "miss");
    if (known) {
      if (!known.isShared) inBackground(c, "share an answer of the catalogue", shareResponse(key, known));
      return withAge(notModified(c.req.raw, known) ?? copyOf(known), known, now);
    }
    c.set("db", await openDatabase(c.env.DB.withSession("first-unconstrained")));
    // Completed even if the client disconnects, because other requests can use the response.
    const built = await runToCompletion(c, build(c, next));
    if (built && isCacheable) cacheResponse(key, { ...built, isShared: false });
  }),
  { cached: true },
);

/** The cache key includes everything that a response depends on: the caller's access and the URL. */
function keyOf(c: Context<CatalogueEnv>): string {
  const view = seesDrafts(c.get("caller")) ? "all" : "active";
  const { url } = c.req;
  const path = url.indexOf("/", "https://".length);
  return `${url.slice(0, path)}/.catalogue/${view}${url.slice(path)}`;
}

/** The part of a Context that `build` needs, with any variables of gates. */
type BuildContext = { req: { raw: Request }; get res(): Response; set res(answer: Response | undefined) };

/** Runs the handler and adds an ETag. Null if the handler refused the request. */
async function build(c: BuildContext, next: Next): Promise<BuiltResponse | null> {
  const builtAt = Date.now();
  await next();
  if (c.res.status !== 200) return null;
  // As bytes, which are hashed, sent and cached without being decoded and encoded again.
  const body = await c.res.arrayBuffer();
  const built = { body, etag: await etagOf(body), link: c.res.headers.get("Link"), builtAt };
  c.res = undefined;
  c.res = notModified(c.req.raw, built) ?? new Response(body, { headers: headersOf(built) });
  return built;
}

async function etagOf(body: ArrayBuffer): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", body);
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

/** Purges this data centre's cached responses after an administrator's write, so that shoppers see it immediately. */
export const purgeCatalogueCache = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  await purgeResponses(new URL(c.req.url).origin, Date.now());
});

/** RFC 9111, section 5.1: whole seconds since the response was built. */
function withAge(answer: Response, { builtAt }: BuiltResponse, now: number): Response {
  answer.headers.set("Age", String(Math.max(0, Math.floor((now - builtAt) / 1000))));
  return answer;
}

/** The 304 response if the client has the current content, otherwise undefined. */
function notModified(request: Request, { etag }: BuiltResponse): Response | undefined {
  if (!isNotModified(request.headers, etag)) return undefined;
  return new Response(null, { status: 304, headers: { ETag: etag, ...PRIVATE_CACHE } });
}

/** Admits everyone who may read the catalogue, including callers without a credential if it is public. */
export const allowShoppers = allowAnyone("products:read", ({ publicCatalog }) =>
  publicCatalog ? "anonymous" : undefined,
);
