import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { forbidden } from "../domain/errors.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { jsonLimit } from "../platform/http/body-parsing.ts";
import { STRICT_TRANSPORT_SECURITY } from "../platform/http/security-headers.ts";

/** Pages load scripts, styles and data only from this deployment, and inline code is forbidden. */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "https:", "data:"],
    connectSrc: ["'self'"],
    frameSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  crossOriginResourcePolicy: "same-origin",
  strictTransportSecurity: STRICT_TRANSPORT_SECURITY,
  // Without a referrer, forms would be sent with the origin "null".
  referrerPolicy: "same-origin",
  xFrameOptions: "DENY",
});

/** Pages are private and not cached. */
export const privatePages = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
});

/** The HTML of an e-mail includes its style, and no scripts. The panel frames it. */
export const previewHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; frame-ancestors 'self'",
  );
  c.header("X-Frame-Options", "SAMEORIGIN");
  // Its sandbox has another origin, for which the browser cannot apply the header.
  c.header("Origin-Agent-Cluster", undefined);
});

const READS = ["GET", "HEAD"];

/**
 * Refuses writes that another site's or host's page makes a browser send, whatever their method and type, so that uploads are
 * covered like forms.
 */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const isOwn =
    c.req.header("Sec-Fetch-Site") === "same-origin" || c.req.header("Origin") === new URL(c.req.url).origin;
  if (!isOwn && !READS.includes(c.req.method))
    throw forbidden("cross_site_request", "The request came from another site");
  await next();
});

const OF_FILES = /^(multipart\/form-data|application\/octet-stream)/i;

/** A form is at most as large as an API request; forms with files limit themselves. */
export const formLimit = createMiddleware((c, next) =>
  OF_FILES.test(c.req.header("Content-Type") ?? "") ? next() : jsonLimit(c, next),
);
