import * as z from "zod";
import { IdText, iso, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import type { Caller } from "../../platform/auth/caller.ts";
import { fileAccess, type files } from "../../platform/db/schema.ts";
import { type HeldPackage, remainingOf } from "../packages/public.ts";
import { checkAccess, deniedReasons } from "./access.ts";

export const DownloadQuery = z.strictObject({ file_id: IdText });

export const LinkQuery = z.strictObject({ token: z.string().min(1).max(2_000) });

export type FileRow = typeof files.$inferSelect;

/** The fields of a file that a new version changes. */
export type FileContent = Pick<FileRow, "fileName" | "mimeType" | "sizeBytes" | "sha256" | "r2Key" | "version">;

export type ListedFile = FileRow & { productIds: number[]; held: HeldPackage[] };

const contentFields = { file_name: z.string(), mime_type: z.string(), size_bytes: z.int(), sha256: z.string() };

/** Fields of a file that all responses with the file show. */
export const shownFile = { id: z.int(), name: z.string(), description: z.string(), ...contentFields };

export const File = z
  .object({
    ...shownFile,
    version: z.int().describe("Version number of the content, starting at 1"),
    access: z.enum(fileAccess),
    product_ids: z.array(z.int()).describe("Ids of the products that give access to the file when sold"),
    can_download: z.boolean(),
    denied_reason: z
      .enum(deniedReasons)
      .nullable()
      .describe("Reason why the caller cannot download the file. Null if it can be downloaded"),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "StoredFile" });

export function toFile(file: ListedFile, caller: Caller, now: number): z.output<typeof File> {
  const access = checkAccess(file.access, caller, file.held, now);
  const download = { can_download: access.allowed, denied_reason: access.allowed ? null : access.reason };
  return toRecord(File, file, download);
}

const downloadFields = {
  ...contentFields,
  downloads_remaining: z.int().nullable().describe("Number of downloads. Null if unlimited"),
};

const FileData = z
  .object({ kind: z.literal("data"), encoding: z.literal("utf-8"), content: z.string(), ...downloadFields })
  .meta({ id: "FileData" });

const FileLink = z
  .object({
    kind: z.literal("link"),
    url: z.string().describe("Signed download link, valid for ten minutes. Supports Range requests to resume"),
    expires_at: Timestamp,
    accept_ranges: z.literal("bytes"),
    ...downloadFields,
  })
  .meta({ id: "FileLink" });

export const Download = z.discriminatedUnion("kind", [FileData, FileLink]).meta({
  id: "Download",
  description: "The content itself for small text, JSON and licence files, or a signed link for all others",
});

/** Fields that both kinds of download share. */
const facts = (file: FileRow, held: HeldPackage | null) => ({
  file_name: file.fileName,
  mime_type: file.mimeType,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  downloads_remaining: held && remainingOf(held),
});

export const toData = (file: FileRow, held: HeldPackage | null, content: string): z.output<typeof FileData> => ({
  kind: "data",
  encoding: "utf-8",
  content,
  ...facts(file, held),
});

export const toLink = (
  file: FileRow,
  held: HeldPackage | null,
  url: string,
  expiresAt: number,
): z.output<typeof FileLink> => ({
  kind: "link",
  url,
  expires_at: iso(expiresAt),
  accept_ranges: "bytes",
  ...facts(file, held),
});
