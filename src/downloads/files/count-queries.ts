import { eq, sql } from "drizzle-orm";
import { fieldError, forbidden } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { downloads } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { downloadDenied } from "./access.ts";

type Download = { id: string; packageId: number; fileId: number; createdAt: number };

/** A link that was counted serves its file so often: for downloads that break off, and not for everybody it is passed on to. */
const TIMES_SERVED = 3;

const refusals = {
  downloads_within_limit: () => downloadDenied("The package has no downloads left", "limit_reached"),
  package_ended: () => downloadDenied("The package has ended", "expired"),
  download_serves_its_bytes: () =>
    forbidden(
      "link_exhausted",
      `The link has served its file ${TIMES_SERVED} times over: ask for a new one`,
      fieldError("token", "link_exhausted", "has served its file too often"),
    ),
};

/** Counts a download that is answered as data. The database refuses one too many. */
export async function countDownload(db: Database, download: Download): Promise<void> {
  await translateViolations(db.insert(downloads).values(download).run(), refusals);
}

/** Counts what a link is about to serve: its first bytes as a download, and all of them as bytes of it. */
export async function countBytes(db: Database, download: Download, sizeBytes: number, bytes: number): Promise<void> {
  const count = db
    .insert(downloads)
    .values({ ...download, bytesLeft: TIMES_SERVED * sizeBytes - bytes })
    .onConflictDoUpdate({ target: downloads.id, set: { bytesLeft: sql`${downloads.bytesLeft} - ${bytes}` } });
  await translateViolations(count.run(), refusals);
}

/** Subtracts bytes that were counted and not sent, so that an interrupted download can be resumed. */
export const uncountBytes = (db: Database, id: string, bytes: number) =>
  db
    .update(downloads)
    .set({ bytesLeft: sql`${downloads.bytesLeft} + ${bytes}` })
    .where(eq(downloads.id, id));
