import type { Database } from "../db/client.ts";
import { packageStatus } from "../entitlement.ts";
import { fieldError, forbidden } from "../errors.ts";
import { type DeniedReason, downloadDenied, reasonOf } from "./access.ts";
import { answerContent } from "./answer-content.ts";
import type { Link } from "./link.ts";
import { countDownload, findLinkTarget, type LinkTarget } from "./queries.ts";
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
  return answerContent(env.FILES, file, request, async () => {
    if (link.packageId === null || file.access !== "package" || counted) return;
    await countDownload(db, link.id, link.packageId, file.id, now);
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
