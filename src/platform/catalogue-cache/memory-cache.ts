import { setSecurityHeaders } from "../http/security-headers.ts";

/** A cached response is used for so long after it was built. */
const MAX_AGE_MS = 30_000;

/** How much of the isolate's 128 MB the cached responses may take, counted in UTF-16 units. */
const MAX_UNITS = 4_000_000;

/** However short: one that is used again takes 4 kB outside of the heap beside its text, measured in workerd. */
const MAX_RESPONSES = 2_000;

export const isFresh = ({ builtAt }: CachedResponse, now: number): boolean => now - builtAt < MAX_AGE_MS;

/** The responses in this isolate's memory: an LRU cache. */
export class MemoryCache {
  #responses = new Map<string, CachedResponse>();
  #units = 0;
  #purgedAt = Number.NEGATIVE_INFINITY;

  get(key: string, now: number): CachedResponse | undefined {
    const answer = this.#responses.get(key);
    if (!answer) return undefined;
    this.#remove(key, answer);
    if (!isFresh(answer, now)) return undefined;
    this.#add(key, answer);
    return answer;
  }

  set(key: string, answer: CachedResponse): void {
    const before = this.#responses.get(key);
    if (before) this.#remove(key, before);
    if (answer.body.length > MAX_UNITS / 4 || answer.builtAt <= this.#purgedAt) return;
    this.#add(key, answer);
    for (const [oldest, dropped] of this.#responses) {
      if (this.#units <= MAX_UNITS && this.#responses.size <= MAX_RESPONSES) return;
      this.#remove(oldest, dropped);
    }
  }

  /** Empties the cache, and rejects from now on every response that was built up to `now`. */
  purge(now: number): void {
    this.#responses.clear();
    this.#units = 0;
    this.#purgedAt = now;
  }

  #add(key: string, answer: CachedResponse): void {
    this.#responses.set(key, answer);
    this.#units += key.length + answer.body.length;
  }

  #remove(key: string, answer: CachedResponse): void {
    this.#responses.delete(key);
    this.#units -= key.length + answer.body.length;
  }
}

/** A response of the catalogue, equal for everybody who may see as much. Times are epoch milliseconds. */
export type BuiltResponse = { body: string; etag: string; link: string | null; builtAt: number };

/**
 * A response as the isolate's memory holds it: `isShared` tells whether the data centre's cache has it too. `template` has its
 * headers and no body, so that copying it takes one call. It is made when the response is used again: most are not, and each
 * Response and its headers take 4 kB outside of the heap and the collector's time.
 */
export type CachedResponse = BuiltResponse & { isShared: boolean; template?: Response };

export const PRIVATE_CACHE = { "Cache-Control": "private, no-cache" };

export function headersOf({ etag, link }: BuiltResponse): Headers {
  const headers = new Headers({ ETag: etag, "Content-Type": "application/json", ...PRIVATE_CACHE });
  if (link !== null) headers.set("Link", link);
  return headers;
}

/** Another Response of the same content. */
export function copyOf(cached: CachedResponse): Response {
  cached.template ??= templateOf(cached);
  return new Response(cached.body, cached.template);
}

function templateOf(cached: CachedResponse): Response {
  const headers = headersOf(cached);
  setSecurityHeaders(headers);
  return new Response(null, { headers });
}
