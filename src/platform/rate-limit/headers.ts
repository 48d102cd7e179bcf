import type { Count } from "./limiter.ts";
import { policies } from "./policies.ts";

/** Seconds until there is more quota: what `t`, `Retry-After` and the reset all say. */
export const secondsToReset = ({ resetMs }: Count): number => Math.ceil(resetMs / 1000);

/** Sets draft-ietf-httpapi-ratelimit-headers, and the older X- names that most clients know. Epoch seconds in the reset. */
export function setRateLimitHeaders(headers: Headers, count: Count): void {
  const { policy, remaining, resetMs } = count;
  const { limit, seconds } = policies[policy];
  headers.set("RateLimit-Policy", `"${policy}";q=${limit};w=${seconds}`);
  headers.set("RateLimit", `"${policy}";r=${remaining};t=${secondsToReset(count)}`);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
}
