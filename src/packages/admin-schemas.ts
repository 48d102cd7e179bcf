import * as z from "zod";
import { Id, IdText, iso, isoOrNull, line, Moment, Timestamp } from "../domain/fields.ts";
import { changesSomething } from "../domain/rules.ts";
import { pageFields } from "../http/pagination.ts";
import { packageStatuses } from "./entitlement.ts";
import { Package, type PackageRow, toPackage } from "./schemas.ts";

export const PackagesQuery = z.strictObject({
  ...pageFields,
  user_id: IdText.optional(),
  order_id: IdText.optional(),
  status: z.enum(packageStatuses).optional(),
});
export type PackagesQuery = z.output<typeof PackagesQuery>;

const fields = {
  name: line(200),
  file_ids: z.array(Id).min(1).max(100),
  download_limit: z.int().min(1).max(1_000_000).nullable().describe("Null is without limit"),
  expires_at: Moment.nullable().describe("Null is for ever"),
};

const { name, file_ids, ...limits } = fields;

/** A grant: with a limit, an expiry, both or neither. It starts at once unless said otherwise. */
export const NewPackage = z
  .strictObject({
    user_id: Id,
    name,
    file_ids,
    starts_at: Moment.optional().describe("At once, when it is not sent"),
    ...z.object(limits).partial().shape,
  })
  .refine(({ starts_at = 0, expires_at }) => (expires_at ?? Number.MAX_SAFE_INTEGER) > starts_at, {
    path: ["expires_at"],
    error: "must be after starts_at",
  })
  .meta({ id: "NewPackage" });
export type NewPackage = z.output<typeof NewPackage>;

export const PackageChange = z
  .strictObject(fields)
  .partial()
  .refine(...changesSomething)
  .meta({ id: "PackageChange", description: "The fields that are sent change, and no others" });
export type PackageChange = z.output<typeof PackageChange>;

/** A package in the administration API. */
export const AdminPackage = z
  .object({ ...Package.shape, user_id: z.int().nullable(), revoked_at: Timestamp.nullable() })
  .meta({ id: "AdminPackage" });

export const toAdminPackage = (row: PackageRow, now: number): z.output<typeof AdminPackage> => ({
  ...toPackage(row, now),
  user_id: row.userId,
  revoked_at: isoOrNull(row.revokedAt),
});

/** The fields of a package in the audit log, named as in requests. */
export const auditedState = (row: {
  userId: number | null;
  name: string;
  fileIds: number[];
  downloadLimit: number | null;
  startsAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}) => ({
  user_id: row.userId,
  name: row.name,
  file_ids: row.fileIds,
  download_limit: row.downloadLimit,
  starts_at: iso(row.startsAt),
  expires_at: isoOrNull(row.expiresAt),
  revoked_at: isoOrNull(row.revokedAt),
});

export const auditedStateOfRow = (row: PackageRow) => auditedState({ ...row, fileIds: row.files.map(({ id }) => id) });
