import { setSecurityHeaders } from "../http/security-headers.ts";

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
