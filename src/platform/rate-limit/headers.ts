import type { Count } from "./limiter.ts";
import { policies } from "./policies.ts";

/** Seconds until more quota is available: the value of `t`, `Retry-After` and the reset. */
export const secondsToReset = ({ resetMs }: Count): number => Math.ceil(resetMs / 1000);

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers and the older X- ones, whose reset is in epoch seconds. */
export function setRateLimitHeaders(headers: Headers, count: Count): void {
  const { policy, remaining, resetMs } = count;
  const { limit, seconds } = policies[policy];
  headers.set("RateLimit-Policy", `"${policy}";q=${limit};w=${seconds}`);
  headers.set("RateLimit", `"${policy}";r=${remaining};t=${secondsToReset(count)}`);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
}
