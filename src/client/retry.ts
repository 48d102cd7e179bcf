import { IDEMPOTENCY_KEY } from "./idempotency-key.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import { wait } from "./wait.ts";

export type Send = (request: Request) => Promise<Response>;

export type RetryPolicy = {
  /** How often a request is sent at most, the first time included. */
  attempts: number;
  /** If the service asks for a longer wait, its response is returned instead. */
  maxWaitSeconds: number;
};

/** The default policy: the service's rate limits have windows of 60 s, so no wait is longer. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, maxWaitSeconds: 60 };

/** Sends a request again where that is safe, after as long as the service asks for. The last answer is the answer. */
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

/** Bytes and forms are sent once: to send them again they would all have to be held. */
const isReplayable = ({ headers }: Request): boolean =>
  /^application\/json\b|^$/.test(headers.get("Content-Type") ?? "");

/** What changes nothing, or is known again by its key. PUT and DELETE are not: behind If-Match the second is refused. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method === "GET" || method === "HEAD" || headers.has(IDEMPOTENCY_KEY);

/** 429 is said before anything is done, 503 whenever storage is out of reach. */
const wasRefused = ({ status }: Response, request: Request): boolean =>
  status === 429 || (status === 503 && isRepeatable(request));

/** Doubles with each attempt, and differs from client to client, so that not all come back at once. */
export const backoff = (attempt: number): number => 0.25 * 2 ** attempt * Math.random();
