import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { log } from "./log.ts";
import { Trickle } from "./trickle.ts";

/** What a caller may name a request by; anything else is replaced. */
const REQUEST_ID = /^[\w\-=]{1,255}$/;

/** A name for every request, which its answer tells. */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header("X-Request-Id");
  const id = sent !== undefined && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
});

/** A flood of made-up credentials costs no I/O, so it does not cost a line each either. */
const madeUp = new Trickle(10);

/** One line per request. Of the address only the path: the query of a signed link opens a file. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  await next();
  const identity: AppEnv["Variables"]["identity"] | undefined = c.get("identity");
  const isMadeUp = c.res.status === 401 && identity === undefined && c.get("count") === undefined;
  const unlogged = isMadeUp ? madeUp.take(startedAt) : 0;
  if (unlogged === null) return;
  log("info", {
    request_id: c.get("requestId"),
    method: c.req.method,
    path: c.req.path,
    status: c.res.status,
    ms: Date.now() - startedAt,
    caller: identity?.kind ?? null,
    caller_id: identity && "id" in identity ? identity.id : null,
    ...(unlogged > 0 && { unlogged }),
  });
});
