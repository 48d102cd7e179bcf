import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type RefusalCode, refusalCodes } from "../../src/domain/error-codes.ts";
import { Failure, told } from "./failure.ts";
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

/** Codes of a status that any operation may answer. */
export const commonCodes: Record<string, readonly RefusalCode[]> = {
  400: ["validation_failed", "invalid_json"],
  401: ["unauthorized", "invalid_token"],
  403: [
    "insufficient_scope",
    "address_not_allowed",
    "origin_not_allowed",
    "live_key_required",
    "administrators_only",
    "staff_only",
    "user_token_required",
    "own_session_required",
    "reauthentication_required",
    "two_factor_required",
  ],
  404: ["not_found"],
  409: ["idempotency_key_reused", "idempotency_key_in_use", "changed_meanwhile"],
  412: ["precondition_failed"],
  413: ["payload_too_large"],
  415: ["unsupported_media_type"],
  416: ["range_not_satisfiable"],
  429: ["rate_limited", "storage_used_up"],
  500: ["internal_error"],
  503: ["service_unavailable", "provider_unavailable"],
};

/** Codes of a route's errors by status: those that are common, and those that the route declares. */
export function codesOf(route: Route): Record<string, readonly RefusalCode[]> {
  const { never, refuses } = route.answer ?? { never: [], refuses: {} };
  const statuses = [400, 401, 429, 500, 503, ...implied(route), ...Object.keys(refuses)].map(String);
  const own: Record<string, readonly RefusalCode[]> = refuses;
  return Object.fromEntries(
    statuses
      .filter((status) => !never.map(String).includes(status))
      .map((status) => [status, [...new Set([...(commonCodes[status] ?? []), ...(own[status] ?? [])])]]),
  );
}

/** All errors of a route. One with codes of its own lists them. */
export const refusalsOf = (route: Route): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    Object.entries(codesOf(route)).flatMap(([status, codes]) => {
      const response = refusals[Number(status)];
      if (!response) return [];
      return [
        [status, codes.length > (commonCodes[status]?.length ?? 0) ? withCodes(response, status, codes) : response],
      ];
    }),
  );

function withCodes(
  { description, headers }: ZodOpenApiResponseObject,
  status: string,
  codes: readonly RefusalCode[],
): ZodOpenApiResponseObject {
  const own = codes.filter((code) => !commonCodes[status]?.includes(code));
  const meanings = Object.fromEntries(own.map((code) => [code, refusalCodes[code]]));
  return {
    description: `${description}.\n\n${told(meanings)}`,
    ...(headers && { headers }),
    content: { "application/json": { schema: Failure.extend({ code: z.enum(codes) }) } },
  };
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
