import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { tooLarge, unsupportedCoding, unsupportedMediaType } from "../errors.ts";

// How we speak HTTP whatever the route: headers on every answer, rules for every body.

const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Cache-Control",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "Range",
    "X-Cart-Token",
    "X-Client-Address",
    "X-D1-Bookmark",
    "X-Request-Id",
    // Nothing here reads them, but a browser sends nothing at all when one is not allowed: XMLHttpRequest wrappers and tracing.
    "X-Requested-With",
    "baggage",
    "sentry-trace",
    "traceparent",
    "tracestate",
  ],
  maxAge: 86_400,
});

/** Half a year. Of this host alone: those below it may be somebody else's. */
export const HTTPS_ALONE = "max-age=15552000";

/** What says the same on every answer that is no page. */
const FOR_ALL = Object.entries({
  // Any origin: a credential is a header that a script has to hold, never a cookie that a browser would send along.
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "*",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": HTTPS_ALONE,
  "X-Content-Type-Options": "nosniff",
});

/**
 * Sets those headers, and whose the answer is: the caller's who asked, unless it says otherwise. Each costs a call into the
 * runtime, so an answer that is kept is kept with them.
 */
export function dress(headers: Headers): void {
  if (headers.has("Access-Control-Allow-Origin")) return;
  for (const [name, value] of FOR_ALL) headers.set(name, value);
  if (headers.has("Cache-Control")) headers.append("Vary", "Authorization");
  else headers.set("Cache-Control", "no-store");
}

/** The answer that is there is dressed: set before, or by `c.header`, headers would cost a copy of it each. */
export const answersForPrograms = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "OPTIONS") return preflight(c, next);
  await next();
  dress(c.res.headers);
});

const MAX_JSON_BYTES = 1024 * 1024;

export const jsonLimit = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw tooLarge(MAX_JSON_BYTES, "1 MB");
  },
});

/** A compressed body would be read as one that is malformed. */
export const plainBodies = createMiddleware<AppEnv>(async (c, next) => {
  const coding = c.req.header("Content-Encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity" && c.req.raw.body !== null) throw unsupportedCoding();
  await next();
});

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * A body of another type would be read as an empty one, and its fields be called missing. An empty one is none, whatever
 * type the client always sends along.
 */
export const jsonBodies = createMiddleware<AppEnv>(async (c, next) => {
  const type = c.req.header("Content-Type");
  const isEmpty = c.req.raw.body === null || (await c.req.text()) === "";
  if (!isEmpty && !JSON_TYPE.test(type ?? "")) throw unsupportedMediaType("application/json");
  if (isEmpty && type !== undefined) c.req.raw = withoutType(c.req.raw);
  await next();
});

function withoutType({ url, method, headers, signal }: Request): Request {
  const typeless = new Headers(headers);
  typeless.delete("Content-Type");
  return new Request(url, { method, headers: typeless, signal });
}
