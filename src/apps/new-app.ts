import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed as answerOtherMethods } from "hono/method-not-allowed";
import type { AppEnv } from "../auth/app-env.ts";
import { type ApiError, methodNotAllowed, notFound } from "../errors.ts";
import { failure } from "../http/envelope.ts";
import { onError } from "../http/on-error.ts";
import { requestLog } from "../http/request-log.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { rateLimitHeaders } from "../rate-limit/headers.ts";
import { readSettings } from "../settings/settings.ts";

type Refuse = (c: Context<AppEnv>, error: ApiError) => Response | Promise<Response>;

/** What all apps share: a request has an id and a line in the log, and `refuse` writes the error response. */
export function newApp(refuse: Refuse): Hono<AppEnv> {
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
  return app.use(requestLog, rateLimitHeaders);
}

/** An app for programs. */
export const newApi = (): Hono<AppEnv> => newApp(failure).use(securityHeaders);

export const settings = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  await next();
});
