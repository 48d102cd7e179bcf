import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import type { Count } from "./limiter.ts";

/** Seconds until there is more quota: what `t`, `Retry-After` and the reset all say. */
export const secondsToReset = ({ quota }: Count): number => Math.ceil(quota.resetMs / 1000);

/** draft-ietf-httpapi-ratelimit-headers, and the older X- names that most clients know. Epoch seconds in the reset. */
function headersOf(count: Count, now: number): Record<string, string> {
  const { limit, remaining, resetMs } = count.quota;
  return {
    "RateLimit-Policy": `"${count.policy}";q=${limit};w=60`,
    RateLimit: `"${count.policy}";r=${remaining};t=${secondsToReset(count)}`,
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil((now + resetMs) / 1000)),
  };
}

/** Tells a counted caller what is left, on every answer: also 304, 4xx and 429. */
export const tellQuota = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const count = c.get("count");
  if (!count) return;
  for (const [name, value] of Object.entries(headersOf(count, Date.now()))) c.res.headers.set(name, value);
});
