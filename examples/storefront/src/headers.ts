import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./env.ts";

/** Pages hold neither script nor style; downloads are the API's. What a shopper sees is theirs alone. */
export const headers = createMiddleware<AppEnv>(async (c, next) => {
  const api = new URL(c.env.API_URL).origin;
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      // A product's images may be on any host: that host sees no Referer, and http: is refused.
      imgSrc: ["'self'", api, "https:"],
      // A form that asks for a download is answered with a link to the API.
      formAction: ["'self'", api],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    // With no referrer at all a form would be sent with the origin "null", which is nobody's.
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
  });
  await secure(c, next);
  c.header("Cache-Control", "no-store");
});
