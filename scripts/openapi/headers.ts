import * as z from "zod";
import type { AnswerHeader } from "../../src/platform/http/route-description.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";

const header = (id: string, description: string) => z.string().meta({ description, header: { id } });

const optional = (id: string, description: string) => z.string().optional().meta({ description, header: { id } });

const number = (id: string, description: string) => z.int().meta({ description, header: { id } });

const optionalNumber = (id: string, description: string) => z.int().optional().meta({ description, header: { id } });

/** On every answer. */
const requestId = {
  "X-Request-Id": header(
    "RequestId",
    "The name of the request, as sent or else made up: tell it when you ask for help",
  ),
};

const { limit, seconds } = policies.standard;

/** On every answer to a caller who is counted, whatever its status. */
const quota = {
  "RateLimit-Policy": optional(
    "RateLimitPolicy",
    `The limit: \`"standard";q=${limit};w=${seconds}\` is ${limit} requests in any ${seconds} s`,
  ),
  RateLimit: optional(
    "RateLimit",
    `What is left of it: \`"standard";r=${limit - 1};t=${seconds}\`, where t is the seconds until there is more`,
  ),
  "X-RateLimit-Limit": optionalNumber("XRateLimitLimit", "Requests in any 60 s"),
  "X-RateLimit-Remaining": optionalNumber("XRateLimitRemaining", "Requests that are left"),
  "X-RateLimit-Reset": optionalNumber("XRateLimitReset", "When there will be more, in seconds since 1970"),
};

const bookmark = {
  "X-D1-Bookmark": optional(
    "Bookmark",
    "Where the database stood: send it along to read what you wrote, wherever you ask",
  ),
};

export const common = { ...requestId, ...quota, ...bookmark };

export const ofAnswers: Record<AnswerHeader, z.ZodType> = {
  ETag: header("ETag", "The version of the content: for If-Match, or If-None-Match"),
  "X-Cart-Token": optional("CartToken", "The name of a guest's cart: send it with every request of theirs"),
};

/** On what an idempotent route answers when it does what was asked for. */
export const replayed = {
  "Idempotent-Replayed": optional(
    "IdempotentReplayed",
    "`true`: the answer was given before, to the same Idempotency-Key",
  ),
};

export const link = { Link: header("Link", "The first, prev, next and last page, by RFC 8288") };

export const challenge = {
  "WWW-Authenticate": header(
    "WWWAuthenticate",
    'That a Bearer credential is asked for; `error="invalid_token"` says that the one sent is no good',
  ),
};

export const scope = {
  "WWW-Authenticate": optional(
    "WWWAuthenticateScope",
    'To a credential that is not enough: `error="insufficient_scope"`, and the permission that an API key lacks as `scope`',
  ),
};

export const acceptEncoding = {
  "Accept-Encoding": optional("AcceptEncoding", "To a body that is compressed: `identity` is all that is taken"),
};

export const location = { Location: header("Location", "The address of what was created") };

export const age = {
  Age: optional("Age", "How many seconds ago the answer was built, where it is one that was kept"),
};

export const retryAfter = { "Retry-After": number("RetryAfter", "Seconds to wait") };

/** The headers of an answer that is the bytes of a file. */
export const ofBytes = {
  ETag: ofAnswers.ETag,
  "Accept-Ranges": header("AcceptRanges", "That a part of the file may be asked for: `bytes`"),
};

export const ofContent = {
  ...ofBytes,
  "Content-Disposition": header("ContentDisposition", "Attachment, with the file's name"),
};

export const contentRange = { "Content-Range": header("ContentRange", "Which bytes these are, of how many") };
