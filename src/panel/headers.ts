import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { STRICT_TRANSPORT_SECURITY } from "../platform/http/security-headers.ts";

/** Pages load scripts, styles and data only from this deployment, and inline code is forbidden. */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "https:", "data:"],
    connectSrc: ["'self'"],
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

/** The HTML of an e-mail includes its style, and neither scripts nor images. */
export const previewHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
});
