import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../env.ts";
import { tooLarge, unsupportedMediaType } from "../errors.ts";

// How we speak HTTP whatever the route: headers on every answer, rules for every body.

/** Any origin: a credential is a header that a script has to hold, never a cookie that a browser would send along. */
export const crossOrigin = (alsoExposed: string[]) =>
  cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
      "If-Range",
      "Range",
      "X-Cart-Token",
      "X-D1-Bookmark",
      "X-Request-Id",
    ],
    exposeHeaders: [
      ...alsoExposed,
      "Accept-Ranges",
      "Allow",
      "Content-Disposition",
      "Content-Range",
      "ETag",
      "Idempotent-Replayed",
      "Link",
      "Retry-After",
      "WWW-Authenticate",
      "X-Cart-Token",
      "X-Request-Id",
    ],
    maxAge: 86_400,
  });

export const safeHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  crossOriginResourcePolicy: "cross-origin",
  xFrameOptions: "DENY",
});

/** An answer belongs to the caller who asked, unless the route says otherwise. */
export const privateAnswers = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  c.header("Vary", "Authorization", { append: true });
});

const MAX_JSON_BYTES = 1024 * 1024;

export const jsonLimit = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw tooLarge("1 MB");
  },
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
