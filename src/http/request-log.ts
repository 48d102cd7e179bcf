import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { log } from "./log.ts";
import { Trickle } from "./trickle.ts";

/** What a caller may name a request by; anything else is replaced. */
const REQUEST_ID = /^[\w\-=]{1,255}$/;

/** What a request is called: as its sender says, or else a name of ours. */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get("X-Request-Id");
  return sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
}

/** A name for every request, which its answer tells. */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  const id = requestIdOf(c.req.raw.headers);
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
});

/** A line costs as much as the answer of a busy catalogue: beyond so many a second each stands for several. */
export const lines = new Trickle(100);

/** One line per request. Of the address only the path: the query of a signed link opens a file. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  await next();
  const identity: AppEnv["Variables"]["identity"] | undefined = c.get("identity");
  const unlogged = lines.take(startedAt);
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
