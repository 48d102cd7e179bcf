import { sentBy } from "./call.ts";

/** Requests after which another caller takes over: one may send 100 in a minute, and the next test sends some more. */
const REQUESTS = 50;

/**
 * A caller whom tests of one file share, made by `make` now and then. The first request of a caller costs as much as five
 * others: it opens the objects that count it.
 */
export function shared<Caller extends { token: string } | { key: string }>(
  make: () => Promise<Caller>,
): () => Promise<Caller> {
  let current: Promise<Caller> | undefined;
  return async () => {
    const known = await current;
    if (!known || sentBy("key" in known ? known.key : known.token) >= REQUESTS) current = make();
    return current as Promise<Caller>;
  };
}
