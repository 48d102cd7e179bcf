import { UnresolvedHost } from "../../../platform/http/outbound.ts";
import { messageIdOf } from "../endpoints.ts";
import { signedHeaders } from "../secrets.ts";
import type { Attempt, Due } from "./rows.ts";

/** How long an endpoint may take to answer, including the part of the body that is read. */
const TIMEOUT_MS = 15_000;

/** Maximum bytes of the response that are read and stored. */
const MOST_ANSWER_BYTES = 2_048;

/** URL of an endpoint and its signing secrets, including the previous one during rotation. */
export type Destination = { url: string; secrets: readonly string[] };

/** Returns what is wrong with a URL, or null if nothing is. */
export type CheckWebhookAddress = (url: string) => Promise<string | null>;

/** Makes one attempt at a delivery. Errors are returned as part of the result. */
export const attemptDelivery = (
  { url, secrets }: Destination,
  { event_id, body }: Due,
  check: CheckWebhookAddress,
  timeoutMs?: number,
): Promise<Attempt> => {
  const headersAt = (at: number) => ({
    "Content-Type": "application/json",
    ...signedHeaders(secrets, messageIdOf(event_id), body, at),
  });
  return attemptPost({ url, body, headersAt }, check, timeoutMs);
};

/** A POST of JSON, signed in its headers at the time of the attempt. */
type SignedPost = {
  url: string;
  body: string;
  headersAt: (at: number) => Record<string, string> | Promise<Record<string, string>>;
};

/** Makes one attempt at a POST to a URL given by a stranger. Errors are returned as part of the result. */
export async function attemptPost(
  { url, body, headersAt }: SignedPost,
  check: CheckWebhookAddress,
  timeoutMs = TIMEOUT_MS,
): Promise<Attempt> {
  const at = Date.now();
  // AbortSignal.timeout would keep its timer after the response, and the platform allows 10,000 at a time.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException("No answer in time", "TimeoutError")), timeoutMs);
  const outcome = await post(timeout.signal).catch((error: unknown) => ({
    ...NOTHING,
    error: wordsOf(error, timeoutMs),
  }));
  clearTimeout(timer);
  return { at, durationMs: Date.now() - at, ...outcome };

  async function post(signal: AbortSignal): Promise<Outcome> {
    const refusal = await check(url);
    if (refusal !== null) return { ...NOTHING, error: `The address ${refusal}` };
    const headers = { "User-Agent": "Storefront-Webhooks", ...(await headersAt(at)) };
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return {
      status: response.status,
      error: response.ok ? null : refusedWords(response.status),
      answer: await beginning(response.body, signal),
      retryAfter: response.headers.get("Retry-After"),
    };
  }
}

type Outcome = Omit<Attempt, "at" | "durationMs">;

const NOTHING = { status: null, answer: null, retryAfter: null };

const refusedWords = (status: number): string =>
  status >= 300 && status < 400 ? "Answered with a redirect, which is not followed" : `Answered ${status}`;

/** Describes an error in our own words: the runtime's may reveal internals. */
function wordsOf(error: unknown, timeoutMs: number): string {
  if (error instanceof UnresolvedHost) return "The name of the address could not be resolved";
  if (error instanceof Error && error.name === "TimeoutError") return `No answer within ${timeoutMs / 1000} s`;
  return "The connection failed";
}

/**
 * Returns the first bytes of a body as text, as far as they could be read. The status alone decides whether the delivery
 * succeeded.
 */
async function beginning(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
  const bytes = new Uint8Array(MOST_ANSWER_BYTES);
  let length = 0;
  const reader = body?.getReader();
  const ended = { done: true, value: undefined } as const;
  while (reader && length < MOST_ANSWER_BYTES && !signal.aborted) {
    const { done, value } = await reader.read().catch(() => ended);
    if (done) break;
    const part = value.subarray(0, MOST_ANSWER_BYTES - length);
    bytes.set(part, length);
    length += part.length;
  }
  await reader?.cancel().catch(() => undefined);
  return new TextDecoder().decode(bytes.subarray(0, length));
}
