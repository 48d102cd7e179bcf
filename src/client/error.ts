import { retryAfterSeconds } from "./retry-after.ts";
import type { components } from "./schema.ts";

/** A refusal, or an answer that is none: what the service said of it, and under which name it knows the request. */
export class StorefrontError extends Error {
  override readonly name = "StorefrontError";
  readonly status: number;
  /** Why it was refused, for programs; null when the answer is none of the service's own. */
  readonly code: Refusal["code"] | null;
  /** Sentences for people, by the field that they are about, such as `items.0.price`, or `body` for the whole. */
  readonly errors: Refusal["errors"];
  /** What is wrong with each field, for programs: its code, and what goes with that, such as the `price` of now. */
  readonly details: Refusal["details"];
  /** The seconds of the Retry-After header, if there is one. */
  readonly retryAfter: number | null;
  /** What to tell when asking for help. */
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

/** A proxy between the client and the service may answer with a page of its own. */
const isRefusal = (body: unknown): body is Refusal =>
  typeof body === "object" && body !== null && "code" in body && "details" in body;
