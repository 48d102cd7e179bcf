import { createMiddleware } from "hono/factory";

/** The HTML of an e-mail brings its style along, and neither script nor images. */
export const previewHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
});
