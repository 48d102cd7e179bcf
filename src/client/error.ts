import { secondsAsked } from "./retry-after.ts";

/** A refusal, or an answer that is none: what the service said of it, and under which name it knows the request. */
export class StorefrontError extends Error {
  override readonly name = "StorefrontError";
  readonly status: number;
  /** Messages by the field that they are about, such as `items.0.price`, or `body` for the whole. */
  readonly errors: Record<string, string[]>;
  /** Seconds after which it is worth another try, where the service says so. */
  readonly retryAfter: number | null;
  /** What to tell when asking for help. */
  readonly requestId: string | null;

  constructor({ status, headers }: Response, body: unknown) {
    const { message, errors } = isRefusal(body) ? body : { message: `The service answered ${status}`, errors: {} };
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfter = secondsAsked(headers);
    this.requestId = headers.get("X-Request-Id");
  }
}

type Refusal = { message: string; errors: Record<string, string[]> };

/** What stands between a client and the service answers pages of its own. */
const isRefusal = (body: unknown): body is Refusal =>
  typeof body === "object" && body !== null && "message" in body && "errors" in body;
