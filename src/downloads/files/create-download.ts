import { notFound, unauthorized } from "../../domain/errors.ts";
import type { Caller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { checkAccess, downloadDenied } from "./access.ts";
import { isData, readText } from "./content.ts";
import { countDownload } from "./count-queries.ts";
import { LINK_MS, newLink, signLink } from "./link.ts";
import { findFile } from "./queries.ts";
import { toData, toLink } from "./schemas.ts";

/** What `createDownload` needs besides the file. */
type DownloadDependencies = {
  env: Env;
  db: Database;
  settings: Settings;
  origin: string;
  /** Not for HEAD: nothing is downloaded by it. */
  counts: boolean;
};

/** Returns a file as data or as a download link, if the caller is entitled to it. Data counts as a download at once. */
export async function createDownload(
  { env, db, settings, origin, counts }: DownloadDependencies,
  caller: Caller,
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
  const link = newLink(caller, file, access.package?.id ?? null);
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
