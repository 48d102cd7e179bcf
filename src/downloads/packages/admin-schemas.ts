import * as z from "zod";
import { EndMoment, Id, IdText, iso, isoOrNull, line, Moment, partialUpdate, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import {
  auditedState,
  changeShape,
  declareFields,
  distinct,
  newShape,
  type ResponseSchemas,
} from "../../platform/administration/fields.ts";
import { afterIdField, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { Package, type PackageRow, packageStatuses, useOf } from "./schemas.ts";

/** Fields that are set when a package is granted. */
export type PackageState = Pick<PackageRow, "name" | "downloadLimit" | "expiresAt"> & { fileIds: number[] };

/** The fields of a package that administrators edit. */
export const packageFields = declareFields<PackageState>()({
  name: { schema: line(200), input: { hint: "Shown to the customer." } },
  file_ids: {
    stored: distinct,
    schema: z.array(Id).min(1, "choose at least one file").max(100),
    input: { as: "choices", hint: "At least one.", options: [] },
  },
  download_limit: {
    schema: z.int().min(1).max(1_000_000).nullable().describe("Number of downloads. Null if unlimited"),
    input: { label: "Downloads", hint: "Leave empty for no limit." },
  },
  expires_at: {
    schema: EndMoment.nullable().describe("Null if it never expires. A day counts until its end (UTC)"),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty for access that never expires." },
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

export const PackagesQuery = z
  .strictObject({
    ...pageFields,
    ...afterIdField,
    user_id: IdText.optional(),
    order_id: IdText.optional(),
    status: z.enum(packageStatuses).optional(),
  })
  .refine(...withoutPages);
export type PackagesQuery = z.output<typeof PackagesQuery>;

/** A package to grant, with a download limit, an expiry, both or neither. Starts immediately by default. */
export const PackageCreate = z
  .strictObject({
    user_id: Id,
    ...newShape(packageFields),
    starts_at: Moment.optional().describe("Start of access. Defaults to now"),
  })
  .refine(({ starts_at = 0, expires_at }) => (expires_at ?? Number.MAX_SAFE_INTEGER) > starts_at, {
    path: ["expires_at"],
    error: "must be after the start",
  })
  .meta({ id: "PackageCreate" });
export type PackageCreate = z.output<typeof PackageCreate>;

export const PackageUpdate = partialUpdate("PackageUpdate", changeShape(packageFields));
export type PackageUpdate = z.output<typeof PackageUpdate>;

/** A package in the administration API. */
export const AdminPackage = z
  .object({
    ...Package.shape,
    user_id: z.int().nullable(),
    revoked_at: Timestamp.nullable(),
  } satisfies ResponseSchemas<typeof packageFields, "file_ids">)
  .meta({ id: "AdminPackage" });

export const toAdminPackage = (row: PackageRow, now: number): z.output<typeof AdminPackage> =>
  toRecord(AdminPackage, row, useOf(row, now));
