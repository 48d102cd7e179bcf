import { dress } from "../http/manners.ts";

/** An answer of the catalogue, which says the same whoever asks. Times are epoch milliseconds. */
export type BuiltAnswer = { body: string; etag: string; link: string | null; builtAt: number };

/**
 * The same as it is kept: `like` is that answer without its body, to be copied with one call; `isShared` says whether the
 * data centre's cache has it too.
 */
export type KeptAnswer = BuiltAnswer & { like: Response; isShared: boolean };

export const PRIVATE = { "Cache-Control": "private, no-cache" };

export function toKept(built: BuiltAnswer, isShared: boolean): KeptAnswer {
  const headers = new Headers({ ETag: built.etag, "Content-Type": "application/json", ...PRIVATE });
  if (built.link !== null) headers.set("Link", built.link);
  dress(headers);
  return { ...built, isShared, like: new Response(null, { headers }) };
}
