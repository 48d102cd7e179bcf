import {
  type DetailMembers,
  type DetailMembersOf,
  type ErrorCode,
  type RefusalCode,
  refusalCodes,
} from "./error-codes.ts";
import { MOST_VALUE_BYTES } from "./limits.ts";

/** A problem with one field: a dotted path (`items.0.price`), a header in lower case, or `body` for the whole. */
export type FieldError = { field: string; code: ErrorCode; message: string; facts: Partial<DetailMembers> | undefined };

/** Messages by field. */
export type FieldErrors = Record<string, string[]>;

export const fieldError = <Code extends ErrorCode>(
  field: string,
  code: Code,
  message: string,
  ...[facts]: DetailMembersOf<Code>
): FieldError => ({ field, code, message, facts });

const NONE: readonly FieldError[] = [];

/** An error that is sent to the caller. Any other thrown error becomes a 500 without details. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly fields: readonly FieldError[];
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: RefusalCode,
    message: string,
    fields: readonly FieldError[] = NONE,
    headers: Record<string, string> = {},
  ) {
    // The stack trace of a refusal is never read, and recording it costs as much as handling a forged key.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }

  /** Messages for people, by field. */
  get errors(): FieldErrors {
    // Has no prototype, because a field may be called `constructor`.
    const errors: FieldErrors = Object.create(null);
    for (const { field, message } of this.fields) errors[field] = [...(errors[field] ?? []), message];
    return errors;
  }

  /** Codes and facts for programs, by field. */
  get details() {
    return this.fields.map(({ field, code, facts }) => ({ field, code, ...facts }));
  }
}

/** The message of an error that adds nothing to its fields' messages. */
export const NOT_VALID = "The request is not valid";

/**
 * A 400 for these fields. Its code is the one that all of them share, if that explains the refusal; otherwise
 * `validation_failed`.
 */
export function badRequest(errors: FieldError | readonly FieldError[], message = NOT_VALID): ApiError {
  const fields = "code" in errors ? [errors] : errors;
  return new ApiError(400, commonCode(fields), message, fields);
}

function commonCode([first, ...others]: readonly FieldError[]): RefusalCode {
  const agree = first && others.every(({ code }) => code === first.code);
  return agree && isRefusalCode(first.code) ? first.code : "validation_failed";
}

const isRefusalCode = (code: ErrorCode): code is RefusalCode => code in refusalCodes;

/** RFC 6750, section 3: the error is named only if a credential was sent. */
const challenge = (scope?: string) => ({
  "WWW-Authenticate": `Bearer realm="storefront"${scope === undefined ? "" : `, scope="${scope}"`}`,
});
const invalidToken = { "WWW-Authenticate": 'Bearer realm="storefront", error="invalid_token"' };

/** `scope` is what a client should ask for, if it has no credential. */
export const unauthorized = (
  code:
    | "unauthorized"
    | "invalid_token"
    | "invalid_credentials"
    | "invalid_challenge"
    | "invalid_code"
    | "invalid_refresh_token",
  message: string,
  scope?: string,
) => new ApiError(401, code, message, NONE, code === "invalid_token" ? invalidToken : challenge(scope));

/** `who` is the API key or the role of a user. */
export const insufficientScope = (who: string, permission: string) =>
  new ApiError(
    403,
    "insufficient_scope",
    `${who} lacks the permission ${permission}`,
    [fieldError("authorization", "insufficient_scope", `lacks the permission ${permission}`, { permission })],
    { "WWW-Authenticate": `Bearer realm="storefront", error="insufficient_scope", scope="${permission}"` },
  );

/** Error for a credential of the wrong kind, which no permission would help. */
export const wrongCaller = (
  code: "administrators_only" | "staff_only" | "user_token_required" | "own_session_required",
  message: string,
) =>
  new ApiError(403, code, message, NONE, {
    "WWW-Authenticate": 'Bearer realm="storefront", error="insufficient_scope"',
  });

/** RFC 9470 names the error and the required age. A 401 would make clients refresh their token in vain. */
export const reauthenticationRequired = () =>
  new ApiError(
    403,
    "reauthentication_required",
    "Confirm your password or a code: POST /api/v1/user/auth/reauthenticate",
    NONE,
    { "WWW-Authenticate": 'Bearer realm="storefront", error="insufficient_user_authentication", max_age="600"' },
  );

