import { logFault } from "../http/log.ts";
import { type CachedResponse, isFresh, MemoryCache } from "./memory-cache.ts";

// Catalogue responses are cached in two places: this isolate's memory, and the Cache API of its data centre. A key is a
// URL on the deployment's own host. Neither cache is required: missing responses are read from the database.

const memory = new MemoryCache();

/** The keys last requested from this isolate, whether or not it still has their responses. */
class RequestedKeys {
  #keys = new Set<string>();

  /** Returns true if the key was requested before, and remembers it. */
  again(key: string): boolean {
    const known = this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= MAX_KEYS) break;
      this.#keys.delete(oldest);
    }
    return known;
  }
}

/** Number of remembered keys: about a megabyte of the isolate's 128. */
const MAX_KEYS = 4_000;

const requested = new RequestedKeys();

const BUILT_AT = "X-Built-At";

/** The Cache API key of the time at which the catalogue was last purged in this data centre, in epoch milliseconds. */
const purgeKeyOf = (origin: string): string => `${origin}/.catalogue/purged-at`;

/**
 * A cached response that is fresh enough to use, from memory or from the Cache API. The Cache API is not called for a
 * key that is new to this isolate, because most filters are used once, and the call takes about as long as reading a
 * product.
 */
export async function findCachedResponse(key: string, now: number): Promise<CachedResponse | undefined> {
  const near = memory.get(key, now);
  if (near) return near;
  if (!requested.again(key)) return undefined;
  const answer = await fromCache(key);
  if (!answer || !isFresh(answer, now)) return undefined;
  if (answer.builtAt <= (await purgedAt(new URL(key).origin))) return undefined;
  memory.set(key, answer);
  return answer;
}

async function fromCache(key: string): Promise<CachedResponse | undefined> {
  try {
    const answer = await caches.default.match(key);
    if (!answer) return undefined;
    const { headers } = answer;
    return {
      body: await answer.arrayBuffer(),
      etag: headers.get("ETag") ?? "",
      link: headers.get("Link"),
      builtAt: Number(headers.get(BUILT_AT)),
      isShared: true,
    };
  } catch (error) {
    logFault("catalogue cache unavailable", error);
    return undefined;
  }
}

/** If the purge time cannot be read, the catalogue may have been purged at any time. */
async function purgedAt(origin: string): Promise<number> {
  try {
    const purge = await caches.default.match(purgeKeyOf(origin));
    return purge ? Number(await purge.text()) : 0;
  } catch (error) {
    logFault("catalogue cache unavailable", error);
    return Number.POSITIVE_INFINITY;
  }
}

export const cacheResponse = (key: string, answer: CachedResponse): void => memory.set(key, answer);

/**
 * Shares a response with the data centre's other isolates, once it was requested again, because most filters are used
 * once.
 */
export function shareResponse(key: string, answer: CachedResponse): Promise<void> {
  answer.isShared = true;
  const { body, etag, link, builtAt } = answer;
  const headers = new Headers({ "Cache-Control": "public, max-age=30", ETag: etag, [BUILT_AT]: String(builtAt) });
  if (link !== null) headers.set("Link", link);
  return caches.default.put(key, new Response(body, { headers }));
}

/**
 * Invalidates every response built so far, in this isolate's memory and its data centre's cache, and those being built
 * now. Responses in other isolates' memory expire by age.
 */
export async function purgeResponses(origin: string, now: number): Promise<void> {
  memory.purge(now);
  try {
    const headers = { "Cache-Control": "public, max-age=60" };
    await caches.default.put(purgeKeyOf(origin), new Response(String(now), { headers }));
  } catch (error) {
    logFault("catalogue cache not purged; it is stale for at most 30 s", error);
  }
}
