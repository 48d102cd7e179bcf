import type { packages } from "../db/schema.ts";
import { packageStatus, remainingOf } from "../entitlement.ts";
import { iso, isoOrNull } from "../http/fields.ts";

export type PackageRow = typeof packages.$inferSelect & { files: { id: number; name: string }[] };

export const toPackage = (row: PackageRow, now: number) => ({
  id: row.id,
  name: row.name,
  order_id: row.orderId,
  files: row.files,
  status: packageStatus(row, now),
  download_limit: row.downloadLimit,
  downloads_used: row.downloadsUsed,
  downloads_remaining: remainingOf(row),
  starts_at: iso(row.startsAt),
  expires_at: isoOrNull(row.expiresAt),
});
