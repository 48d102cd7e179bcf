import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./env.ts";

/**
 * Security headers. Pages load only the shop's own script files and no inline style, and are never cached, because each
 * belongs to one shopper.
 */
export const headers = createMiddleware<AppEnv>(async (c, next) => {
  const api = new URL(c.env.API_URL).origin;
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      // Product images can be on any host, over https only. That host gets no Referer.
      imgSrc: ["'self'", api, "https:"],
      // A download form redirects to a link of the API.
      formAction: ["'self'", api],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    // With no-referrer, browsers send forms with the origin "null", which the CSRF check refuses.
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
  });
  await secure(c, next);
  c.header("Cache-Control", "no-store");
});
