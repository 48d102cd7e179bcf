import * as z from "zod";
import { Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import type { packages } from "../../platform/db/schema.ts";

const PackageFile = z.object({ id: z.int(), name: z.string(), file_name: z.string(), size_bytes: z.int() });

export type PackageRow = typeof packages.$inferSelect & { files: z.output<typeof PackageFile>[] };

export const packageStatuses = ["active", "expired", "exhausted", "revoked"] as const;

export const Package = z
  .object({
    id: z.int(),
    name: z.string(),
    order_id: z.int().nullable(),
    files: z.array(PackageFile),
    status: z.enum(packageStatuses),
    download_limit: z
      .int()
      .nullable()
      .describe("Number of downloads, of all units of the order line together. Null if unlimited"),
    downloads_used: z.int(),
    downloads_remaining: z.int().nullable(),
    starts_at: Timestamp,
    expires_at: Timestamp.nullable().describe("Null if it never expires"),
  })
  .meta({ id: "Package", description: "A download package: the files a buyer may download, how often and until when" });
export type Package = z.output<typeof Package>;

/** The fields of a package that depend on its use. */
export const useOf = (row: PackageRow, now: number) => ({
  status: packageStatus(row, now),
  downloads_remaining: remainingOf(row),
});

export const toPackage = (row: PackageRow, now: number): Package => toRecord(Package, row, useOf(row, now));

/** The columns of a download package that decide whether it can still be used. */
export type HeldPackage = {
  id: number;
  /** Null if unlimited. */
  downloadLimit: number | null;
  downloadsUsed: number;
  /** Null if the package never expires. */
  expiresAt: number | null;
  revokedAt: number | null;
};

export type PackageStatus = (typeof packageStatuses)[number];

export function packageStatus(held: HeldPackage, now: number): PackageStatus {
  if (held.revokedAt !== null) return "revoked";
  if (held.expiresAt !== null && held.expiresAt <= now) return "expired";
  return remainingOf(held) === 0 ? "exhausted" : "active";
}

/** Null if unlimited. */
export const remainingOf = ({ downloadLimit, downloadsUsed }: HeldPackage): number | null =>
  downloadLimit === null ? null : downloadLimit - downloadsUsed;
