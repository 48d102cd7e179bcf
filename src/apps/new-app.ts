import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed as answerOtherMethods } from "hono/method-not-allowed";
import { type ApiError, methodNotAllowed, notFound } from "../domain/errors.ts";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { failure } from "../platform/http/envelope.ts";
import { finishRequest, startRequest } from "../platform/http/log.ts";
import { onError } from "../platform/http/on-error.ts";
import { preflight, setSecurityHeaders } from "../platform/http/security-headers.ts";
import { setRateLimitHeaders } from "../platform/rate-limit/headers.ts";
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
    const allowed = c.req.method === "OPTIONS" && (await crossOrigin?.preflight(c, next));
    if (allowed) c.res = allowed;
    else await next();
    const count = c.get("count");
    if (count) setRateLimitHeaders(c.res.headers, count);
    crossOrigin?.setHeaders(c.res.headers);
    finishRequest(request, c);
  });

/** For apps without `authenticate`, which reads the settings itself. */
export const settings = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  await next();
});
