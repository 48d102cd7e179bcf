import { tooManyRequests } from "../../domain/errors.ts";
import { logFault } from "../http/log.ts";

/**
 * Calls a Durable Object, and again on a new stub if the platform marks the fault as temporary. Returns null if it is
 * unavailable; the caller decides. An overloaded object gives a 429, since another call would not help.
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
        logFault("rate limiter unavailable; request admitted without counting", error);
        return null;
      }
    }
  }
  return null;
}

/** Notifies an object of a change. A missed notification is noticed within a minute. */
export async function notifyLimiter<Stub>(open: () => Stub, call: (stub: Stub) => Promise<unknown>): Promise<void> {
  try {
    await call(open());
  } catch (error) {
    logFault("rate limiter not notified; it reads the change within a minute", error);
  }
}

/** The platform marks faults with untyped properties. */
const hasMark = (error: unknown, mark: "overloaded" | "retryable"): boolean =>
  error instanceof Error && Reflect.get(error, mark) === true;

/** Returns the promise's value. Rejects if it takes longer than `ms` milliseconds. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
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
 * Stores a reservation. The platform's output gate holds everything that the object sends after the call until it is stored,
 * unless it is stored ahead of time: then `confirm` is called afterwards.
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
  ctx.waitUntil(confirmed.catch((error: unknown) => logFault("rate limit reservation not stored", error)));
}
