import { create as contentDisposition } from "content-disposition";
import { rangeNotSatisfiable, unavailable } from "../../../domain/errors.ts";
import { logFault } from "../../../platform/http/log.ts";
import { isNotModified, requireMatch } from "../../../platform/http/version.ts";
import type { FileRow } from "../schemas.ts";
import { servedType } from "../uploads/content-type.ts";

/** Wraps `length` bytes that are about to be sent. */
type Serve = (bytes: ReadableStream<Uint8Array>, length: number) => Promise<ReadableStream>;

/** Answers with a file's bytes, or the requested range. */
export async function answerContent(
  bucket: R2Bucket,
  file: FileRow,
  request: Request,
  serve: Serve = async (bytes) => bytes,
): Promise<Response> {
  const etag = `"${file.sha256}"`;
  requireMatch(request.headers.get("If-Match"), etag);
  if (isNotModified(request.headers, etag)) return new Response(null, { status: 304, headers: validators(etag) });
  const isHead = request.method === "HEAD";
  const range = isHead ? null : requestedRange(request.headers, file.sizeBytes, etag);
  const headers = contentHeaders(file, etag, range);
  const status = range ? 206 : 200;
  if (isHead) return new Response(null, { status, headers });
  const length = range ? lengthOf(range) : file.sizeBytes;
  const { body } = await readContent(bucket, file, range ? { offset: range.start, length } : undefined);
  const bytes = await serve(body, length).catch(async (error: unknown) => {
    await body.cancel();
    throw error;
  });
  return new Response(bytes, { status, headers });
}

const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

/**
 * `no-transform` keeps Cloudflare from compressing the file, which would make its ETag weak and remove its length
 * (developers.cloudflare.com/speed/optimization/content/compression). If-Range needs a strong ETag to resume a download.
 */
const validators = (etag: string) => ({
  ETag: etag,
  "Accept-Ranges": "bytes",
  "Cache-Control": "private, no-cache, no-transform",
});

/** Always an attachment, so that no browser runs a file's content on this origin. */
function contentHeaders(file: FileRow, etag: string, range: ByteRange | null): Record<string, string> {
  return {
    ...validators(etag),
    "Content-Type": servedType(file.mimeType),
    "Content-Disposition": contentDisposition(file.fileName),
    // Allows other origins' pages to embed the file, such as a picture.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Length": String(range ? lengthOf(range) : file.sizeBytes),
    ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
  };
}

/** Larger texts are served as links: a JSON response is held in memory on both sides. */
const MAX_DATA_BYTES = 64 * 1024;

/** Returns true for text or JSON short enough to be answered as data. */
export const isData = ({ mimeType, sizeBytes }: FileRow): boolean =>
  sizeBytes <= MAX_DATA_BYTES && /^(text\/|application\/json(;|$))/.test(mimeType);

/** Reads a file's stored bytes, or a range of them. A row without its object is an internal error. */
async function readContent(bucket: R2Bucket, file: FileRow, range?: R2Range): Promise<R2ObjectBody> {
  const object = await bucket.get(file.r2Key, range ? { range } : {}).catch((error: unknown) => {
    logFault("R2 unavailable", error, { file: file.id });
    throw unavailable();
  });
  if (!object) throw new Error(`File ${file.id} has no object ${file.r2Key}`);
  return object;
}

/** Reads a short text without changing a byte. Null if it is not UTF-8 and has to be served as a link. */
export async function readText(bucket: R2Bucket, file: FileRow): Promise<string | null> {
  const object = await readContent(bucket, file);
  const bytes = await object.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Byte range of a file. `start` and `end` count from 0, both inclusive. */
type ByteRange = { start: number; end: number };

/**
 * Returns the requested range, or null for the whole file: if Range is absent, malformed, not in bytes or has several parts,
 * or if If-Range does not match `etag`. A weak ETag never matches (RFC 9110, 13.1.5): its sender may hold compressed bytes,
 * whose positions differ. Refuses a range outside the file.
 */
export function requestedRange(headers: Headers, sizeBytes: number, etag: string): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.get("Range") ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  const condition = headers.get("If-Range");
  if (condition !== null && condition !== etag) return null;
  const end = sizeBytes - 1;
  // Without a first byte, the range counts from the end: `-500`.
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  if (start > end) throw rangeNotSatisfiable(sizeBytes);
  return { start, end: first === "" || last === "" ? end : Math.min(Number(last), end) };
}
