import type { Context, Next } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { AppEnv } from "../auth/app-env.ts";
import { type Caller, seesDrafts } from "../auth/caller.ts";
import { BOOKMARK_HEADER, database } from "../db/bookmark.ts";
import { connect } from "../db/client.ts";
import { inBackground, runToCompletion } from "../http/background.ts";
import { describeRoute } from "../http/route-description.ts";
import { isNotModified } from "../http/version.ts";
import { type BuiltResponse, copyOf, headersOf, PRIVATE_CACHE } from "./cached-response.ts";
import { cacheResponse, findCachedResponse, purgeResponses, shareResponse } from "./responses.ts";

/** What the gate and the validators of the route's line have set: the caller and the validated input. */
type CatalogueEnv = AppEnv & { Variables: { caller: Caller } };
type ValidatedInput = { out: { param: object; query: object } };

/**
 * Answers a read of the catalogue from a cached response of the last 30 s, else builds the response from any replica and
 * caches it. A request with a bookmark bypasses the cache, so that callers read what they wrote. It comes after the line's validators.
 */
export const catalogueCache = describeRoute(
  createMiddleware<CatalogueEnv, string, ValidatedInput>(async (c, next) => {
    if (c.req.header(BOOKMARK_HEADER)) return database(c, async () => void (await build(c, next)));
    const key = keyOf(c);
    const now = Date.now();
    const known = await findCachedResponse(key, now);
    if (known) {
      if (!known.isShared) inBackground(c, "share an answer of the catalogue", shareResponse(key, known));
      return withAge(notModified(c.req.raw, known) ?? copyOf(known), known, now);
    }
    c.set("db", connect(c.env.DB.withSession("first-unconstrained")));
    // Completed even if the client disconnects: other requests can use the response.
    const built = await runToCompletion(c, build(c, next));
    if (built) cacheResponse(key, { ...built, isShared: false });
  }),
  { cached: true },
);

/**
 * The cache key holds all that a response depends on: the host, what the caller may see, the route and the validated input, whose
 * fields stand in the order of their schema. So URLs that are spelt differently share a response only where the handler could not
 * tell them apart.
 */
function keyOf(c: Context<CatalogueEnv, string, ValidatedInput>): string {
  const view = seesDrafts(c.get("caller")) ? "all" : "active";
  const input = JSON.stringify([c.req.valid("param"), c.req.valid("query")]);
  const { url } = c.req;
  const origin = url.slice(0, url.indexOf("/", "https://".length));
  return `${origin}/.catalogue/${view}${routePath(c)}?${encodeURIComponent(input)}`;
}

/** The part of a Context that `build` needs, whatever variables a gate has added. */
type BuildContext = { req: { raw: Request }; get res(): Response; set res(answer: Response | undefined) };

/** Runs the handler and gives its response an ETag; null when it refused the request. */
async function build(c: BuildContext, next: Next): Promise<BuiltResponse | null> {
  const builtAt = Date.now();
  await next();
  if (c.res.status !== 200) return null;
  const body = await c.res.text();
  const built = { body, etag: await etagOf(body), link: c.res.headers.get("Link"), builtAt };
  c.res = undefined;
  c.res = notModified(c.req.raw, built) ?? new Response(body, { headers: headersOf(built) });
  return built;
}

async function etagOf(body: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return `"${Buffer.from(hash).toString("base64url").slice(0, 22)}"`;
}

/** Purges this data centre's cached responses after an administrator's write, so that shoppers see it at once. */
export const purgeCatalogueCache = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  await purgeResponses(new URL(c.req.url).origin, Date.now());
});

/** RFC 9111, section 5.1: whole seconds since the answer was built. */
function withAge(answer: Response, { builtAt }: BuiltResponse, now: number): Response {
  answer.headers.set("Age", String(Math.max(0, Math.floor((now - builtAt) / 1000))));
  return answer;
}

/** The response to whoever has the content already, else undefined. */
function notModified(request: Request, { etag }: BuiltResponse): Response | undefined {
  if (!isNotModified(request.headers, etag)) return undefined;
  return new Response(null, { status: 304, headers: { ETag: etag, ...PRIVATE_CACHE } });
}
