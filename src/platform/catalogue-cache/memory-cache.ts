import { setSecurityHeaders } from "../http/security-headers.ts";

/** Lifetime of a cached response. */
const MAX_AGE_MS = 30_000;

/** Memory for cached responses of the isolate's 128 MB. */
const MAX_BYTES = 4_000_000;

/**
 * Maximum number of responses, however short. A reused one takes 4 kB outside the heap in addition to its body,
 * measured in workerd.
 */
const MAX_RESPONSES = 2_000;

export const isFresh = ({ builtAt }: CachedResponse, now: number): boolean => now - builtAt < MAX_AGE_MS;

/** An LRU cache of responses in this isolate's memory. */
export class MemoryCache {
  #responses = new Map<string, CachedResponse>();
  #bytes = 0;
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
    if (answer.body.byteLength > MAX_BYTES / 4 || answer.builtAt <= this.#purgedAt) return;
    this.#add(key, answer);
    for (const [oldest, dropped] of this.#responses) {
      if (this.#bytes <= MAX_BYTES && this.#responses.size <= MAX_RESPONSES) return;
      this.#remove(oldest, dropped);
    }
  }

  /** Empties the cache and rejects responses built up to `now`. */
  purge(now: number): void {
    this.#responses.clear();
    this.#bytes = 0;
    this.#purgedAt = now;
  }

  #add(key: string, answer: CachedResponse): void {
    this.#responses.set(key, answer);
    this.#bytes += key.length + answer.body.byteLength;
  }

  #remove(key: string, answer: CachedResponse): void {
    this.#responses.delete(key);
    this.#bytes -= key.length + answer.body.byteLength;
  }
}

/** A catalogue response, the same for all callers with the same access. Times are epoch milliseconds. */
export type BuiltResponse = { body: ArrayBuffer; etag: string; link: string | null; builtAt: number };

/**
 * A response in the isolate's memory. `isShared` means that the data centre's cache has it too. `template` has its
 * headers without a body, so that a copy takes one call. It is created on reuse, because most responses are not reused,
 * and each Response takes 4 kB outside the heap and collector time.
 */
export type CachedResponse = BuiltResponse & { isShared: boolean; template?: Response };

export const PRIVATE_CACHE = { "Cache-Control": "private, no-cache" };

export function headersOf({ etag, link }: BuiltResponse): Headers {
  const headers = new Headers({ ETag: etag, "Content-Type": "application/json", ...PRIVATE_CACHE });
  if (link !== null) headers.set("Link", link);
  return headers;
}

/** Returns another Response with the same content. */
export function copyOf(cached: CachedResponse): Response {
  cached.template ??= templateOf(cached);
  return new Response(cached.body, cached.template);
}

function templateOf(cached: CachedResponse): Response {
  const headers = headersOf(cached);
  setSecurityHeaders(headers);
  return new Response(null, { headers });
}
