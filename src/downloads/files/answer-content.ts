import { create as contentDisposition } from "content-disposition";
import { isNotModified, requireMatch } from "../../platform/http/version.ts";
import { readContent } from "./content.ts";
import { servedType } from "./content-type.ts";
import { type ByteRange, requestedRange } from "./range.ts";
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
