import { sentBy } from "./call.ts";

/** Requests after which another caller takes over: one may send 100 in a minute, and the next test sends some more. */
const REQUESTS = 50;

/** Time after which, or before which, another caller takes over: tests move the clock, and a token has its own. */
const CLOCK_MS = 5 * 60_000;

let file = 0;

/** Begins a file of tests, whose storage knows no caller of the file before. */
export function forgetCallers(): void {
  file++;
}

/**
 * A caller whom tests of one file share, made by `make` now and then. The first request of a caller costs as much as five
 * others: it opens the objects that count it.
 */
export function shared<Caller extends { token: string } | { key: string }>(
  make: () => Promise<Caller>,
): () => Promise<Caller> {
  let current: { caller: Promise<Caller>; file: number; at: number } | undefined;
  const isTired = (caller: Caller) => sentBy("key" in caller ? caller.key : caller.token) >= REQUESTS;
  return async () => {
    const now = Date.now();
    const isNear = current?.file === file && Math.abs(now - current.at) < CLOCK_MS;
    if (!current || !isNear || isTired(await current.caller)) current = { caller: make(), file, at: now };
    return current.caller;
  };
}

/** A record that tests of one file only read, made for the first of them. */
export function onceAFile<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let current: { made: Promise<Made>; file: number } | undefined;
  return () => {
    if (current?.file !== file) current = { made: make(), file };
    return current.made;
  };
}
