import * as z from "zod";
import { Id, iso, isoOrNull, line, Moment } from "../../domain/fields.ts";
import { auditedState, declareFields, distinct } from "../../platform/administration/fields.ts";
import type { PackageRow } from "./schemas.ts";

/** Fields that are set when a package is granted. */
export type PackageState = Pick<PackageRow, "name" | "downloadLimit" | "expiresAt"> & { fileIds: number[] };

/** The fields of a package that administrators edit. */
export const packageFields = declareFields<PackageState>()({
  name: { column: "name", schema: line(200) },
  file_ids: {
    column: "fileIds",
    stored: distinct,
    schema: z.array(Id).min(1, "choose at least one file").max(100),
  },
  download_limit: {
    column: "downloadLimit",
    schema: z.int().min(1).max(1_000_000).nullable().describe("Number of downloads. Null if unlimited"),
    initial: null,
  },
  expires_at: {
    column: "expiresAt",
    schema: Moment.nullable().describe("Null if it never expires"),
    initial: null,
    audited: isoOrNull,
  },
});

export type AuditedPackage = Omit<PackageState, "fileIds"> &
  Pick<PackageRow, "userId" | "startsAt" | "revokedAt"> & { files: { id: number }[] };

/** A package as the audit log records it. */
export const packageState = ({ files, userId, startsAt, revokedAt, ...row }: AuditedPackage) => ({
  ...auditedState(packageFields, { ...row, fileIds: files.map(({ id }) => id) }),
  user_id: userId,
  starts_at: iso(startsAt),
  revoked_at: isoOrNull(revokedAt),
});
