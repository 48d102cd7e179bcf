import { create as contentDisposition } from "content-disposition";
import { isNotModified, requireMatch } from "../http/version.ts";
import { readContent } from "./content.ts";
import { type ByteRange, requestedRange } from "./range.ts";
import type { FileRow } from "./schemas.ts";

/** Answers with a file's bytes, or the part that is asked for. `beforeBytes` is done when the first of them is about to flow. */
export async function answerContent(
  bucket: R2Bucket,
  file: FileRow,
  request: Request,
  beforeBytes: () => Promise<void> = async () => undefined,
): Promise<Response> {
  const etag = `"${file.sha256}"`;
  requireMatch(request.headers.get("If-Match"), etag);
  if (isNotModified(request.headers, etag)) return new Response(null, { status: 304, headers: validators(etag) });
  const isHead = request.method === "HEAD";
  const range = isHead ? null : requestedRange(request.headers, file.sizeBytes, etag);
  const headers = contentHeaders(file, etag, range);
  const status = range ? 206 : 200;
  if (isHead) return new Response(null, { status, headers });
  const content = await readContent(bucket, file, range ? { offset: range.start, length: lengthOf(range) } : undefined);
  await beforeBytes().catch(async (error: unknown) => {
    await content.body.cancel();
    throw error;
  });
  return new Response(content.body, { status, headers });
}

const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

const validators = (etag: string) => ({ ETag: etag, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache" });

/** Always an attachment: whatever a file holds, no browser runs it on this origin. */
function contentHeaders(file: FileRow, etag: string, range: ByteRange | null): Record<string, string> {
  return {
    ...validators(etag),
    "Content-Type": file.mimeType,
    "Content-Disposition": contentDisposition(file.fileName),
    // A picture, say, on a page that takes from other origins only what is meant for it.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Length": String(range ? lengthOf(range) : file.sizeBytes),
    ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
  };
}