export const forbidden = (code: RefusalCode, message: string, ...fields: FieldError[]) =>
  new ApiError(403, code, message, fields);

/** `what` is missing or not visible to the caller, who cannot distinguish the two. */
export const notFound = (what: string) => new ApiError(404, "not_found", `${what} was not found`);

/** Returns what was read, or throws a 404 that names it, such as "Product 12". */
export async function requireFound<Row>(reading: Promise<Row | null | undefined>, what: string): Promise<Row> {
  const row = await reading;
  if (row === null || row === undefined) throw notFound(what);
  return row;
}

export const methodNotAllowed = (allowed: string[]) =>
  new ApiError(405, "method_not_allowed", `This address supports ${allowed.join(", ")}`, NONE, {
    Allow: allowed.join(", "),
  });

export const conflict = (code: RefusalCode, message: string, ...fields: FieldError[]) =>
  new ApiError(409, code, message, fields);

export const preconditionFailed = () =>
  new ApiError(412, "precondition_failed", "The resource was changed since you read it. Read it again", [
    fieldError("if-match", "stale", "is not the current ETag"),
  ]);

/** `words` is the limit for people, such as "1 MB". */
export const tooLarge = (limit: number, words: string) =>
  new ApiError(413, "payload_too_large", `The body is larger than ${words}`, [
    fieldError("body", "payload_too_large", `must be at most ${words}`, { limit }),
  ]);

/** A request that stores more in one value or row than the database takes. */
export const valueTooLarge = () =>
  new ApiError(413, "payload_too_large", "The request stores more than 2 MB in one place", [
    fieldError("body", "payload_too_large", "must not store more than 2 MB in one place", { limit: MOST_VALUE_BYTES }),
  ]);

export const unsupportedMediaType = (expected: string) =>
  new ApiError(415, "unsupported_media_type", `Send the body with Content-Type: ${expected}`, [
    fieldError("body", "unsupported_media_type", `must be ${expected}`, { allowed: [expected] }),
  ]);

/** A declared charset gives the bytes another meaning. */
export const unsupportedCharset = () =>
  new ApiError(415, "unsupported_media_type", "Send the body in UTF-8", [
    fieldError("content-type", "unsupported_media_type", "must declare UTF-8, or no charset", { allowed: ["utf-8"] }),
  ]);

/** Compressed bodies, for example, are not decoded. */
export const unsupportedCoding = () =>
  new ApiError(
    415,
    "unsupported_media_type",
    "Send the body without Content-Encoding",
    [fieldError("content-encoding", "unsupported_media_type", "must be identity", { allowed: ["identity"] })],
    { "Accept-Encoding": "identity" },
  );

export const rangeNotSatisfiable = (sizeBytes: number) =>
  new ApiError(416, "range_not_satisfiable", "The requested range lies outside the file", NONE, {
    "Content-Range": `bytes */${sizeBytes}`,
  });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, "rate_limited", `Too many requests. Try again in ${retryAfterSeconds} s`, NONE, {
    "Retry-After": String(retryAfterSeconds),
  });

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    "too_many_attempts",
    `Too many wrong passwords or codes. Try again in ${retryAfterSeconds} s`,
    NONE,
    {
      "Retry-After": String(retryAfterSeconds),
    },
  );

export const storageUsedUp = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    "storage_used_up",
    "The account or key has reached its daily storage limit for unpaid data. Try again after midnight UTC",
    NONE,
    { "Retry-After": String(retryAfterSeconds) },
  );

const soon = { "Retry-After": "5" };

export const unavailable = () =>
  new ApiError(503, "service_unavailable", "The service is temporarily unavailable. Try again", NONE, soon);

export const providerUnavailable = (provider: string) =>
  new ApiError(503, "provider_unavailable", `${provider} is temporarily unavailable. Try again`, NONE, soon);

export const externalIdTaken = (): ApiError =>
  badRequest(fieldError("external_id", "external_id_taken", "belongs to another record"));
