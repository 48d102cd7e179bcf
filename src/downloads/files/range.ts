import { rangeNotSatisfiable } from "../../domain/errors.ts";

/** One part of a file: `start` and `end` count bytes from 0, both included. */
export type ByteRange = { start: number; end: number };

/**
 * The part that a request asks for, or null for the whole: without Range, malformed, in another unit than bytes, in
 * several parts, or when If-Range names other content than `etag`. A range outside of the file is refused.
 */
export function requestedRange(headers: Headers, sizeBytes: number, etag: string): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.get("Range") ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  const condition = headers.get("If-Range");
  if (condition !== null && condition !== etag) return null;
  const end = sizeBytes - 1;
  // Without a first byte the last ones are meant: `-500`.
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  if (start > end) throw rangeNotSatisfiable(sizeBytes);
  return { start, end: first === "" || last === "" ? end : Math.min(Number(last), end) };
}
