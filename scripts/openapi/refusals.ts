import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { Failure } from "./failure.ts";
import { acceptEncoding, challenge, common, contentRange, retryAfter, scope } from "./headers.ts";
import type { Route } from "./routes.ts";

const refusal = (
  id: string,
  description: string,
  headers: Record<string, z.ZodType> = {},
): ZodOpenApiResponseObject => ({
  id,
  description,
  headers: z.object({ ...common, ...headers }),
  content: { "application/json": { schema: Failure } },
});

const refusals: Record<number, ZodOpenApiResponseObject> = {
  400: refusal("BadRequest", "The request is not valid. `errors` names the fields"),
  401: refusal("Unauthorized", "The credential is missing, unknown, expired or revoked", challenge),
  403: refusal("Forbidden", "The credential is valid but lacks a permission", scope),
  404: refusal("NotFound", "The resource does not exist, or the caller may not see it"),
  409: refusal(
    "Conflict",
    "The resource's state does not allow the request, the Idempotency-Key was used for another request, or an order was sent twice",
  ),
  412: refusal("PreconditionFailed", "The resource has changed since the version sent in If-Match"),
  413: refusal("PayloadTooLarge", "The body is too large"),
  415: refusal("UnsupportedMediaType", "The Content-Type is not accepted, or the body is compressed", acceptEncoding),
  416: refusal("RangeNotSatisfiable", "The requested range lies outside the file", contentRange),
  429: refusal("TooManyRequests", "The rate limit is reached. Wait for the seconds in Retry-After", retryAfter),
  500: refusal("ServerError", "An unexpected error occurred"),
  503: refusal(
    "Unavailable",
    "The service is temporarily unavailable. Wait for the seconds in Retry-After",
    retryAfter,
  ),
};

/** All errors of a route: those implied by its declaration, and those it declares. */
export function refusalsOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const statuses = [400, 401, 429, 500, 503, ...implied(route), ...(route.answer?.refuses ?? [])];
  const never: number[] = route.answer?.never ?? [];
  return Object.fromEntries(
    statuses.flatMap((status) => {
      if (never.includes(status)) return [];
      const response = refusals[status];
      return response ? [[String(status), response]] : [];
    }),
  );
}

function implied({ access, bytes, idempotent, method, path, reads }: Route): number[] {
  const headers = reads.flatMap(({ target, schema }) => (target === "header" && "shape" in schema ? [schema] : []));
  const names = headers.flatMap(({ shape }) => Object.keys(shape as object));
  return [
    ...(access ? [403] : []),
    ...(path.includes("{") ? [404] : []),
    ...(names.includes("if-match") ? [409, 412] : []),
    ...(idempotent ? [409] : []),
    ...(method === "get" ? [] : [413, 415]),
    ...(bytes === "with ranges" ? [412, 416] : []),
  ];
}
