import * as z from "zod";
import type { Caller } from "../auth/caller.ts";
import type { files } from "../db/schema.ts";
import { type HeldPackage, remainingOf } from "../entitlement.ts";
import { IdText, iso } from "../http/fields.ts";
import { judgeAccess } from "./access.ts";

export const DownloadQuery = z.strictObject({ file_id: IdText });

export const LinkQuery = z.strictObject({ token: z.string().min(1).max(2_000) });

export type FileRow = typeof files.$inferSelect;

/** What a new version of a file changes. */
export type FileContent = Pick<FileRow, "fileName" | "mimeType" | "sizeBytes" | "sha256" | "r2Key" | "version">;

export type ListedFile = FileRow & { productIds: number[]; held: HeldPackage[] };

export function toFile(file: ListedFile, caller: Caller, now: number) {
  const access = judgeAccess(file.access, caller, file.held, now);
  return {
    id: file.id,
    name: file.name,
    description: file.description,
    file_name: file.fileName,
    mime_type: file.mimeType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    version: file.version,
    access: file.access,
    product_ids: file.productIds,
    can_download: access.allowed,
    denied_reason: access.allowed ? null : access.reason,
    created_at: iso(file.createdAt),
    updated_at: iso(file.updatedAt),
  };
}

/** What both kinds of download say of the file. */
const facts = (file: FileRow, held: HeldPackage | null) => ({
  file_name: file.fileName,
  mime_type: file.mimeType,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  downloads_remaining: held && remainingOf(held),
});

export const toData = (file: FileRow, held: HeldPackage | null, content: string) => ({
  kind: "data" as const,
  encoding: "utf-8" as const,
  content,
  ...facts(file, held),
});

export const toLink = (file: FileRow, held: HeldPackage | null, url: string, expiresAt: number) => ({
  kind: "link" as const,
  url,
  expires_at: iso(expiresAt),
  accept_ranges: "bytes" as const,
  ...facts(file, held),
});
