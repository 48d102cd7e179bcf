import { dress } from "../http/manners.ts";

/** What an answer of the catalogue says whoever asks, and when it was built. Times are epoch milliseconds. */
export type Said = { body: string; etag: string; link: string | null; builtAt: number };

/** The same as it is kept: `like` is that answer without its body, to be copied with one call. */
export type KeptAnswer = Said & { like: Response };

export const PRIVATE = { "Cache-Control": "private, no-cache" };

export function kept(said: Said): KeptAnswer {
  const headers = new Headers({ ETag: said.etag, "Content-Type": "application/json", ...PRIVATE });
  if (said.link !== null) headers.set("Link", said.link);
  dress(headers);
  return { ...said, like: new Response(null, { headers }) };
}
