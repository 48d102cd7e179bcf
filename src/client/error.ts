import { retryAfterSeconds } from "./retry.ts";
import type { components } from "./schema.ts";

/** An error response, or a response that is not the service's own, with the request id. */
export class StorefrontError extends Error {
  override readonly name = "StorefrontError";
  readonly status: number;
  /** Error code for programs. Null if the response is not the service's own. */
  readonly code: Refusal["code"] | null;
  /** Messages for people by field, such as `items.0.price`, or `body` for the whole. */
  readonly errors: Refusal["errors"];
  /** Machine-readable problems by field: a code and its data, such as the current `price`. */
  readonly details: Refusal["details"];
  /** Seconds from the Retry-After header, if present. */
  readonly retryAfter: number | null;
  /** Id to quote in support requests. */
  readonly requestId: string | null;

  constructor({ status, headers }: Response, body: unknown) {
    const refusal = isRefusal(body) ? body : null;
    super(refusal?.message ?? `The service answered ${status}`);
    this.status = status;
    this.code = refusal?.code ?? null;
    this.errors = refusal?.errors ?? {};
    this.details = refusal?.details ?? [];
    this.retryAfter = retryAfterSeconds(headers);
    this.requestId = headers.get("X-Request-Id");
  }
}

type Refusal = components["schemas"]["Error"];

/** A proxy in between may respond with its own page. */
const isRefusal = (body: unknown): body is Refusal =>
  typeof body === "object" && body !== null && "code" in body && "details" in body;
