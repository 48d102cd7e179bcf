import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The route of requests that match none, or that are refused before they are routed. */
export const UNMATCHED = "unmatched";

/**
 * Method and pattern of a request's route: "GET /api/v1/user/products/:id". Never what the client sent, so that there are as
 * many as the code has. A refused request has the route that would have answered it.
 */
export function routeOf(c: Context): string {
  const route = matchedRoutes(c).find(({ method }, index) => index >= c.req.routeIndex && method !== "ALL");
  if (route) return `${route.method} ${route.path}`;
  return c.req.method === "OPTIONS" ? "OPTIONS" : UNMATCHED;
}
