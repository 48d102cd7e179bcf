import {
  type DetailMembers,
  type DetailMembersOf,
  type ErrorCode,
  type RefusalCode,
  refusalCodes,
} from "./error-codes.ts";

/** What is wrong with one field: a dotted path (`items.0.price`), a header in lower case, or `body` for the whole. */
export type FieldError = { field: string; code: ErrorCode; message: string; facts: Partial<DetailMembers> | undefined };

/** Sentences by the field they are about. */
export type FieldErrors = Record<string, string[]>;

export const fieldError = <Code extends ErrorCode>(
  field: string,
  code: Code,
  message: string,
  ...[facts]: DetailMembersOf<Code>
): FieldError => ({ field, code, message, facts });

const NONE: readonly FieldError[] = [];

/** An error that is sent to the caller. Anything else that is thrown is a 500 without details. */
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
    // Where a refusal was thrown interests nobody, and to find it out costs as much as a forged key does otherwise.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }

  /** What is wrong with each field, as sentences for people. */
  get errors(): FieldErrors {
    // Without a prototype: a field may be called `constructor`.
    const errors: FieldErrors = Object.create(null);
    for (const { field, message } of this.fields) errors[field] = [...(errors[field] ?? []), message];
    return errors;
  }

  /** What is wrong with each field, as codes and facts for programs. */
  get details() {
    return this.fields.map(({ field, code, facts }) => ({ field, code, ...facts }));
  }
}

/** What a refusal says as a whole, where there is no more to say than what is wrong with each field. */
export const NOT_VALID = "The request is not valid";

/** 400 for these fields. Its code is the one that all of them share if it says why, otherwise `validation_failed`. */
export function badRequest(errors: FieldError | readonly FieldError[], message = NOT_VALID): ApiError {
  const fields = "code" in errors ? [errors] : errors;
  return new ApiError(400, commonCode(fields), message, fields);
}

function commonCode([first, ...others]: readonly FieldError[]): RefusalCode {
  const agree = first && others.every(({ code }) => code === first.code);
  return agree && isRefusalCode(first.code) ? first.code : "validation_failed";
}

const isRefusalCode = (code: ErrorCode): code is RefusalCode => code in refusalCodes;

/** RFC 6750, section 3: an error is named where a credential was sent. */
const challenge = { "WWW-Authenticate": 'Bearer realm="storefront"' };
const invalidToken = { "WWW-Authenticate": 'Bearer realm="storefront", error="invalid_token"' };

export const unauthorized = (
  code:
    | "unauthorized"
    | "invalid_token"
    | "invalid_credentials"
    | "invalid_challenge"
    | "invalid_code"
    | "invalid_refresh_token",
  message: string,
) => new ApiError(401, code, message, NONE, code === "invalid_token" ? invalidToken : challenge);

/** `who` is the API key, or the role of a user. */
export const insufficientScope = (who: string, permission: string) =>
  new ApiError(
    403,
    "insufficient_scope",
    `${who} lacks the permission ${permission}`,
    [fieldError("authorization", "insufficient_scope", `lacks the permission ${permission}`, { permission })],
    { "WWW-Authenticate": `Bearer realm="storefront", error="insufficient_scope", scope="${permission}"` },
  );

/** To a credential of the wrong kind, which no permission would help. */
export const wrongCaller = (code: "administrators_only" | "staff_only" | "user_token_required", message: string) =>
  new ApiError(403, code, message, NONE, {
    "WWW-Authenticate": 'Bearer realm="storefront", error="insufficient_scope"',
  });

/** RFC 9470 names the error and the age that is enough; its status would have clients refresh their token in vain. */
export const reauthenticationRequired = () =>
  new ApiError(
    403,
    "reauthentication_required",
    "Show your password or a code again: POST /api/v1/user/auth/reauthenticate",
    NONE,
    { "WWW-Authenticate": 'Bearer realm="storefront", error="insufficient_user_authentication", max_age="600"' },
  );

export const forbidden = (code: RefusalCode, message: string, ...fields: FieldError[]) =>
  new ApiError(403, code, message, fields);

/** `what` is missing, or is not the caller's to see: the two look the same from outside. */
export const notFound = (what: string) => new ApiError(404, "not_found", `${what} was not found`);

export const methodNotAllowed = (allowed: string[]) =>
  new ApiError(405, "method_not_allowed", `This address answers ${allowed.join(", ")}`, NONE, {
    Allow: allowed.join(", "),
  });

export const conflict = (code: RefusalCode, message: string, ...fields: FieldError[]) =>
  new ApiError(409, code, message, fields);

export const preconditionFailed = () =>
  new ApiError(412, "precondition_failed", "It was changed since you read it: read it again", [
    fieldError("if-match", "stale", "is not the current ETag"),
  ]);

/** `words` say the limit as people do: "1 MB". */
export const tooLarge = (limit: number, words: string) =>
  new ApiError(413, "payload_too_large", `The body is larger than ${words}`, [
    fieldError("body", "payload_too_large", `must be at most ${words}`, { limit }),
  ]);

export const unsupportedMediaType = (expected: string) =>
  new ApiError(415, "unsupported_media_type", `Send the body with Content-Type: ${expected}`, [
    fieldError("body", "unsupported_media_type", `must be ${expected}`, { allowed: [expected] }),
  ]);

/** A charset that is declared is the sender's word that the bytes mean something else. */
export const unsupportedCharset = () =>
  new ApiError(415, "unsupported_media_type", "Send the body in UTF-8", [
    fieldError("content-type", "unsupported_media_type", "must declare UTF-8, or no charset", { allowed: ["utf-8"] }),
  ]);

/** A body that is compressed, say: it is taken as it is, or not at all. */
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
  new ApiError(429, "rate_limited", `Too many requests: try again in ${retryAfterSeconds} s`, NONE, {
    "Retry-After": String(retryAfterSeconds),
  });

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    "too_many_attempts",
    `Too many wrong passwords or codes: try again in ${retryAfterSeconds} s`,
    NONE,
    {
      "Retry-After": String(retryAfterSeconds),
    },
  );

export const storageUsedUp = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    "storage_used_up",
    "The account or key stored today as much as it may without paying. Try again after midnight UTC",
    NONE,
    { "Retry-After": String(retryAfterSeconds) },
  );

const soon = { "Retry-After": "5" };

export const unavailable = () =>
  new ApiError(503, "service_unavailable", "The service is out of reach for a moment: try again", NONE, soon);

export const providerUnavailable = (provider: string) =>
  new ApiError(503, "provider_unavailable", `${provider} is out of reach for a moment: try again`, NONE, soon);
