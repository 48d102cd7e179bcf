import { cors } from "hono/cors";
import { NEWEST_VERSION, VERSION_HEADER } from "./api-versions.ts";

/** Answers preflight requests of browsers. */
export const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
  allowHeaders: [
    "API-Version",
    "Authorization",
    "Cache-Control",
    "Content-Digest",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Range",
    "Signature",
    "Signature-Input",
    "UCP-Agent",
    "X-Cart-Token",
    "X-Client-Address",
    "X-Client-User-Agent",
    "X-D1-Bookmark",
    "X-Request-Id",
    // Not used here, but XMLHttpRequest wrappers and tracing add it, and a browser sends no request at all if a header
    // is not allowed.
    "X-Requested-With",
    "baggage",
    "sentry-trace",
    "traceparent",
    "tracestate",
  ],
  maxAge: 86_400,
});

/** Half a year, for this host only: its subdomains may belong to someone else. */
export const STRICT_TRANSPORT_SECURITY = "max-age=15552000";

/** Headers of every response except pages of the panel. */
const SECURITY_HEADERS = Object.entries({
  // Any origin: credentials are headers that a script must hold, never cookies that a browser sends along.
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "*",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY,
  "X-Content-Type-Options": "nosniff",
});

/**
 * Sets the security headers, and `Cache-Control: no-store` and the newest version of the API if unset. Each header costs a call into the runtime, so cached
 * responses are stored with them.
 */
export function setSecurityHeaders(headers: Headers): void {
  if (headers.has("Access-Control-Allow-Origin")) return;
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
  if (!headers.has(VERSION_HEADER)) headers.set(VERSION_HEADER, NEWEST_VERSION);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
