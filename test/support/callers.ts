import { sentBy } from "./call.ts";

/** Requests after which another caller takes over: one may send 100 in a minute, and the next test sends some more. */
const REQUESTS = 50;

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
  let current: { caller: Promise<Caller>; file: number } | undefined;
  const isTired = (caller: Caller) => sentBy("key" in caller ? caller.key : caller.token) >= REQUESTS;
  return async () => {
    if (!current || current.file !== file || isTired(await current.caller)) current = { caller: make(), file };
    return current.caller;
  };
}
