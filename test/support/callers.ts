import { sentBy } from "./call.ts";

/** Requests after which a new caller is made. A caller may send 100 a minute, and a test needs some in reserve. */
const REQUESTS = 50;

/**
 * Maximum difference in milliseconds between now and the time when a caller was made. Tests move the clock, and tokens
 * expire.
 */
const CLOCK_MS = 5 * 60_000;

let file = 0;

/** Forgets all callers. Called before each test file, which begins with empty storage. */
export function forgetCallers(): void {
  file++;
}

/**
 * Returns a caller that the tests of a file share, and makes a new one before its limit or token runs out. The first
 * request of a caller costs as much as five others, because it opens the Durable Objects of its limits.
 */
export function shared<Caller extends { token: string } | { key: string }>(
  make: () => Promise<Caller>,
): () => Promise<Caller> {
  let current: { caller: Promise<Caller>; file: number; at: number } | undefined;
  const isSpent = (caller: Caller) => sentBy("key" in caller ? caller.key : caller.token) >= REQUESTS;
  return async () => {
    const now = Date.now();
    const isRecent = current?.file === file && Math.abs(now - current.at) < CLOCK_MS;
    if (!current || !isRecent || isSpent(await current.caller)) current = { caller: make(), file, at: now };
    return current.caller;
  };
}

/** Returns a record that the tests of a file only read. The first test creates it. */
export function oncePerFile<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let current: { made: Promise<Made>; file: number } | undefined;
  return () => {
    if (current?.file !== file) current = { made: make(), file };
    return current.made;
  };
}
