import { app } from "../../src/app.ts";
import { type RouteDescription, routeDescriptionOf } from "../../src/platform/http/route-description.ts";

/** A route with everything that it declares. */
export type Route = { method: string; path: string; reads: NonNullable<RouteDescription["reads"]> } & Omit<
  RouteDescription,
  "reads"
>;

/** The API's routes in mounting order. */
export async function routes(): Promise<Route[]> {
  const lines = Map.groupBy(
    (await app.routes()).filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/v1/")),
    ({ method, path }) => `${method} ${path}`,
  );
  return [...lines.values()].map((parts) => {
    const [{ method, path } = { method: "", path: "" }] = parts;
    const terms = parts.map(({ handler }) => routeDescriptionOf(handler));
    return {
      ...Object.assign({}, ...terms),
      method: method.toLowerCase(),
      path: path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}"),
      reads: terms.flatMap(({ reads }) => reads ?? []),
    };
  });
}
