import { tooManyRequests } from "../../domain/errors.ts";
import { logFault } from "../http/log.ts";

/**
 * Calls a Durable Object, once more on a new stub where the platform says that the fault will pass. Null when it cannot
 * answer; what then holds is the caller's to say. An overloaded object is 429, since one more call would not help it.
 */
export async function askLimiter<Stub, Answer>(
  open: () => Stub,
  call: (stub: Stub) => Promise<Answer>,
): Promise<Answer | null> {
  for (const attempt of [1, 2]) {
    try {
      return await call(open());
    } catch (error) {
      if (hasMark(error, "overloaded")) throw tooManyRequests(1);
      if (attempt === 2 || !hasMark(error, "retryable")) {
        logFault("a limiter cannot answer: the request goes on uncounted", error);
        return null;
      }
    }
  }
  return null;
}

/** Tells an object that something changed. What it does not hear it finds out by itself within a minute. */
export async function notifyLimiter<Stub>(open: () => Stub, call: (stub: Stub) => Promise<unknown>): Promise<void> {
  try {
    await call(open());
  } catch (error) {
    logFault("a limiter was not told of a change: it sees it within a minute", error);
  }
}

/** The platform marks its faults with properties that no type declares. */
const hasMark = (error: unknown, mark: "overloaded" | "retryable"): boolean =>
  error instanceof Error && Reflect.get(error, mark) === true;

/** The promise's value, unless it takes longer: then it rejects. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = scheduler.wait(ms, { signal: timer.signal }).then(() => {
    throw new Error(`No answer within ${ms} ms`);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}

/**
 * Stores what may be spent. Whatever the object sends after the call waits until it is stored, by the platform's output gate,
 * unless it was stored ahead of time: then `confirm` is called once it is.
 */
export function storeReservation(
  ctx: DurableObjectState,
  key: string,
  state: unknown,
  isAhead: boolean,
  confirm: () => void,
): void {
  if (!isAhead) {
    void ctx.storage.put(key, state);
    return;
  }
  void ctx.storage.put(key, state, { allowUnconfirmed: true });
  const confirmed = ctx.storage.sync().then(confirm);
  ctx.waitUntil(confirmed.catch((error: unknown) => logFault("a reservation was not stored", error)));
}
