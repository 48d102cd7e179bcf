import type { Context } from "hono";
import { fieldError, forbidden } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { inBackground } from "../../platform/http/background.ts";
import { packageStatus } from "../packages/public.ts";
import { type DeniedReason, downloadDenied, reasonOf } from "./access.ts";
import { answerContent } from "./answer-content.ts";
import { countBytes, uncountBytes } from "./count-queries.ts";
import { countingBytes } from "./counting-bytes.ts";
import type { Link } from "./link.ts";
import { findLinkTarget, type LinkTarget } from "./queries.ts";
import type { FileRow } from "./schemas.ts";

/** The part of a Context that `serveDownload` needs. */
type DownloadContext = Pick<Context, "executionCtx"> & { env: Env; var: { db: Database }; req: { raw: Request } };

/**
 * Serves the file of a download link, or the range that is asked for. The entitlement is checked again. A download is counted
 * once for each link, when its first bytes are sent; the bytes of every request are counted.
 */
export async function serveDownload(c: DownloadContext, link: Link): Promise<Response> {
  const [{ db }, now] = [c.var, Date.now()];
  const file = contentFor(link, await stillEntitled(db, link, now));
  const { packageId } = link;
  if (packageId === null || file.access !== "package") return answerContent(c.env.FILES, file, c.req.raw);
  return answerContent(c.env.FILES, file, c.req.raw, async (bytes, length) => {
    await countBytes(db, { id: link.id, packageId, fileId: file.id, createdAt: now }, file.sizeBytes, length);
    const { readable, ended } = countingBytes(bytes, length);
    const uncount = async (taken: number) => taken < length && uncountBytes(db, link.id, length - taken);
    inBackground(c, "give back the bytes that were not taken", ended.then(uncount));
    return readable;
  });
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

/** A download continues with the version that it began with. */
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
