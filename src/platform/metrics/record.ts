import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { inBackground } from "../http/background.ts";
import { readSettings } from "../settings/settings.ts";
import { type AnsweredRequest, UnwrittenCounts } from "./counts.ts";

/** A flush runs at most this long after the request that asked for it: waitUntil ends then. */
const LONGEST_MS = 30_000;

const unwritten = new UnwrittenCounts();
let askedAt = Number.NEGATIVE_INFINITY;

type RequestRecord = AnsweredRequest & {
  cache: "hit" | "miss" | "none";
  request: Request;
};

type RecordContext = { env: Env } & Pick<Context, "executionCtx">;

/**
 * Counts a request in memory, to be written some seconds later, and sends it to Analytics Engine if the deployment has
 * it. Neither delays the response.
 */
export function recordRequest(c: RecordContext, request: RequestRecord): void {
  unwritten.add(request);
  c.env.METRICS?.writeDataPoint(dataPointOf(c.env, request));
  if (request.at - askedAt < LONGEST_MS) return;
  const seconds = flushSecondsOf(c.env);
  if (seconds === 0) return;
  askedAt = request.at;
  inBackground(c, "write the counts of requests", flushLater(c.env, seconds));
}

async function flushLater(env: Env, seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  askedAt = Number.NEGATIVE_INFINITY;
  await flushRequestCounts(env);
}

/** Writes the counts of this isolate now. */
export async function flushRequestCounts(env: Env): Promise<void> {
  const { flushCounts } = await import("./flush.ts");
  await flushCounts(env, unwritten);
}

/** Invalid settings are reported by the app. */
function flushSecondsOf(env: Env): number {
  try {
    return readSettings(env).requestFlushSeconds;
  } catch {
    return 0;
  }
}

/** docs/metrics.md describes each column. */
function dataPointOf(env: Env, { caller, route, status, ms, cache, request }: RequestRecord): AnalyticsEngineDataPoint {
  const [kind = caller, id = ""] = caller.split(":");
  return {
    indexes: [caller],
    blobs: [route, String(status), cache, coloOf(request), kind, id, env.VERSION.id],
    doubles: [status, ms],
  };
}

/** The data centre that answered, by its airport code, as reported by the platform. */
const coloOf = ({ cf }: Request): string => (typeof cf?.colo === "string" ? cf.colo : "");

/** The route of requests that match none, or that are refused before they are routed. */
export const UNMATCHED = "unmatched";

type Route = ReturnType<typeof matchedRoutes>[number];

const names = new WeakMap<Route, string>();

/**
 * Method and pattern of a request's route: "GET /api/v1/user/products/{id}". Never client input, so that the number of
 * routes is fixed. A refused request has the route that would have answered it.
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
