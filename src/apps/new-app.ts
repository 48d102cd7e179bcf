import { tracing } from "cloudflare:workers";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed as answerOtherMethods } from "hono/method-not-allowed";
import { type ApiError, methodNotAllowed, notFound } from "../domain/errors.ts";
import { isPartOfAnother } from "../platform/auth/authenticate.ts";
import { type Caller, callerName } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { announceEnd } from "../platform/http/deprecations.ts";
import { failure } from "../platform/http/envelope.ts";
import { finishRequest, startRequest } from "../platform/http/log.ts";
import { onError } from "../platform/http/on-error.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { recordRequest, routeOf } from "../platform/metrics/record.ts";
import { setRateLimitHeaders } from "../platform/rate-limit/limiter.ts";
import { readSettings } from "../platform/settings/settings.ts";

type Refuse = (c: Context<AppEnv>, error: ApiError) => Response | Promise<Response>;

/** For apps that any origin may call: the preflight response and the headers of all others. */
type CrossOrigin = { preflight: MiddlewareHandler; setHeaders: (headers: Headers) => void };

/** The base of every app: requests get an id and a log line, and `refuse` writes error responses. */
export function newApp(refuse: Refuse, crossOrigin?: CrossOrigin): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const orOtherMethods = answerOtherMethods({
    app,
    onMethodNotAllowed: (c, allowed) => refuse(c, methodNotAllowed(allowed)),
  });
  app.onError(onError(refuse));
  app.notFound(async (c) => {
    c.res = await refuse(c, notFound("This address"));
    await orOtherMethods(c, async () => undefined);
    return c.res;
  });
  return app.use(everyRequest(crossOrigin));
}

/** An app for API clients. */
export const newApi = (): Hono<AppEnv> => newApp(failure, { preflight, setHeaders: setSecurityHeaders });

/**
 * One middleware instead of several, because each costs every request a few promises. It changes the finished response:
 * headers set earlier or by `c.header` would cost a copy of it each.
 */
const everyRequest = (crossOrigin?: CrossOrigin) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const request = startRequest(c.req.raw);
    c.set("requestId", request.id);
    const span = tracedRequest(request.id);
    const allowed = c.req.method === "OPTIONS" && (await crossOrigin?.preflight(c, next));
    if (allowed) c.res = allowed;
    else await next();
    const count = c.get("count");
    if (count) setRateLimitHeaders(c.res.headers, count);
    crossOrigin?.setHeaders(c.res.headers);
    finishRequest(request, c);
    if (isPartOfAnother(c.req.raw)) return;
    const route = routeOf(c);
    announceEnd(c.res.headers, route);
    span?.updateName(route);
    countRequest(route, request.startedAt, c);
  });

/** Counts keys apart, and people together. The identity is unset if the credential was refused. */
function countRequest(route: string, at: number, c: Context<AppEnv>): void {
  const identity: Caller | undefined = c.get("identity");
  recordRequest(c, {
    caller: identity?.kind === "api_key" ? callerName(identity) : (identity?.kind ?? "anonymous"),
    route,
    status: c.res.status,
    at,
    ms: Date.now() - at,
    cache: c.get("cache") ?? "none",
    request: c.req.raw,
  });
}

/** For apps without `authenticate`, which reads the settings itself. */
export const settings = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  await next();
});

/**
 * The span of the whole request, under which the platform puts those of D1, R2, Durable Objects and `fetch`. Undefined unless
 * the request is traced.
 */
function tracedRequest(requestId: string): ReturnType<typeof tracing.getActiveSpan> {
  const span = tracing.getActiveSpan();
  if (!span?.isTraced) return undefined;
  return span.setAttribute("request_id", requestId);
}
