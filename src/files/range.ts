import parseRange from "range-parser";
import { rangeNotSatisfiable } from "../errors.ts";

/** One part of a file: `start` and `end` count bytes from 0, both included. */
export type ByteRange = { start: number; end: number };

/**
 * The part that a request asks for, or null for the whole: without Range, in another unit than bytes, in several parts,
 * or when If-Range names other content than `etag`. A range outside of the file is refused.
 */
export function requestedRange(headers: Headers, sizeBytes: number, etag: string): ByteRange | null {
  const range = headers.get("Range");
  if (!range?.startsWith("bytes=")) return null;
  const condition = headers.get("If-Range");
  if (condition !== null && condition !== etag) return null;
  const parsed = parseRange(sizeBytes, range);
  if (parsed === -1) throw rangeNotSatisfiable(sizeBytes);
  if (parsed === -2 || parsed.length !== 1) return null;
  return parsed[0] ?? null;
}

/** Whether `If-None-Match` names the content that would be sent. */
export function isNotModified(headers: Headers, etag: string): boolean {
  const known = headers.get("If-None-Match");
  if (known === null) return false;
  return known.split(",").some((candidate) => ["*", etag, `W/${etag}`].includes(candidate.trim()));
}
