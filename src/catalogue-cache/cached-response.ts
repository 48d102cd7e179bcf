import { setSecurityHeaders } from "../http/security-headers.ts";

/** A response of the catalogue, equal for everybody who may see as much. Times are epoch milliseconds. */
export type BuiltResponse = { body: string; etag: string; link: string | null; builtAt: number };

/**
 * A response as the isolate's memory holds it: `template` has its headers and no body, so that copying it takes one call;
 * `isShared` tells whether the data centre's cache has it too.
 */
export type CachedResponse = BuiltResponse & { template: Response; isShared: boolean };

export const PRIVATE_CACHE = { "Cache-Control": "private, no-cache" };

export function toCachedResponse(built: BuiltResponse, isShared: boolean): CachedResponse {
  const headers = new Headers({ ETag: built.etag, "Content-Type": "application/json", ...PRIVATE_CACHE });
  if (built.link !== null) headers.set("Link", built.link);
  setSecurityHeaders(headers);
  return { ...built, isShared, template: new Response(null, { headers }) };
}
