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
  400: refusal("BadRequest", "Something that was sent is wrong: `errors` names the fields"),
  401: refusal("Unauthorized", "The credential is missing, unknown, expired or revoked", challenge),
  403: refusal("Forbidden", "The credential is good, and may not do this", scope),
  404: refusal("NotFound", "There is no such thing, or it is not yours to see"),
  409: refusal(
    "Conflict",
    "The state of things does not allow it, an Idempotency-Key belongs to another request, or an order was sent twice",
  ),
  412: refusal("PreconditionFailed", "If-Match names another version: it was changed since you read it"),
  413: refusal("PayloadTooLarge", "The body is larger than the route takes"),
  415: refusal(
    "UnsupportedMediaType",
    "The body has another Content-Type than the route takes, or is compressed",
    acceptEncoding,
  ),
  416: refusal("RangeNotSatisfiable", "The range lies outside the file", contentRange),
  429: refusal("TooManyRequests", "The limit is reached: wait for Retry-After", retryAfter),
  500: refusal("ServerError", "Something went wrong on our side"),
  503: refusal("Unavailable", "The service is out of reach for a moment: wait for Retry-After", retryAfter),
};

/** All that a route may refuse with: what its line implies, and what it says besides. */
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
    ...(bytes ? [412, 416] : []),
  ];
}
