import { Unresolved } from "../../../platform/http/outbound.ts";

/** Time limit for a server to send an image. */
const TIMEOUT_MS = 10_000;

const MOST_REDIRECTS = 3;

/** Thrown with the reason when an image cannot be fetched. */
export class NotFetched extends Error {
  /** True if the server did not answer at all. */
  readonly isUnreachable: boolean;
  constructor(message: string, { isUnreachable = false } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

/** Returns what is wrong with a URL, or null if nothing is. */
export type CheckImageAddress = (url: string) => Promise<string | null>;

/** Passes the response of a URL to `read`, within a time limit. Every redirect is checked before it is followed. */
export async function downloadImage<Result>(
  url: string,
  check: CheckImageAddress,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException("No answer in time", "TimeoutError")), TIMEOUT_MS);
  try {
    return await read(await open(url, check, timeout.signal));
  } catch (error) {
    throw timeout.signal.aborted ? unreachable(`did not answer within ${TIMEOUT_MS / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function open(
  url: string,
  check: CheckImageAddress,
  signal: AbortSignal,
  redirects = 0,
): Promise<AsyncIterable<Uint8Array>> {
  const refusal = await check(url).catch((error: unknown) => {
    throw error instanceof Unresolved ? unreachable("has a name that could not be resolved") : error;
  });
  if (refusal !== null) throw new NotFetched(refusal);
  const headers = { Accept: "image/*", "User-Agent": "Storefront-Images" };
  const response = await fetch(url, { headers, redirect: "manual", signal }).catch(() => {
    throw unreachable("could not be connected to");
  });
  if (response.ok && response.body) return bytesOf(response.body);
  await response.body?.cancel().catch(() => undefined);
  const location = response.headers.get("Location");
  const next = response.status >= 300 && response.status < 400 && location ? URL.parse(location, url) : null;
  if (!next) throw new NotFetched(`answered ${response.status}`);
  if (redirects === MOST_REDIRECTS) throw new NotFetched("redirects too often");
  return open(next.href, check, signal, redirects + 1);
}

async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw unreachable("broke off");
  }
}

const unreachable = (message: string) => new NotFetched(message, { isUnreachable: true });
