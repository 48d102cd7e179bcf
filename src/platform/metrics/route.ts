import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The route of requests that match none, or that are refused before they are routed. */
export const UNMATCHED = "unmatched";

type Route = ReturnType<typeof matchedRoutes>[number];

const names = new WeakMap<Route, string>();

/**
 * Method and pattern of a request's route: "GET /api/v1/user/products/{id}". Never what the client sent, so that there are as
 * many as the code has. A refused request has the route that would have answered it.
 */
export function routeOf(c: Context): string {
  const route = matchedRoutes(c).find(({ method }, index) => index >= c.req.routeIndex && method !== "ALL");
  if (route) return names.get(route) ?? nameOf(route);
  return c.req.method === "OPTIONS" ? "OPTIONS" : UNMATCHED;
}

/** Writes parameters as the API's reference does. */
function nameOf(route: Route): string {
  const name = `${route.method} ${route.path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`;
  names.set(route, name);
  return name;
}
