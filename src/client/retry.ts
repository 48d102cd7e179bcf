import { IDEMPOTENCY_KEY } from "./idempotency-key.ts";

export type Send = (request: Request) => Promise<Response>;

export type RetryPolicy = {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Longest wait in seconds. If the service asks for more, its response is returned. */
  maxWaitSeconds: number;
};

/** The default policy. The service's rate limits have windows of 60 s, so no wait is longer. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, maxWaitSeconds: 60 };

/** Repeats a request where that is safe, after the delay that the service asks for. The last response is returned. */
export const withRetry =
  (send: Send, { attempts, maxWaitSeconds }: RetryPolicy): Send =>
  async (request) => {
    for (let attempt = 1; attempt < attempts && isReplayable(request); attempt++) {
      const answer = await send(request.clone()).catch((fault: unknown) => {
        if (request.signal.aborted || !isRepeatable(request)) throw fault;
        return null;
      });
      if (answer && !wasRefused(answer, request)) return answer;
      const seconds = (answer && retryAfterSeconds(answer.headers)) ?? backoff(attempt);
      if (answer && seconds > maxWaitSeconds) return answer;
      await answer?.body?.cancel();
      await wait(seconds, request.signal);
    }
    return send(request);
  };

/** Bytes and forms are sent once: repeating them would require holding them in memory. */
const isReplayable = ({ headers }: Request): boolean =>
  /^application\/json\b|^$/.test(headers.get("Content-Type") ?? "");

/**
 * Requests without effect, or with an Idempotency-Key. PUT and DELETE are not repeated: with If-Match the second would be
 * refused.
 */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method === "GET" || method === "HEAD" || headers.has(IDEMPOTENCY_KEY);

/** A 429 is sent before any work is done, and a 503 whenever storage cannot be reached. */
const wasRefused = ({ status }: Response, request: Request): boolean =>
  status === 429 || (status === 503 && isRepeatable(request));

/** Seconds, doubling with each attempt and random, so that clients do not return together. */
export const backoff = (attempt: number): number => 0.25 * 2 ** attempt * Math.random();

/** Seconds from the Retry-After header, if present. */
export function retryAfterSeconds(headers: Headers): number | null {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}

/** Rejects with the signal's reason as soon as it is aborted. */
export const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", abort, { once: true });
  });
