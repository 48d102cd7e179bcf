import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { STRICT_TRANSPORT_SECURITY } from "../platform/http/security-headers.ts";

/** Pages take script, style and answers from this deployment alone, and nothing may be written into a page itself. */
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
  // With no referrer at all a form would be sent with the origin "null", which is nobody's.
  referrerPolicy: "same-origin",
  xFrameOptions: "DENY",
});

/** A page belongs to who is signed in, and to this moment. */
export const privatePages = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
});

/** The HTML of an e-mail brings its style along, and neither script nor images. */
export const previewHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
});
