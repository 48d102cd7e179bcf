import { create as contentDisposition } from "content-disposition";
import { rangeNotSatisfiable, unavailable } from "../../domain/errors.ts";
import { logFault } from "../../platform/http/log.ts";
import { isNotModified, requireMatch } from "../../platform/http/version.ts";
import { servedType } from "./content-type.ts";
import type { FileRow } from "./schemas.ts";

/** What is done with bytes when they are about to flow, `length` of them. */
type Serve = (bytes: ReadableStream<Uint8Array>, length: number) => Promise<ReadableStream>;

/** Answers with a file's bytes, or the part that is asked for. */
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

const validators = (etag: string) => ({ ETag: etag, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache" });

/** Always an attachment: whatever a file holds, no browser runs it on this origin. */
function contentHeaders(file: FileRow, etag: string, range: ByteRange | null): Record<string, string> {
  return {
    ...validators(etag),
    "Content-Type": servedType(file.mimeType),
    "Content-Disposition": contentDisposition(file.fileName),
    // A picture, say, on a page that takes from other origins only what is meant for it.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Length": String(range ? lengthOf(range) : file.sizeBytes),
    ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
  };
}

/** Larger texts are links too: a JSON answer is held in memory on both sides. */
const MAX_DATA_BYTES = 64 * 1024;

/** Whether a file is answered as data: a text or JSON short enough to be read rather than saved. */
export const isData = ({ mimeType, sizeBytes }: FileRow): boolean =>
  sizeBytes <= MAX_DATA_BYTES && /^(text\/|application\/json(;|$))/.test(mimeType);

/** The stored bytes of a file, or of a part of it. A row without its object is a fault of ours. */
async function readContent(bucket: R2Bucket, file: FileRow, range?: R2Range): Promise<R2ObjectBody> {
  const object = await bucket.get(file.r2Key, range ? { range } : {}).catch((error: unknown) => {
    logFault("R2 is out of reach", error, { file: file.id });
    throw unavailable();
  });
  if (!object) throw new Error(`File ${file.id} has no object ${file.r2Key}`);
  return object;
}

/** The whole of a short text, to the byte; null when it is not UTF-8 and has to be a link after all. */
export async function readText(bucket: R2Bucket, file: FileRow): Promise<string | null> {
  const object = await readContent(bucket, file);
  const bytes = await object.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** One part of a file: `start` and `end` count bytes from 0, both included. */
type ByteRange = { start: number; end: number };

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
