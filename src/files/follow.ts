import { create as contentDisposition } from "content-disposition";
import type { Database } from "../db/client.ts";
import { packageStatus } from "../entitlement.ts";
import { fieldError, forbidden } from "../errors.ts";
import { isNotModified, requireMatch } from "../http/version.ts";
import { type DeniedReason, downloadDenied, reasonOf } from "./access.ts";
import { readContent } from "./content.ts";
import type { Link } from "./link.ts";
import { countDownload, findLinkTarget, type LinkTarget } from "./queries.ts";
import { type ByteRange, requestedRange } from "./range.ts";
import type { FileRow } from "./schemas.ts";

/**
 * Answers a link with the file's bytes, or the part that is asked for. The right to them is looked up again; the
 * download is counted when the first bytes flow, and never again for the same link.
 */
export async function followLink(env: Env, db: Database, link: Link, request: Request): Promise<Response> {
  const now = Date.now();
  const target = await stillEntitled(db, link, now);
  const { counted } = target;
  const file = contentFor(link, target);
  const etag = `"${file.sha256}"`;
  requireMatch(request.headers.get("If-Match"), etag);
  if (isNotModified(request.headers, etag)) return new Response(null, { status: 304, headers: validators(etag) });
  const isHead = request.method === "HEAD";
  const range = isHead ? null : requestedRange(request.headers, file.sizeBytes, etag);
  const headers = contentHeaders(file, etag, range);
  const status = range ? 206 : 200;
  if (isHead) return new Response(null, { status, headers });
  const content = await readContent(
    env.FILES,
    file,
    range ? { offset: range.start, length: lengthOf(range) } : undefined,
  );
  if (link.packageId !== null && file.access === "package" && !counted) {
    await countDownload(db, link.id, link.packageId, file.id, now).catch(async (error: unknown) => {
      await content.body.cancel();
      throw error;
    });
  }
  return new Response(content.body, { status, headers });
}

async function stillEntitled(db: Database, link: Link, now: number): Promise<LinkTarget> {
  const target = await findLinkTarget(db, link, now);
  if (!target) throw denied("no_package");
  const { file, held, counted } = target;
  if (file.access === "authenticated" && link.holder === "anonymous") throw denied("login_required");
  if (file.access !== "package") return target;
  const status = held && packageStatus(held, now);
  if (status === "active" || (status === "exhausted" && counted)) return target;
  throw denied(status ? reasonOf[status] : "no_package");
}

/** A download goes on with the content that it began with: the rest of another one would be of no use. */
function contentFor({ version }: Link, { file, replaced }: LinkTarget): FileRow {
  if (file.version === version) return file;
  if (replaced) return { ...file, ...replaced };
  throw forbidden(
    "link_outdated",
    "The file has a new version: ask for a new link",
    fieldError("token", "link_outdated", "is for an earlier version"),
  );
}

const denied = (reason: DeniedReason) => downloadDenied("This file can no longer be downloaded", reason);

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
