import { createMiddleware } from "hono/factory";
import type { Count } from "./limiter.ts";
import { policies } from "./policies.ts";

/** Seconds until there is more quota: what `t`, `Retry-After` and the reset all say. */
export const secondsToReset = ({ resetMs }: Count): number => Math.ceil(resetMs / 1000);

/** draft-ietf-httpapi-ratelimit-headers, and the older X- names that most clients know. Epoch seconds in the reset. */
function headersOf(count: Count, now: number): Record<string, string> {
  const { policy, remaining, resetMs } = count;
  const { limit, seconds } = policies[policy];
  return {
    "RateLimit-Policy": `"${policy}";q=${limit};w=${seconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${secondsToReset(count)}`,
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil((now + resetMs) / 1000)),
  };
}

/** Sets the RateLimit headers on every response to a counted caller: also on 304, 4xx and 429. */
export const rateLimitHeaders = createMiddleware<{ Variables: { count: Count | undefined } }>(async (c, next) => {
  await next();
  const count = c.get("count");
  if (!count) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(headersOf(count, Date.now()))) headers.set(name, value);
});
