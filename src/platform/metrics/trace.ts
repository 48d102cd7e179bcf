import { tracing } from "cloudflare:workers";

/**
 * The span of the whole request, under which the platform puts those of D1, R2, Durable Objects and `fetch`. Undefined unless
 * the request is traced.
 */
export function tracedRequest(requestId: string): ReturnType<typeof tracing.getActiveSpan> {
  const span = tracing.getActiveSpan();
  if (!span?.isTraced) return undefined;
  return span.setAttribute("request_id", requestId);
}
