import * as z from "zod";
import { VERSION_HEADER } from "../../src/platform/http/api-versions.ts";
import type { AnswerHeader } from "../../src/platform/http/route-description.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";

const header = (id: string, description: string) => z.string().meta({ description, header: { id } });

const optional = (id: string, description: string) => z.string().optional().meta({ description, header: { id } });

const number = (id: string, description: string) => z.int().meta({ description, header: { id } });

const optionalNumber = (id: string, description: string) => z.int().optional().meta({ description, header: { id } });

/** Sent with every response. */
const requestId = {
  "X-Request-Id": header(
    "RequestId",
    "Id of the request, as sent by the client or generated. Quote it in support requests",
  ),
};

const { limit, seconds } = policies.standard;

/** Sent with every response to a rate-limited caller. */
const quota = {
  "RateLimit-Policy": optional(
    "RateLimitPolicy",
    `Rate limit policy: \`"standard";q=${limit};w=${seconds}\` allows ${limit} requests in any ${seconds} seconds`,
  ),
  RateLimit: optional(
    "RateLimit",
    `Remaining quota: in \`"standard";r=${limit - 1};t=${seconds}\`, \`r\` requests are left, and \`t\` seconds pass until more become available`,
  ),
  "X-RateLimit-Limit": optionalNumber("XRateLimitLimit", "Number of requests allowed in any 60 seconds"),
  "X-RateLimit-Remaining": optionalNumber("XRateLimitRemaining", "Number of requests left"),
  "X-RateLimit-Reset": optionalNumber(
    "XRateLimitReset",
    "Time at which more requests become available, in seconds since 1970",
  ),
};

const bookmark = {
  "X-D1-Bookmark": optional(
    "Bookmark",
    "Bookmark of the database. Send it with the next request to read your own writes",
  ),
};

const apiVersion = { [VERSION_HEADER]: header("ApiVersion", "Version of the API in which the response is written") };

export const common = { ...requestId, ...apiVersion, ...quota, ...bookmark };

export const ofAnswers: Record<AnswerHeader, z.ZodType> = {
  ETag: header("ETag", "Version of the resource, for If-Match or If-None-Match"),
  "X-Cart-Token": optional("CartToken", "Token of the guest's cart. Send it with every request of this guest"),
};

/** Sent with successful responses of idempotent routes. */
export const replayed = {
  "Idempotent-Replayed": optional(
    "IdempotentReplayed",
    "`true` if this response was stored for an earlier request with this Idempotency-Key",
  ),
};

export const link = { Link: header("Link", "Links to the first, prev, next and last page (RFC 8288)") };

export const challenge = {
  "WWW-Authenticate": header(
    "WWWAuthenticate",
    'Asks for a Bearer credential. `error="invalid_token"` if the credential sent is not valid',
  ),
};

export const scope = {
  "WWW-Authenticate": optional(
    "WWWAuthenticateScope",
    '`error="insufficient_scope"` if the credential lacks a permission, with the permission that an API key needs as `scope`',
  ),
};

export const acceptEncoding = {
  "Accept-Encoding": optional("AcceptEncoding", "`identity`, because compressed bodies are not accepted"),
};

export const location = { Location: header("Location", "Address of the created resource") };

export const age = {
  Age: optional("Age", "Age of a cached response in seconds"),
};

export const retryAfter = { "Retry-After": number("RetryAfter", "Number of seconds to wait before the next request") };

/** Headers of a response with the bytes of a file. */
export const ofBytes = {
  ETag: ofAnswers.ETag,
  "Accept-Ranges": header("AcceptRanges", "`bytes`, because parts of the file can be requested"),
};

export const attachment = {
  "Content-Disposition": header("ContentDisposition", "`attachment` with the file name"),
};

export const ofContent = { ...ofBytes, ...attachment };

export const contentRange = { "Content-Range": header("ContentRange", "Position of these bytes and the total size") };
