import { eq, sql } from "drizzle-orm";
import type { Context } from "hono";
import { fieldError, forbidden, notFound, unauthorized } from "../../../domain/errors.ts";
import type { Database } from "../../../platform/db/client.ts";
import { downloads } from "../../../platform/db/schema.ts";
import { translateViolations } from "../../../platform/db/statements.ts";
import { inBackground } from "../../../platform/http/background.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { packageStatus } from "../../packages/public.ts";
import { checkAccess, type DeniedReason, type Downloader, downloadDenied, reasonOf } from "../access.ts";
import { type FileRow, toData, toLink } from "../schemas.ts";
import { answerContent, isData, readText } from "./answer-content.ts";
import {
  type DownloadLink,
  findFile,
  findLinkTarget,
  LINK_MS,
  type LinkTarget,
  newDownloadLink,
  signLink,
} from "./downloads.ts";

/** The part of a Context that `serveDownload` needs. */
type DownloadContext = Pick<Context, "executionCtx"> & { env: Env; var: { db: Database }; req: { raw: Request } };

/**
 * Serves the file of a download link, or the requested range. The entitlement is checked again. A download is counted once
 * per link, when its first bytes are sent; the bytes of every request are counted.
 */
export async function serveDownload(c: DownloadContext, link: DownloadLink): Promise<Response> {
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

async function stillEntitled(db: Database, link: DownloadLink, now: number): Promise<LinkTarget> {
  const target = await findLinkTarget(db, link, now);
  if (!target) throw denied("no_package");
  const { file, held, counted } = target;
  if (file.access === "authenticated" && link.holder === "anonymous") throw denied("login_required");
  if (file.access !== "package") return target;
  const status = held && packageStatus(held, now);
  if (status === "active" || (status === "exhausted" && counted)) return target;
  throw denied(status ? reasonOf[status] : "no_package");
}

/** A download continues with the version it started with. */
function contentFor({ version }: DownloadLink, { file, replaced }: LinkTarget): FileRow {
  if (file.version === version) return file;
  if (replaced) return { ...file, ...replaced };
  throw forbidden(
    "link_outdated",
    "The file has a new version. Request a new link",
    fieldError("token", "link_outdated", "is for an earlier version"),
  );
}

const denied = (reason: DeniedReason) => downloadDenied("This file can no longer be downloaded", reason);

type Download = { id: string; packageId: number; fileId: number; createdAt: number };

/**
 * How many times its size a counted link serves: enough to resume broken downloads, too little for sharing the link widely.
 */
const TIMES_SERVED = 3;

const refusals = {
  downloads_within_limit: () => downloadDenied("The package has no downloads left", "limit_reached"),
  package_ended: () => downloadDenied("The package has expired", "expired"),
  download_serves_its_bytes: () =>
    forbidden(
      "link_exhausted",
      `The link has served ${TIMES_SERVED} times the size of the file. Request a new one`,
      fieldError("token", "link_exhausted", "has served its file too often"),
    ),
};

/** Counts a download that is answered as data. The database refuses downloads over the limit. */
async function countDownload(db: Database, download: Download): Promise<void> {
  await translateViolations(db.insert(downloads).values(download).run(), refusals);
}

/** Counts bytes that a link is about to serve, and a download if they are its first. */
async function countBytes(db: Database, download: Download, sizeBytes: number, bytes: number): Promise<void> {
  const count = db
    .insert(downloads)
    .values({ ...download, bytesLeft: TIMES_SERVED * sizeBytes - bytes })
    .onConflictDoUpdate({ target: downloads.id, set: { bytesLeft: sql`${downloads.bytesLeft} - ${bytes}` } });
  await translateViolations(count.run(), refusals);
}

/** Subtracts bytes that were counted but not sent, so that an interrupted download can be resumed. */
const uncountBytes = (db: Database, id: string, bytes: number) =>
  db
    .update(downloads)
    .set({ bytesLeft: sql`${downloads.bytesLeft} + ${bytes}` })
    .where(eq(downloads.id, id));

/**
 * Passes a file's bytes on and counts those that were read. `ended` resolves to the count at the end, or when the client
 * disconnects.
 */
function countingBytes(content: ReadableStream<Uint8Array>, length: number) {
  let taken = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      taken += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const { readable, writable } = new FixedLengthStream(length);
  const passed = content.pipeThrough(counting).pipeTo(writable);
  const ended = passed.catch(() => undefined).then(() => taken);
  return { readable, ended };
}

export type DownloadDependencies = {
  env: Env;
  db: Database;
  settings: Settings;
  origin: string;
  /** False for HEAD, which downloads nothing. */
  counts: boolean;
};

/** Returns a file as data or as a download link, if the caller is entitled to it. Data counts as a download immediately. */
export async function createDownload(
  { env, db, settings, origin, counts }: DownloadDependencies,
  caller: Downloader,
  fileId: number,
) {
  const now = Date.now();
  const file = await findFile(db, caller, fileId, now);
  if (!file)
    throw caller.kind === "anonymous"
      ? unauthorized("unauthorized", "Log in to download this file")
      : notFound(`File ${fileId}`);
  const access = checkAccess(file.access, caller, file.held, now);
  if (!access.allowed) throw downloadDenied("This file cannot be downloaded", access.reason);
  const link = newDownloadLink(caller, file, access.package?.id ?? null);
  const content = isData(file) ? await readText(env.FILES, file) : null;
  if (content !== null) {
    if (link.packageId !== null && counts)
      await countDownload(db, { id: link.id, packageId: link.packageId, fileId: file.id, createdAt: now });
    return toData(file, access.package && afterOneMore(access.package), content);
  }
  const expiresAt = now + LINK_MS;
  const url = new URL("/api/v1/user/downloads", origin);
  url.searchParams.set("token", await signLink(settings.linkSecrets, link, expiresAt));
  return toLink(file, access.package, url.href, expiresAt);
}

const afterOneMore = <Held extends { downloadsUsed: number }>(held: Held): Held => ({
  ...held,
  downloadsUsed: held.downloadsUsed + 1,
});
