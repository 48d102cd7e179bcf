/** Messages by the field they are about: a dotted path (`items.0.price`), or `body` for the whole. */
export type FieldErrors = Record<string, string[]>;

/** A refusal that the caller is told of. Anything else that is thrown is our fault and says nothing to the outside. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: FieldErrors;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, errors: FieldErrors = {}, headers: Record<string, string> = {}) {
    // Where a refusal was thrown interests nobody, and to find it out costs as much as a made-up key does otherwise.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

export const badRequest = (errors: FieldErrors, message = "The request is not valid") =>
  new ApiError(400, message, errors);

export const unauthorized = (message: string) =>
  new ApiError(401, message, {}, { "WWW-Authenticate": 'Bearer realm="storefront"' });

export const forbidden = (message: string, errors: FieldErrors = {}) => new ApiError(403, message, errors);

/** `what` is missing, or is not the caller's to see: the two look the same from outside. */
export const notFound = (what: string) => new ApiError(404, `${what} was not found`);

export const methodNotAllowed = (allowed: string[]) =>
  new ApiError(405, `This address answers ${allowed.join(", ")}`, {}, { Allow: allowed.join(", ") });

export const conflict = (message: string, errors: FieldErrors = {}) => new ApiError(409, message, errors);

export const preconditionFailed = () =>
  new ApiError(412, "It was changed since you read it: read it again", { "if-match": ["is not the current ETag"] });

export const tooLarge = (limit: string) =>
  new ApiError(413, `The body is larger than ${limit}`, { body: [`must be at most ${limit}`] });

export const unsupportedMediaType = (expected: string) =>
  new ApiError(415, `Send the body with Content-Type: ${expected}`, { body: [`must be ${expected}`] });

export const rangeNotSatisfiable = (sizeBytes: number) =>
  new ApiError(416, "The range lies outside the file", {}, { "Content-Range": `bytes */${sizeBytes}` });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    `Too many requests: try again in ${retryAfterSeconds} s`,
    {},
    { "Retry-After": String(retryAfterSeconds) },
  );

export const unavailable = (message = "The service is out of reach for a moment: try again") =>
  new ApiError(503, message, {}, { "Retry-After": "5" });
