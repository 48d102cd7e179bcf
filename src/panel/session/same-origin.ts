import { createMiddleware } from "hono/factory";
import { forbidden } from "../../domain/errors.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";

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
